import { MemoryError } from '../errors.js'
import { type Added, type ChatMessage, toTexts } from './chat.js'
import type { MemoryEvent } from './event-stream.js'
import { instantText, type Memory, type Recalled, toMemory, toRecalled, toVersion, type Version } from './memories.js'
import type { Tools } from './operations.js'
import type { Transport } from './transport.js'

export type { Added, ChatMessage } from './chat.js'
export type { MemoryEvent } from './event-stream.js'
export type { Memory, Recalled, Version } from './memories.js'

export interface Defaults {
  /** Owner of calls that name none. Without it, writes go to the default owner and searches read all owners. */
  readonly owner?: string
  /** Conversation of added memories. */
  readonly session?: string
}

export interface CallOptions {
  readonly signal?: AbortSignal
}

export interface OwnerOptions extends CallOptions {
  readonly owner?: string
}

export interface AddOptions extends OwnerOptions {
  readonly session?: string
  readonly metadata?: Readonly<Record<string, unknown>>
  readonly kind?: 'episodic' | 'semantic' | 'procedural'
  /** A write that is repeated with the same key within 24 hours runs once. */
  readonly idempotencyKey?: string
  /** Id of the memory that ends in favour of this one. */
  readonly supersedes?: string
  readonly eventTime?: Date | string
}

export interface RecallOptions extends OwnerOptions {
  readonly limit?: number
  /** Evaluates the query at this time. */
  readonly asOf?: Date | string
  readonly minRelevance?: number
  readonly tokenBudget?: number
  /** `fast` skips the reranker. */
  readonly effort?: 'fast' | 'best'
}

export interface SearchOptions extends OwnerOptions {
  readonly limit?: number
  /** `meaning` by default. */
  readonly by?: 'meaning' | 'words'
}

export interface Answered {
  readonly results: readonly Recalled[]
  /** Probability that the first result answers the query. */
  readonly confidence: number | null
  readonly notice: string | null
}

export interface MemoryChange extends OwnerOptions {
  readonly text?: string
  readonly kind?: 'episodic' | 'semantic' | 'procedural'
  /** Replaces the earlier metadata. */
  readonly metadata?: Readonly<Record<string, unknown>>
  /** Fails with `conflict` unless the memory has this version. */
  readonly ifVersion?: number
  readonly idempotencyKey?: string
}

export interface Forgotten {
  readonly memories: number
  readonly entities: number
  readonly relations: number
  /** Path of the copy made before, if any. */
  readonly copy: string | null
}

type ToolOptions = CallOptions & { readonly idempotencyKey?: string }

/** The calls of a memory on a server or in this process. */
export interface MemoryClient {
  /** Owner of calls that name none. */
  readonly owner: string | undefined
  /** Stores one text, several texts, or the turns of a conversation, in order. */
  add(content: string | readonly string[] | readonly ChatMessage[], options?: AddOptions): Promise<readonly Added[]>
  /** Memories that answer a question, by meaning, keywords and links. */
  recall(question: string, options?: RecallOptions): Promise<Answered>
  /** The best matches of one index. */
  search(text: string, options?: SearchOptions): Promise<readonly Recalled[]>
  /** Undefined if the id is unknown. */
  get(id: string, options?: OwnerOptions): Promise<Memory | undefined>
  /** All memories, newest first, including ended ones, loaded page by page. */
  list(options?: OwnerOptions): AsyncIterableIterator<Memory>
  update(id: string, change: string | MemoryChange): Promise<Memory>
  /** Erases permanently; false if the id is unknown. */
  delete(id: string, options?: OwnerOptions & { readonly idempotencyKey?: string }): Promise<boolean>
  /** The state before each change, newest first. */
  history(id: string, options?: OwnerOptions): Promise<readonly Version[]>
  /** Erases all data of an owner; the key needs the right `admin`. */
  forgetAll(owner: string, options?: CallOptions): Promise<Forgotten>
  /** Changes as they are committed by any process; ends with the signal. */
  events(options?: CallOptions & { readonly after?: string }): AsyncIterableIterator<MemoryEvent>
  /** Any tool of any contract. */
  call<C extends keyof Tools, T extends keyof Tools[C]>(
    contract: C,
    tool: T,
    ...rest: NeedsInput<InputOf<C, T>> extends true
      ? [input: InputOf<C, T>, options?: ToolOptions]
      : [input?: InputOf<C, T>, options?: ToolOptions]
  ): Promise<OutputOf<C, T>>
  /** Null in process. */
  serverVersion(): Promise<string | null>
  /** Closes a memory that `openMemory` opened in this process; otherwise does nothing. */
  close(): Promise<void>
}

type InputOf<C extends keyof Tools, T extends keyof Tools[C]> = Tools[C][T] extends { readonly input: infer I } ? I : never
type OutputOf<C extends keyof Tools, T extends keyof Tools[C]> = Tools[C][T] extends { readonly output: infer O } ? O : never

type NeedsInput<I> = Record<never, never> extends I ? false : true

const PAGE_SIZE = 100

