import { type ContextOptions, type MemoryClient, recallContext, rememberTurn, withoutContext } from 'mneme/client'

export interface SessionOptions {
  readonly sessionId: string
  /** Owner of the remembered turns; the owner of the client by default. */
  readonly owner?: string
  /** Owner of the history; `session:<owner>:<sessionId>` by default. A key that is limited to one owner needs that owner here. */
  readonly historyOwner?: string
  /** False stores the history only; by default other sessions recall the texts of user and assistant. */
  readonly remember?: boolean
}

interface HistoryEntry<Item> {
  readonly id: string
  readonly item: Item
  /** Position in the session, from 0. */
  readonly position: number
}

const encode = (owner: string): string => owner.replaceAll('%', '%25').replaceAll(':', '%3A')

/** The history of one conversation, unchanged and in order. Its texts are also remembered. */
export class ItemSession<Item extends object> {
  readonly #memory: MemoryClient
  readonly #options: SessionOptions
  readonly #owner: string | undefined
  readonly #history: { readonly owner: string }

  constructor(memory: MemoryClient, options: SessionOptions) {
    if (typeof options?.sessionId !== 'string' || options.sessionId === '')
      throw new TypeError("sessionId must be a text, for example new MnemeSession(memory, { sessionId: 'monday' }).")
    this.#memory = memory
    this.#options = options
    this.#owner = options.owner ?? memory.owner
    this.#history = { owner: options.historyOwner ?? `session:${encode(this.#owner ?? '')}:${options.sessionId}` }
  }

  async getSessionId(): Promise<string> {
    return this.#options.sessionId
  }

  async getItems(limit = Number.POSITIVE_INFINITY): Promise<Item[]> {
    const items: Item[] = []
    if (limit <= 0) return items
    for await (const { item } of this.#entries()) {
      items.unshift(item)
      if (items.length >= limit) break
    }
    return items
  }

  async addItems(items: Item[]): Promise<void> {
    const { sessionId } = this.#options
    let position = (await this.#newest())?.position ?? -1
    for (const item of items) {
      const text = textOf(item)
      // Recalled context is recalled again for the next input.
      if (roleOf(item) === 'system' && text !== '' && withoutContext(text) === '') continue
      const metadata = { item, agentSession: sessionId, position: ++position }
      await this.#memory.add(text === '' ? labelOf(item) : text, { ...this.#history, session: sessionId, metadata })
    }
    if (this.#options.remember === false || this.#history.owner === this.#owner) return
    const textBy = (role: string): string =>
      items
        .filter((item) => roleOf(item) === role)
        .map(textOf)
        .join('\n')
    const place = { session: sessionId, ...(this.#owner === undefined ? {} : { owner: this.#owner }) }
    await rememberTurn(this.#memory, textBy('user'), textBy('assistant'), place)
  }

  async popItem(): Promise<Item | undefined> {
    const newest = await this.#newest()
    if (newest !== undefined) await this.#memory.delete(newest.id, this.#history)
    return newest?.item
  }

  async clearSession(): Promise<void> {
    for await (const { id } of this.#entries()) await this.#memory.delete(id, this.#history)
  }

  async #newest(): Promise<HistoryEntry<Item> | undefined> {
    for await (const entry of this.#entries()) return entry
    return undefined
  }

  /** Newest first. The owner may contain other memories and the items of other sessions. */
  async *#entries(): AsyncGenerator<HistoryEntry<Item>, void> {
    for await (const { id, metadata } of this.#memory.list(this.#history)) {
      if (metadata.agentSession !== this.#options.sessionId) continue
      const position = Number(metadata.position)
      yield { id, item: metadata.item as Item, position }
      if (position === 0) return
    }
  }
}

/** A `sessionInputCallback` that puts memories of older conversations before the history. */
export const recallBefore =
  <Item extends object>(memory: MemoryClient, toSystem: (text: string) => Item, options: ContextOptions = {}) =>
  async (history: Item[], added: Item[]): Promise<Item[]> => {
    const question = added
      .filter((item) => roleOf(item) === 'user')
      .map(textOf)
      .join('\n')
    const block = await recallContext(memory, question, options)
    return block === undefined ? [...history, ...added] : [toSystem(block), ...history, ...added]
  }

type Loose = { readonly role?: unknown; readonly type?: unknown; readonly content?: unknown; readonly text?: unknown }

const roleOf = (item: Loose): unknown => item.role

const labelOf = (item: Loose): string => `(${String(item.type ?? item.role ?? 'item')})`

function textOf({ content }: Loose): string {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return ''
  return content.flatMap((part: Loose) => (typeof part?.text === 'string' ? [part.text] : [])).join('\n')
}
