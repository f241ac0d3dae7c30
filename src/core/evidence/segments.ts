import { sha256 } from '../encoding/hash.js'
import type { JsonObject } from '../encoding/json.js'
import type { Instant } from '../facts/fact.js'
import type { Passage, Source } from '../facts/source.js'
import type { FileChange } from '../journal/change.js'
import type { CapturedChunk } from './capture.js'
import { EXCERPT_CHARS, segmentId } from './chunks.js'

/** A citable passage of evidence. */
export interface Segment {
  readonly segmentId: string
  readonly locator: JsonObject
  /** The beginning of its text. */
  readonly excerpt: string
  /** SHA-256 of the whole text, in hex. */
  readonly hash: string
}

/** Passages of a document per file of its source. */
export const PART_SIZE = 50

export const partPath = (part: number): string => `part-${String(part).padStart(5, '0')}`

/** The file and ordinal of a document segment, from its id; undefined for other ids. */
export function placeOfSegment(id: string): { readonly path: string; readonly ordinal: number } | undefined {
  const [digits] = /^[1-9][0-9]{0,8}(?=-)/.exec(id) ?? []
  if (digits === undefined) return undefined
  const index = Number(digits) - 1
  return { path: partPath(Math.floor(index / PART_SIZE)), ordinal: index % PART_SIZE }
}

/** The segment of a document passage. */
export const segmentOf = (passage: Passage): Segment => {
  const locator = passage.locator ?? {}
  return {
    segmentId: segmentId(typeof locator.segment_index === 'number' ? locator.segment_index : passage.ordinal + 1, passage.name ?? ''),
    locator,
    excerpt: excerptOf(passage.text),
    hash: passage.hash,
  }
}

export const excerptOf = (text: string): string => text.slice(0, EXCERPT_CHARS)

const EMBEDDED_CHARS = 700

/** Groups the chunks of a document into files of its source. */
export function* filesOfDocument(
  source: Pick<Source, 'id' | 'owner' | 'origin' | 'title'>,
  chunks: readonly CapturedChunk[],
  made: { readonly at: Instant; mint(): string; readonly language: string | null },
): Generator<FileChange> {
  for (let from = 0; from < chunks.length; from += PART_SIZE) {
    const path = partPath(from / PART_SIZE)
    const passages = chunks
      .slice(from, from + PART_SIZE)
      .map((chunk, ordinal) =>
        passageOf(source, chunk, { id: made.mint(), path, ordinal, index: from + ordinal + 1, language: made.language }),
      )
    const size = passages.reduce((sum, { text }) => sum + text.length, 0)
    const hash = sha256(passages.map((passage) => `${passage.hash} ${JSON.stringify(passage.locator)}`).join('\n'))
    yield { path, size, modifiedAt: made.at, hash, gone: false, passages, references: [] }
  }
}

function passageOf(
  source: Pick<Source, 'id' | 'owner' | 'origin' | 'title'>,
  chunk: CapturedChunk,
  place: Pick<Passage, 'id' | 'path' | 'ordinal' | 'language'> & { readonly index: number },
): Passage {
  const { id, path, ordinal, language } = place
  const scope = chunk.headingPath.slice(0, -1).join(' > ')
  const head = [source.title, scope, chunk.title].filter((part) => part !== '').join('\n')
  return {
    ...{ id, path, ordinal, language, owner: source.owner, sourceId: source.id },
    text: chunk.text,
    kind: chunk.kind,
    name: chunk.title,
    scopePath: scope === '' ? null : scope,
    startLine: chunk.startLine,
    endLine: chunk.endLine,
    locator: locatorOf(source.origin, place.index, chunk),
    hash: chunk.hash,
    embedText: `${head}\n${chunk.text.replace(/\s+/g, ' ')}`.slice(0, EMBEDDED_CHARS),
    terms: chunk.terms,
  }
}

const locatorOf = (ref: string, index: number, chunk: CapturedChunk): JsonObject => ({
  kind: 'source',
  ref,
  segment_index: index,
  chunk_kind: chunk.kind,
  ...chunk.place,
  line_start: chunk.startLine,
  line_end: chunk.endLine,
  ...(chunk.characters === undefined ? {} : { char_start: chunk.characters.start, char_end: chunk.characters.end }),
  ...(chunk.headingPath.length === 0 ? {} : { heading_path: chunk.headingPath }),
})
