import { type ContextOptions, type MemoryClient, recallContext, rememberTurn, withoutContext } from 'mneme/client'

export interface SessionOptions {
  readonly sessionId: string
  /** Whose memories the conversation adds to; those of the client unless given. */
  readonly owner?: string
  /** Whether the words of person and model also become memories that other sessions recall; they do unless this is false. */
  readonly remember?: boolean
}

/** The history of one conversation, word for word and in order; its words are also remembered. */
export class ItemSession<Item extends object> {
  readonly #memory: MemoryClient
  readonly #options: SessionOptions
  readonly #history: { readonly owner: string }

  constructor(memory: MemoryClient, options: SessionOptions) {
    this.#memory = memory
    this.#options = options
    this.#history = { owner: `session:${options.owner ?? ''}:${options.sessionId}` }
  }

  async getSessionId(): Promise<string> {
    return this.#options.sessionId
  }

  async getItems(limit = Number.POSITIVE_INFINITY): Promise<Item[]> {
    const items: Item[] = []
    if (limit <= 0) return items
    for await (const { metadata } of this.#memory.list(this.#history)) {
      items.unshift(metadata.item as Item)
      if (items.length >= limit) break
    }
    return items
  }

  async addItems(items: Item[]): Promise<void> {
    for (const item of items) {
      const text = textOf(item)
      // What was recalled is recalled again when it is needed.
      if (roleOf(item) === 'system' && text !== '' && withoutContext(text) === '') continue
      await this.#memory.add(text === '' ? labelOf(item) : text, { ...this.#history, metadata: { item } })
    }
    if (this.#options.remember === false) return
    const said = (role: string): string =>
      items
        .filter((item) => roleOf(item) === role)
        .map(textOf)
        .join('\n')
    const { owner, sessionId } = this.#options
    await rememberTurn(this.#memory, said('user'), said('assistant'), { session: sessionId, ...(owner === undefined ? {} : { owner }) })
  }

  async popItem(): Promise<Item | undefined> {
    for await (const { id, metadata } of this.#memory.list(this.#history)) {
      await this.#memory.delete(id, this.#history)
      return metadata.item as Item
    }
    return undefined
  }

  async clearSession(): Promise<void> {
    for await (const { id } of this.#memory.list(this.#history)) await this.#memory.delete(id, this.#history)
  }
}

/** A `sessionInputCallback` that puts what older conversations tell of the new input in front of the history. */
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
