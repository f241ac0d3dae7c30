import { type ConnectOptions, connect } from './client/connect.js'
import type { MemoryClient } from './client/memory-client.js'
import { loadConfig, SETTINGS } from './config.js'
import type { Answer } from './contracts/operation.js'
import type { Fact, NewFact } from './core/facts/fact.js'
import type { JournalEntry } from './core/journal/change.js'
import type { Engine } from './engine/engine.js'
import { listFacts } from './engine/facts/list-facts.js'
import { remember } from './engine/facts/remember.js'
import { findFact, forget, revise } from './engine/facts/revise.js'
import { eraseAll } from './engine/maintenance/erase-all.js'
import type { RecallAnswer } from './engine/recall/recall.js'
import { recall } from './engine/recall/recall.js'
import type { SearchHit } from './engine/recall/single-index-search.js'
import { searchByMeaning, searchByWords } from './engine/recall/single-index-search.js'
import { createReopenableEngine } from './engine/reopenable-engine.js'
import { knownHint } from './errors/known-names.js'
import { MemoryError } from './errors.js'
import { toFactUpdate, toNewFact, toRecallQuery } from './library-input.js'
import { CONTRACT_NAMES, loadContracts, openEngine } from './open.js'

export type { ConnectOptions } from './client/connect.js'
export type { MemoryClient } from './client/memory-client.js'
export type { Answer } from './contracts/operation.js'
export type { Fact, NewFact } from './core/facts/fact.js'
export type { JournalEntry } from './core/journal/change.js'
export type { RecallAnswer, RecalledFact } from './engine/recall/recall.js'
export type { SearchHit } from './engine/recall/single-index-search.js'
export { MemoryError } from './errors.js'

export interface AskOptions {
  readonly limit?: number
  /** All owners by default, or the default owner if `recallOwner` says so. */
  readonly owner?: string
  /** Evaluates the query at this time: a Date, ISO 8601 text, or microseconds since 1970. */
  readonly asOf?: Date | string | number
  /** `fast` skips the reranker; `best` by default. Searches ignore it. */
  readonly effort?: 'fast' | 'best'
  readonly signal?: AbortSignal
}

export interface ListOptions {
  readonly owner?: string
  readonly limit?: number
  readonly offset?: number
}

export type FactUpdate = Partial<Pick<Fact, 'text' | 'kind' | 'title' | 'importance' | 'metadata'>>

/** An open memory inside another program: the same engine, file and rules as the server's. */
export interface Memory {
  /** Stores facts in one commit; when it resolves, they are durable and searchable. */
  remember(...facts: readonly (NewFact | string)[]): Promise<readonly Fact[]>
  /** Searches by meaning, keywords and links. */
  recall(question: string, options?: AskOptions): Promise<RecallAnswer>
  searchByMeaning(text: string, options?: AskOptions): Promise<readonly SearchHit[]>
  searchByWords(text: string, options?: AskOptions): Promise<readonly SearchHit[]>
  get(id: string, owner?: string): Promise<Fact | undefined>
  /** Newest first, including ended facts, with the total. */
  list(options?: ListOptions): Promise<{ readonly facts: readonly Fact[]; readonly total: number }>
  /** Corrects a fact in place; undefined if it does not exist. */
  update(id: string, change: FactUpdate, options?: { readonly ifVersion?: number; readonly owner?: string }): Promise<Fact | undefined>
  /** Deletes facts permanently; returns their number. */
  delete(...ids: readonly string[]): Promise<number>
  /** Deletes all data of an owner. The store is copied first if `resetCopy` is on. */
  deleteAll(owner: string): Promise<{ readonly copy: string | null }>
  /** Changes of one fact, newest first. */
  history(id: string, options?: { readonly limit?: number }): Promise<readonly JournalEntry[]>
  owners(): Promise<readonly string[]>
  /** Any tool of any contract, as described in its reference: `call('graph', 'get_trace', {...})`. */
  call(contract: string, tool: string, input?: Readonly<Record<string, unknown>>, signal?: AbortSignal): Promise<Answer>
  close(): Promise<void>
}

const ACTOR = 'library'