export function createMemoryClient(transport: Transport, defaults: Defaults = {}): MemoryClient {
  const ownerOf = (options: OwnerOptions | undefined): { readonly user_id?: string } => {
    const owner = options?.owner ?? defaults.owner
    return owner === undefined ? {} : { user_id: owner }
  }
  const invoke = async (
    contract: string,
    tool: string,
    input: Readonly<Record<string, unknown>>,
    { signal, idempotencyKey }: ToolOptions = {},
  ): Promise<Row> =>
    rowOf(
      await transport.call(
        contract,
        tool,
        present({ ...input, ...(idempotencyKey === undefined ? {} : { idempotency_key: idempotencyKey }) }),
        signal,
      ),
    )
  const memoryTool = (tool: string, input: Readonly<Record<string, unknown>>, options?: ToolOptions) =>
    invoke('memory', tool, input, options)

  const get = async (id: string, options?: OwnerOptions): Promise<Memory | undefined> => {
    try {
      return toMemory(await memoryTool('get_memory', { id, ...ownerOf(options) }, options))
    } catch (failure) {
      if (failure instanceof MemoryError && failure.code === 'not_found' && failure.reason !== 'unknown_tool') return undefined
      throw failure
    }
  }

  return {
    owner: defaults.owner,
    get,
    async add(content, options = {}) {
      const session = options.session ?? defaults.session
      const added: Added[] = []
      for (const [index, { text, kind, metadata }] of toTexts(content).entries()) {
        const { id } = await memoryTool(
          'store_memory',
          {
            content: text,
            ...ownerOf(options),
            memory_type: options.kind ?? kind,
            supersedes: options.supersedes,
            event_time: instantText(options.eventTime),
            metadata: { ...metadata, ...(session === undefined ? {} : { session }), ...options.metadata },
          },
          // One call per text, so a repetition continues where the first run ended.
          { ...options, ...(options.idempotencyKey === undefined ? {} : { idempotencyKey: `${options.idempotencyKey}:${index}` }) },
        )
        added.push({ id: String(id), text })
      }
      return added
    },
    async recall(question, options = {}) {
      const { limit, minRelevance, tokenBudget, effort } = options
      const query = { query: question, ...ownerOf(options), limit, effort, as_of: instantText(options.asOf), min_relevance: minRelevance }
      const answer = await memoryTool('recall', { ...query, token_budget: tokenBudget }, options)
      return {
        results: rowsOf(answer.results).map(toRecalled),
        confidence: typeof answer.confidence === 'number' ? answer.confidence : null,
        notice: typeof answer.notice === 'string' ? answer.notice : null,
      }
    },
    async search(text, options = {}) {
      const tool = options.by === 'words' ? 'search_text' : 'search'
      const answer = await memoryTool(tool, { query: text, ...ownerOf(options), limit: options.limit }, options)
      return rowsOf(answer.results).map(toRecalled)
    },
    async *list(options = {}) {
      const seen = new Set<string>()
      let offset = 0
      let total = 0
      for (;;) {
        const page = await memoryTool('list_memories', { ...ownerOf(options), limit: PAGE_SIZE, offset }, options)
        const now = Number(page.total)
        if (now < total && offset > 0) {
          // Deletions since the last page moved the remaining rows forward.
          offset = Math.max(0, offset - (total - now))
          total = now
          continue
        }
        total = now
        const memories = rowsOf(page.memories).map(toMemory)
        for (const memory of memories) {
          if (seen.has(memory.id)) continue
          seen.add(memory.id)
          yield memory
        }
        if (memories.length === 0) return
        offset += memories.length
      }
    },
    async update(id, change) {
      const { text, kind, metadata, ifVersion, ...options } = typeof change === 'string' ? { text: change } : change
      const changed = { id, content: text, memory_type: kind, metadata, if_version: ifVersion, ...ownerOf(options) }
      return toMemory(await memoryTool('update_memory', changed, options))
    },
    async delete(id, options = {}) {
      return (await memoryTool('delete_memory', { id, ...ownerOf(options) }, options)).deleted === true
    },
    async history(id, options = {}) {
      const answer = await memoryTool('get_memory_history', { id, ...ownerOf(options) }, options)
      return rowsOf(answer.versions).map(toVersion)
    },
    async forgetAll(owner, options) {
      if (typeof owner !== 'string' || owner === '')
        throw new MemoryError('invalid_input', 'forgetAll needs an owner.', { hint: "For example forgetAll('ann')." })
      const answer = await memoryTool('reset_all_memory', { confirm: true, user_id: owner }, options)
      const deleted = rowOf(answer.deleted)
      const count = (name: string): number => Number(deleted[name] ?? 0)
      const copy = typeof answer.copy === 'string' ? answer.copy : null
      return { memories: count('memories'), entities: count('entities'), relations: count('relations'), copy }
    },
    async call<C extends keyof Tools, T extends keyof Tools[C]>(contract: C, tool: T, input?: InputOf<C, T>, options: ToolOptions = {}) {
      const { signal, idempotencyKey } = options
      const keyed = { ...(isRow(input) ? input : {}), ...(idempotencyKey === undefined ? {} : { idempotency_key: idempotencyKey }) }
      return (await transport.call(contract, String(tool), keyed, signal)) as OutputOf<C, T>
    },
    events({ after, signal } = {}) {
      if (transport.events !== undefined) return transport.events(after, signal)
      throw new MemoryError('unprocessable', 'This memory has no event stream.', { hint: 'Connect to a server, or to openMemory().' })
    },
    serverVersion: async () => (await transport.serverVersion?.()) ?? null,
    close: async () => transport.close?.(),
  }
}

type Row = Readonly<Record<string, unknown>>

const isRow = (value: unknown): value is Row => typeof value === 'object' && value !== null && !Array.isArray(value)
const rowOf = (value: unknown): Row => (isRow(value) ? value : {})
const rowsOf = (value: unknown): readonly Row[] => (Array.isArray(value) ? value.filter(isRow) : [])
const present = (input: Row): Row => Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined))
