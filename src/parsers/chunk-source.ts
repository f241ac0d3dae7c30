import { type CodeChunk, chunkFile, DEFAULT_CHUNK_LIMITS } from '../core/code/chunks/chunks.js'
import { type FileOutline, NO_OUTLINE } from '../core/code/chunks/outline.js'
import { passageTerms } from '../core/code/chunks/passage-terms.js'
import { chunkReferences } from '../core/code/chunks/uses.js'
import type { ParsedFile, SourceText } from '../ports/code-parser.js'
import type { Outliner } from './tree-sitter.js'

/** More chunks indicate data or generated code; all rows of a file are written at once. */
const MAX_CHUNKS = 1_000

/** Cuts a file with too many chunks into as many line ranges. */
function boundedChunks(file: SourceText, outline: FileOutline): { readonly outline: FileOutline; readonly chunks: readonly CodeChunk[] } {
  const chunks = chunkFile({ ...file, outline })
  if (chunks.length <= MAX_CHUNKS) return { outline, chunks }
  const windowLines = Math.ceil((chunks.at(-1)?.endLine ?? 0) / MAX_CHUNKS)
  const limits = { ...DEFAULT_CHUNK_LIMITS, windowLines: Math.max(windowLines, DEFAULT_CHUNK_LIMITS.windowLines), windowOverlap: 0 }
  return { outline: NO_OUTLINE, chunks: chunkFile({ ...file, outline: NO_OUTLINE }, limits).slice(0, MAX_CHUNKS) }
}

function chunkOutlined(file: SourceText, input: FileOutline): ParsedFile {
  const { outline, chunks: all } = boundedChunks(file, input)
  // Blank ranges are skipped; a file may consist of them.
  const chunks = all.filter((chunk) => chunk.text.trim() !== '')
  const worded = chunks.map((chunk) => ({ ...chunk, terms: passageTerms({ ...chunk, path: file.path }) }))
  return { path: file.path, parsed: outline.parsed, chunks: worded, references: chunkReferences(file, outline, chunks) }
}

export const chunkByLines = (file: SourceText): ParsedFile => chunkOutlined(file, NO_OUTLINE)

/** A failing grammar affects one file only: that file is cut into lines. */
export async function chunkSource(outliner: Outliner, file: SourceText): Promise<ParsedFile> {
  let outline: FileOutline
  try {
    outline = await outliner.outline(file.language, file.text)
  } catch (failure) {
    if (!(failure instanceof Error)) throw failure
    outline = NO_OUTLINE
  }
  return chunkOutlined(file, outline)
}
