import { MemoryError } from '../errors.js'

/** A turn of a conversation in the format of chat APIs. */
export interface ChatMessage {
  readonly role: string
  readonly content: string | readonly { readonly type: string; readonly text?: string }[] | null
  /** The author, if several authors have the same role. */
  readonly name?: string
}

export interface Added {
  readonly id: string
  readonly text: string
}

interface Text {
  readonly text: string
  readonly kind?: 'episodic'
  readonly metadata: Readonly<Record<string, unknown>>
}

/** One text per turn. Turns without text, such as tool calls, are skipped. */
export function toTexts(content: string | readonly string[] | readonly ChatMessage[]): readonly Text[] {
  if (typeof content === 'string') return [{ text: content, metadata: {} }]
  if (!Array.isArray(content))
    throw new MemoryError('invalid_input', 'Invalid content: expected text, a list of texts, or a list of chat messages.', {
      hint: "For example add('Ann likes tea') or add([{ role: 'user', content: 'I like tea' }]).",
    })
  return content.flatMap((message: string | ChatMessage, index): readonly Text[] => {
    if (typeof message === 'string') return [{ text: message, metadata: {} }]
    if (typeof message?.role !== 'string')
      throw new MemoryError('invalid_input', `Invalid message at ${index}: expected text, or { role, content }.`)
    const text = textOf(message)
    return text.trim() === '' ? [] : [{ text, kind: 'episodic', metadata: { role: message.role, author: message.name ?? message.role } }]
  })
}

function textOf({ content }: ChatMessage): string {
  if (typeof content === 'string') return content
  return (content ?? []).flatMap(({ type, text }) => (type === 'text' && text !== undefined ? [text] : [])).join('\n')
}
