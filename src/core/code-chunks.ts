import { createHash } from 'node:crypto'
import type { CodeReference } from './change.js'
import { embedTextOf } from './code-embed-text.js'
import { layOut, type Unit, windowsOf } from './code-layout.js'
import type { ChunkKind, FileOutline } from './code-outline.js'

/** A piece of a source file; together the chunks of a file cover every line of it. */
export interface CodeChunk {
  readonly ordinal: number
  readonly name: string | null
  /** Every definition that starts in this chunk, for resolving references. */
  readonly names: readonly string[]
  readonly kind: ChunkKind
  readonly scopePath: string | null
  readonly startLine: number
  readonly endLine: number
  readonly text: string
  readonly signature: string | null
  readonly doc: string | null
  readonly embedText: string
  readonly hash: string
}

export interface ChunkInput {
  readonly path: string
  readonly language: string
  readonly text: string
  readonly outline: FileOutline
}

export interface ChunkLimits {
  /** A definition or run of siblings up to this stays in one chunk. */
  readonly maxLines: number
  readonly maxChars: number
  /** A class, module or section up to this is not taken apart. */
  readonly wholeLines: number
  /** Siblings shorter than this are merged with their neighbours. */
  readonly smallLines: number
  readonly mergedLines: number
  readonly overlapLines: number
  /** Files without structure. */
  readonly windowLines: number
  readonly windowOverlap: number
  readonly windowChars: number
}

export const DEFAULT_CHUNK_LIMITS: ChunkLimits = {
  maxLines: 60,
  maxChars: 2_000,
  wholeLines: 30,
  smallLines: 8,
  mergedLines: 40,
  overlapLines: 3,
  windowLines: 100,
  windowOverlap: 10,
  windowChars: 6_000,
}

/** Offsets at which lines start, with the end of the text as a last entry; a final line feed starts no line. */
export function lineStarts(text: string): readonly number[] {
  const starts = [0]
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
  if (starts.at(-1) !== text.length) starts.push(text.length)
  return starts
}

export function chunkFile(input: ChunkInput, limits: ChunkLimits = DEFAULT_CHUNK_LIMITS): readonly CodeChunk[] {
  const starts = lineStarts(input.text)
  const lineCount = starts.length - 1
  if (lineCount === 0) return []
  const { definitions } = input.outline
  const units = input.outline.parsed
    ? layOut(input.text, starts, definitions, limits)
    : windowsOf({ start: 1, end: lineCount, owner: -1, defs: [] }, starts, {
        lines: limits.windowLines,
        chars: limits.windowChars,
        overlap: limits.windowOverlap,
      })
  return units.map((unit, ordinal) => toChunk(input, starts, unit, ordinal))
}

function toChunk(input: ChunkInput, starts: readonly number[], unit: Unit, ordinal: number): CodeChunk {
  const { definitions, parsed } = input.outline
  const text = input.text.slice(starts[unit.start - 1], starts[unit.end])
  const inside = unit.defs.flatMap((index) => definitions[index] ?? [])
  const contained = new Set(unit.defs)
  const outermost = inside.filter((def) => !contained.has(def.parent))
  // Several siblings are about what encloses them, one definition about itself.
  const subject = outermost.length === 1 ? outermost[0] : definitions[unit.owner]
  const scope = subject?.scope ?? []
  const scopePath = scope.length === 0 ? null : scope.join('.')
  const name = subject?.name ?? null
  const described = subject !== undefined && !outermost.includes(subject) ? [subject, ...outermost] : outermost
  return {
    ordinal,
    name,
    names: [...new Set(inside.map((def) => def.name))],
    kind: subject?.kind ?? (parsed ? 'module' : 'other'),
    scopePath,
    startLine: unit.start,
    endLine: unit.end,
    text,
    signature: subject?.signature || null,
    doc: subject?.doc || null,
    embedText: embedTextOf({
      path: input.path,
      language: input.language,
      scopePath,
      name,
      signatures: described.map((def) => def.signature),
      docs: described.map((def) => def.doc).filter((doc) => doc !== ''),
      text,
    }),
    hash: createHash('sha256').update(text).digest('hex'),
  }
}

/** The references of a file with the chunk that makes each, said once per chunk; a chunk's use of its own names is left out. */
export function chunkReferences(outline: FileOutline, chunks: readonly CodeChunk[]): readonly CodeReference[] {
  const found = new Map<string, CodeReference>()
  for (const { kind, name, module, line } of outline.references) {
    const chunk = chunkAt(chunks, line)
    if (chunk === undefined || (kind !== 'imports' && chunk.names.includes(name))) continue
    const key = `${chunk.ordinal}\n${kind}\n${name}\n${module ?? ''}`
    if (!found.has(key)) found.set(key, { ordinal: chunk.ordinal, kind, name, module })
  }
  return [...found.values()]
}

function chunkAt(chunks: readonly CodeChunk[], line: number): CodeChunk | undefined {
  let low = 0
  let high = chunks.length - 1
  while (low < high) {
    const middle = (low + high) >> 1
    if ((chunks[middle]?.endLine ?? 0) < line) low = middle + 1
    else high = middle
  }
  return chunks[low]
}
