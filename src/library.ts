import { fileURLToPath } from 'node:url'
import { type ConnectOptions, connect } from './client/connect.js'
import { createMemoryClient, type MemoryClient, type MemoryEvent } from './client/memory-client.js'
import { type Config, loadConfig, SETTINGS } from './config.js'
import { journalEvents } from './contracts/event-stream.js'
import type { Answer } from './contracts/operation.js'
import type { NewFact } from './core/facts/fact.js'
import type { JournalEntry } from './core/journal/change.js'
import type { Engine } from './engine/engine.js'
import { listFacts } from './engine/facts/list-facts.js'
import { remember } from './engine/facts/remember.js'
import { findFact, forget, revise } from './engine/facts/revise.js'
import { eraseAll } from './engine/maintenance/erase-all.js'
import { recall } from './engine/recall/recall.js'
import { searchByMeaning, searchByWords } from './engine/recall/single-index-search.js'
import { createReopenableEngine } from './engine/reopenable-engine.js'
import { knownHint } from './errors/known-names.js'
import { MemoryError } from './errors.js'
import { type FoundMemory, type MemoryFact, type Recalled, toFound, toMemoryFact, toRecalled } from './library/facts.js'
import { toFactUpdate, toNewFact, toRecallQuery } from './library/input.js'
import { CONTRACT_NAMES, loadContracts, openEngine } from './open.js'

export type { ConnectOptions } from './client/connect.js'
export type { MemoryClient } from './client/memory-client.js'
export type { Answer } from './contracts/operation.js'
export type { NewFact } from './core/facts/fact.js'
export type { JournalEntry } from './core/journal/change.js'
export { MemoryError } from './errors.js'
export type {
  FoundMemory as SearchHit,
  MemoryFact as Fact,
  Recalled as RecallAnswer,
  RecalledMemory as RecalledFact,
} from './library/facts.js'

/** The settings of the reference by key; texts are read as on the command line. */
export type Settings = { readonly [K in keyof Config]?: Config[K] | string }

/** Options of a memory that is opened by its address. */
export interface OpenMemoryOptions extends ConnectOptions {
  /** Settings of a memory in this process. A server has its own. */
  readonly settings?: Settings
}

export interface AskOptions {
  readonly limit?: number
  /** All owners by default, or the default owner if `recallOwner` says so. */
  readonly owner?: string
  /** Evaluates the query at this time: a Date, ISO 8601 text, or microseconds since 1970. */
  readonly asOf?: Date | string | number
  /** `fast` skips the reranker; `best` by default. Searches ignore it. */
  readonly effort?: 'fast' | 'best'
  /** False leaves passages of captured documents out. */
  readonly documents?: boolean
  readonly signal?: AbortSignal
}

export interface ListOptions {
  readonly owner?: string
  readonly limit?: number
  readonly offset?: number
}

export type FactUpdate = Partial<Pick<MemoryFact, 'text' | 'kind' | 'title' | 'importance' | 'metadata'>>

/** An open memory inside another program: the same engine, file and rules as the server's. */
export interface Memory {
  /** Stores facts in one commit; when it resolves, they are durable and searchable. */
  remember(...facts: readonly (NewFact | string)[]): Promise<readonly MemoryFact[]>
  /** Searches by meaning, keywords and links. */
  recall(question: string, options?: AskOptions): Promise<Recalled>
  searchByMeaning(text: string, options?: AskOptions): Promise<readonly FoundMemory[]>
  searchByWords(text: string, options?: AskOptions): Promise<readonly FoundMemory[]>
  get(id: string, owner?: string): Promise<MemoryFact | undefined>
  /** Newest first, including ended facts, with the total. */
  list(options?: ListOptions): Promise<{ readonly facts: readonly MemoryFact[]; readonly total: number }>
  /** Corrects a fact in place; undefined if it does not exist. */
  update(
    id: string,
    change: FactUpdate,
    options?: { readonly ifVersion?: number; readonly owner?: string },
  ): Promise<MemoryFact | undefined>
  /** Deletes facts permanently; returns their number. */
  delete(...ids: readonly string[]): Promise<number>
  /** Deletes all data of an owner. The store is copied first if `resetCopy` is on. */
  deleteAll(owner: string): Promise<{ readonly copy: string | null }>
  /** Changes of one fact, newest first. */
  history(id: string, options?: { readonly limit?: number }): Promise<readonly JournalEntry[]>
  owners(): Promise<readonly string[]>
  /** Any tool of any contract, as described in its reference: `call('graph', 'get_trace', {...})`. */
  call(contract: string, tool: string, input?: Readonly<Record<string, unknown>>, signal?: AbortSignal): Promise<Answer>
  /** Changes as they are committed by any process, after the event with that id or from now on. Ends with the signal or `close`. */
  events(after?: string, signal?: AbortSignal): AsyncIterableIterator<MemoryEvent>
  close(): Promise<void>
}

