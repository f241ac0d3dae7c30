import { MemoryError } from '../../errors.js'
import { passageTerms } from '../code/chunks/passage-terms.js'
import { sha256 } from '../encoding/hash.js'
import type { JsonObject } from '../encoding/json.js'
import { maskText } from '../secrets/mask.js'
import { chunkMarkdown, chunkPage, chunkPlainText, type DocumentChunk } from './chunks.js'

/** A chunk with everything stored of it except its ordinal. */
export interface CapturedChunk extends DocumentChunk {
  /** sha-256 of the text, in hex. */
  readonly hash: string
  /** Its packed terms. */
  readonly terms: Uint8Array
  /** Locator fields in addition to lines: a page or a message. */
  readonly place: JsonObject
}

export interface CapturedText {
  readonly chunks: readonly CapturedChunk[]
  readonly charCount: number
  /** Kinds of secrets that were masked. */
  readonly masked: readonly string[]
}

export interface CaptureOptions {
  readonly maskSecrets: boolean
  /** The title of the document, indexed with every chunk. */
  readonly title: string
}

/** One message of a conversation. */
export interface Message {
  readonly role: string
  readonly content: string
  readonly name?: string | undefined
  readonly created_at?: string | undefined
  readonly metadata?: JsonObject | undefined
}

const capture = (chunk: DocumentChunk, place: JsonObject, { title }: CaptureOptions): CapturedChunk => ({
  ...chunk,
  hash: sha256(chunk.text),
  terms: passageTerms({ name: chunk.title, scopePath: chunk.headingPath.join(' '), path: title, text: chunk.text }),
  place,
})

/** Masks secrets first, so that hashes, terms and vectors match the stored text. */
function masking({ maskSecrets }: CaptureOptions) {
  const kinds: string[] = []
  return {
    mask: (text: string): string => (maskSecrets ? maskText(text, kinds) : text),
    masked: (): readonly string[] => [...new Set(kinds)],
  }
}

/** A document of more segments takes minutes to store, and its list of segments hundreds of megabytes. */
const MAX_SEGMENTS = 50_000

export function checkSegments(count: number): void {
  if (count > MAX_SEGMENTS)
    throw new MemoryError('too_large', `It has more than ${MAX_SEGMENTS.toLocaleString('en')} segments.`, {
      hint: 'Capture it in parts, each with a title of its own.',
    })
}

/** Checks the number of segments before any is built. */
function captureAll(chunks: readonly DocumentChunk[], place: JsonObject, options: CaptureOptions): readonly CapturedChunk[] {
  checkSegments(chunks.length)
  return chunks.map((chunk) => capture(chunk, place, options))
}

export function captureText(text: string, contentType: 'markdown' | 'text', options: CaptureOptions): CapturedText {
  const { mask, masked } = masking(options)
  const stored = mask(text)
  const chunks = captureAll(contentType === 'markdown' ? chunkMarkdown(stored) : chunkPlainText(stored), {}, options)
  return { chunks, charCount: stored.length, masked: masked() }
}

export function capturePages(pages: readonly string[], options: CaptureOptions): CapturedText {
  const { mask, masked } = masking(options)
  let charCount = 0
  const chunks = pages.flatMap((text, index) => {
    const stored = mask(text)
    charCount += stored.length
    return captureAll(chunkPage(stored, index + 1), { page: index + 1 }, options)
  })
  return { chunks, charCount, masked: masked() }
}

/** The conversation as one text of `role: content` paragraphs. */
export const conversationText = (messages: readonly Message[]): string =>
  messages.map(({ role, content }) => `${role}: ${content.trim()}`).join('\n\n')

/** Splits each message into its own chunks. Line numbers refer to the conversation as one text. */
export function* captureMessages(messages: readonly Message[], options: CaptureOptions): Generator<CapturedText> {
  const { mask, masked } = masking(options)
  let line = 0
  for (const [index, message] of messages.entries()) {
    const stored = mask(`${message.role}: ${message.content.trim()}`)
    const place: JsonObject = {
      message_index: index,
      role: message.role,
      ...(message.name === undefined ? {} : { name: message.name }),
      ...(message.created_at === undefined ? {} : { created_at: message.created_at }),
    }
    const first = line
    const messageChunks = chunkPlainText(stored, { kind: 'message', title: message.role }).map((chunk) => ({
      ...chunk,
      startLine: chunk.startLine + first,
      endLine: chunk.endLine + first,
    }))
    const chunks = captureAll(messageChunks, place, options)
    // Counts the blank line between two messages.
    line += stored.split('\n').length + 1
    yield { chunks, charCount: stored.length + (index === 0 ? 0 : 2), masked: masked() }
  }
}
