import { createHash } from 'node:crypto'
import { embedTextOf } from './embed-text.js'
import { type LayoutUnit, layOut, windowsOf } from './layout.js'
import { memberScope } from './links.js'
import type { ChunkKind, FileOutline } from './outline.js'

/** A span of a source file. The chunks of a file cover every line of it. */
export interface CodeChunk {
  readonly ordinal: number
  readonly name: string | null
  /** Names of the top-level definitions that start in this chunk, for resolving references. */
  readonly names: readonly string[]
  /** Names of the nested definitions, with their scope as `memberScope` writes it. */
  readonly members: readonly { readonly name: string; readonly scope: string }[]
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

interface ChunkInput {
  readonly path: string
  readonly language: string
  readonly text: string
  readonly outline: FileOutline
}

interface ChunkLimits {
  /** A definition or run of siblings up to this stays in one chunk. */
  readonly maxLines: number
  readonly maxChars: number
  /** A class, module or section up to this size is not split. */
  readonly wholeLines: number
  /** Runs of plain lines shorter than this are merged. */
  readonly smallLines: number
  /** Constants and type aliases up to this size are merged with their neighbours. */
  readonly tinyLines: number
  readonly mergedLines: number
  readonly overlapLines: number
  /** Windows for files without structure. */
  readonly windowLines: number
  readonly windowOverlap: number
  readonly windowChars: number
}

export const DEFAULT_CHUNK_LIMITS: ChunkLimits = {
  maxLines: 60,
  maxChars: 2_000,
  wholeLines: 30,
  smallLines: 8,
  tinyLines: 2,
  mergedLines: 40,
  overlapLines: 3,
  windowLines: 100,
  windowOverlap: 10,
  windowChars: 6_000,
}

/** Languages in which a short section or rule carries little meaning alone, so more of them are merged. */
const SHEETS: ReadonlySet<string> = new Set(['markdown', 'css'])

/** Offsets of line starts, followed by the end of the text. A final line feed starts no line. */
export function lineStarts(text: string): readonly number[] {
  const starts = [0]
  for (let offset = text.indexOf('\n'); offset >= 0; offset = text.indexOf('\n', offset + 1)) starts.push(offset + 1)
  if (starts.at(-1) !== text.length) starts.push(text.length)
  return starts
}

export function chunkFile(input: ChunkInput, limits: ChunkLimits = DEFAULT_CHUNK_LIMITS): readonly CodeChunk[] {
  const starts = lineStarts(input.text)
  const lineCount = starts.length - 1
  if (lineCount === 0) return []
  const { definitions } = input.outline
  const tinyLines = SHEETS.has(input.language) ? limits.smallLines - 1 : limits.tinyLines
  const units = input.outline.parsed
    ? layOut(input.text, starts, definitions, { ...limits, tinyLines })
    : windowsOf({ start: 1, end: lineCount, owner: -1, defs: [] }, starts, {
        lines: limits.windowLines,
        chars: limits.windowChars,
        overlap: limits.windowOverlap,
      })
  return units.map((unit, ordinal) => toChunk(input, starts, unit, ordinal))
}

function toChunk(input: ChunkInput, starts: readonly number[], unit: LayoutUnit, ordinal: number): CodeChunk {
  const { definitions, parsed } = input.outline
  const text = input.text.slice(starts[unit.start - 1], starts[unit.end])
  const inside = unit.defs.flatMap((index) => definitions[index] ?? [])
  const contained = new Set(unit.defs)
  const outermost = inside.filter((def) => !contained.has(def.parent))
  // Several siblings are named after their enclosing definition, a single definition after itself.
  const subject = outermost.length === 1 ? outermost[0] : definitions[unit.owner]
  const scope = subject?.scope ?? []
  const scopePath = scope.length === 0 ? null : scope.join('.')
  const name = subject?.name ?? null
  const described = subject !== undefined && !outermost.includes(subject) ? [subject, ...outermost] : outermost
  return {
    ordinal,
    name,
    names: [...new Set(inside.filter((def) => def.scope.length === 0).map((def) => def.name))],
    members: inside
      .filter((def) => def.scope.length > 0)
      .map((def) => ({ name: def.name, scope: memberScope(def, definitions[def.parent]) })),
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
