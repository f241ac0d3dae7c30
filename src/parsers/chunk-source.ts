import { chunkFile } from '../core/code-chunks.js'
import { type FileOutline, NO_OUTLINE } from '../core/code-outline.js'
import { chunkReferences } from '../core/code-uses.js'
import { passageTerms } from '../core/passage-terms.js'
import type { ParsedFile, SourceText } from '../ports/code-parser.js'
import type { Outliner } from './tree-sitter.js'

export function chunkOutlined(file: SourceText, outline: FileOutline): ParsedFile {
  const chunks = chunkFile({ ...file, outline })
  const worded = chunks.map((chunk) => ({ ...chunk, terms: passageTerms({ ...chunk, path: file.path }) }))
  return { path: file.path, parsed: outline.parsed, chunks: worded, references: chunkReferences(file, outline, chunks) }
}

export const chunkByLines = (file: SourceText): ParsedFile => chunkOutlined(file, NO_OUTLINE)

/** A grammar that trips over one file must not cost the others: whatever is thrown, the file is cut by lines. */
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