const ACTOR = 'library'

/** Opens a memory by its address: `http:` or `https:` of a server, `file:` of a data directory, `postgres:` of a database. */
export async function openMemory(url: string | URL, options?: OpenMemoryOptions): Promise<MemoryClient>
export async function openMemory(options: OpenMemoryOptions & { readonly url: string | URL }): Promise<MemoryClient>
/** Opens a memory in this process. Settings use the keys of the reference (`{ dataDir, embedder, … }`); variables and the config file apply as well. */
export async function openMemory(settings?: Settings): Promise<Memory>
export async function openMemory(
  target: Settings | (OpenMemoryOptions & { readonly url: string | URL }) | string | URL = {},
  options: OpenMemoryOptions = {},
): Promise<Memory | MemoryClient> {
  if (typeof target === 'string' || target instanceof URL) return openByAddress(target, options)
  if (target !== null && 'url' in target) return openByAddress(target.url, target)
  return openInProcess(target)
}

async function openByAddress(url: string | URL, { settings, ...options }: OpenMemoryOptions): Promise<MemoryClient> {
  const place = placeOf(String(url))
  if (place === undefined) return connect(url, options)
  const memory = await openInProcess({ ...settings, ...place })
  return createMemoryClient({ call: memory.call, events: memory.events, close: memory.close }, options)
}

/** Settings of an address that is opened in this process; undefined for servers. `file:memory` is relative to the working directory. */
function placeOf(url: string): Settings | undefined {
  if (/^postgres(?:ql)?:/iu.test(url)) return { database: url }
  if (!/^file:/iu.test(url)) return undefined
  return { dataDir: url.startsWith('//', 5) ? fileURLToPath(url) : url.slice(5) }
}

async function openInProcess(settings: Settings): Promise<Memory> {
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
  const closing = new AbortController()
  const openedEngine = async (): Promise<Engine> => {
    if (closed) throw new MemoryError('unavailable', 'This memory is closed.', { hint: 'Open it again with openMemory.' })
    return memory.engine()
  }
  return {
    async remember(...facts) {
      const engine = await openedEngine()
      return (await remember(engine.context(), { actor: ACTOR, connection }, facts.map(toNewFact))).map(toMemoryFact)
    },
    async recall(question, options) {
      const engine = await openedEngine()
      return toRecalled(await recall(engine.context(), toAsked(engine, question, options)))
    },
    async searchByMeaning(text, options) {
      const engine = await openedEngine()
      return toFound(await searchByMeaning(engine.context(), toAsked(engine, text, options)))
    },
    async searchByWords(text, options) {
      const engine = await openedEngine()
      return toFound(await searchByWords(engine.context(), toAsked(engine, text, options)))
    },
    async get(id, owner) {
      const engine = await openedEngine()
      const fact = await findFact(engine.context(), id, owner)
      return fact === undefined ? undefined : toMemoryFact(fact)
    },
    async list({ owner, limit = 100, offset = 0 } = {}) {
      const engine = await openedEngine()
      const { facts, total } = await listFacts(engine.context(), { owner: owner ?? engine.settings.askedOwner, limit, offset })
      return { facts: facts.map(toMemoryFact), total }
    },
    async update(id, change, options = {}) {
      const engine = await openedEngine()
      const checked = toFactUpdate(change)
      const fact = await revise(engine.context(), ACTOR, { id, ...options, change: (known) => ({ ...known, ...checked }) })
      return fact === undefined ? undefined : toMemoryFact(fact)
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
      const operation = found?.operations.find((candidate) => candidate.name === tool)
      if (operation === undefined) {
        const names = found?.operations.map((candidate) => candidate.name) ?? []
        throw new MemoryError('invalid_input', `The ${contract} contract has no tool "${tool}".`, { hint: knownHint(tool, names) })
      }
      return operation.call({ context: engine.context({ signal }), actor: ACTOR, connection, progress: () => undefined }, input)
    },
    async *events(after, signal) {
      const engine = await openedEngine()
      const ended = signal === undefined ? closing.signal : AbortSignal.any([signal, closing.signal])
      for await (const entries of journalEvents.open(engine.context({ signal: ended }), after))
        for (const { id, data } of entries) yield { id, data: { ...data } }
    },
    async close() {
      if (closed) return
      closed = true
      closing.abort()
      await memory.close()
    },
  }
}

/** Without an owner, the settings determine the owner of a query. */
function toAsked({ settings }: Engine, text: string, options: AskOptions | undefined): ReturnType<typeof toRecallQuery> {
  const query = toRecallQuery(text, options)
  return { ...query, owner: query.owner ?? settings.askedOwner, documents: query.documents ?? settings.recallDocuments }
}