/** Opens the memory of a server. `connect` gives a memory of this process the same calls. */
export async function openMemory(url: string | URL, options?: ConnectOptions): Promise<MemoryClient>
/** Opens a memory. Settings use the keys of the reference (`{ dataDir, embedder, … }`); variables and the config file apply as well. */
export async function openMemory(settings?: Readonly<Record<string, unknown>>): Promise<Memory>
export async function openMemory(
  target: Readonly<Record<string, unknown>> | string | URL = {},
  options?: ConnectOptions,
): Promise<Memory | MemoryClient> {
  return typeof target === 'string' || target instanceof URL ? connect(target, options) : openInProcess(target)
}

async function openInProcess(settings: Readonly<Record<string, unknown>>): Promise<Memory> {
  if (typeof settings !== 'object' || settings === null)
    throw new MemoryError('invalid_input', 'Settings must be an object.', { hint: "For example openMemory({ dataDir: './memory' })." })
  const unknown = Object.keys(settings).find((key) => !SETTINGS.some((setting) => setting.key === key))
  if (unknown !== undefined)
    throw new MemoryError('invalid_input', `There is no setting "${unknown}".`, {
      hint: knownHint(
        unknown,
        SETTINGS.map(({ key }) => key),
      ),
    })
  const { config } = loadConfig({ flags: settings })
  const memory = createReopenableEngine(() => openEngine(config))
  const connection = `library-${(await memory.engine()).ids.mint()}`
  let closed = false
  const openedEngine = async (): Promise<Engine> => {
    if (closed) throw new MemoryError('unavailable', 'This memory is closed.', { hint: 'Open it again with openMemory.' })
    return memory.engine()
  }
  return {
    async remember(...facts) {
      const engine = await openedEngine()
      return remember(engine.context(), { actor: ACTOR, connection }, facts.map(toNewFact))
    },
    async recall(question, options) {
      const engine = await openedEngine()
      return recall(engine.context(), toAsked(engine, question, options))
    },
    async searchByMeaning(text, options) {
      const engine = await openedEngine()
      return searchByMeaning(engine.context(), toAsked(engine, text, options))
    },
    async searchByWords(text, options) {
      const engine = await openedEngine()
      return searchByWords(engine.context(), toAsked(engine, text, options))
    },
    async get(id, owner) {
      const engine = await openedEngine()
      return findFact(engine.context(), id, owner)
    },
    async list({ owner, limit = 100, offset = 0 } = {}) {
      const engine = await openedEngine()
      return listFacts(engine.context(), { owner: owner ?? engine.settings.askedOwner, limit, offset })
    },
    async update(id, change, options = {}) {
      const engine = await openedEngine()
      const checked = toFactUpdate(change)
      return revise(engine.context(), ACTOR, { id, ...options, change: (fact) => ({ ...fact, ...checked }) })
    },
    async delete(...ids) {
      const engine = await openedEngine()
      let deleted = 0
      for (const id of ids) if (await forget(engine.context(), ACTOR, { id })) deleted++
      return deleted
    },
    async deleteAll(owner) {
      const engine = await openedEngine()
      const { copy } = await eraseAll(engine.context(), { owner, actor: ACTOR, reason: 'deleteAll', keepCopy: engine.settings.resetCopy })
      return { copy }
    },
    async history(id, { limit = 100 } = {}) {
      const engine = await openedEngine()
      return engine.context().store.journal({ target: id, newestFirst: true, limit })
    },
    async owners() {
      const engine = await openedEngine()
      return engine.context().graph.owners()
    },
    async call(contract, tool, input = {}, signal = new AbortController().signal) {
      const engine = await openedEngine()
      if (!CONTRACT_NAMES.includes(contract))
        throw new MemoryError('invalid_input', `There is no contract "${contract}".`, { hint: knownHint(contract, CONTRACT_NAMES) })
      const [found] = await loadContracts([contract])
      const operation = found?.operations.find((one) => one.name === tool)
      if (operation === undefined) {
        const names = found?.operations.map((one) => one.name) ?? []
        throw new MemoryError('invalid_input', `The ${contract} contract has no tool "${tool}".`, { hint: knownHint(tool, names) })
      }
      return operation.call({ context: engine.context({ signal }), actor: ACTOR, connection, progress: () => undefined }, input)
    },
    async close() {
      if (closed) return
      closed = true
      await memory.close()
    },
  }
}

/** Without an owner, the settings determine the owner of a query. */
function toAsked({ settings }: Engine, text: string, options: AskOptions | undefined): ReturnType<typeof toRecallQuery> {
  const asked = toRecallQuery(text, options)
  return { ...asked, owner: asked.owner ?? settings.askedOwner }
}
