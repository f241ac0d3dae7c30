import { languageOfPath } from '../../../core/code/languages.js'
import { sha256 } from '../../../core/encoding/hash.js'
import type { JsonObject } from '../../../core/encoding/json.js'
import { chunkMarkdown, chunkPlainText, type DocumentChunk } from '../../../core/evidence/chunks.js'
import {
  codeSegmentIds,
  type IndexedFile,
  isDocument,
  isModule,
  mayHoldSection,
  sectionId,
  textOfFile,
} from '../../../core/evidence/repo-files.js'
import { excerptOf, type Segment } from '../../../core/evidence/segments.js'
import type { Passage, Source } from '../../../core/facts/source.js'
import type { FileChange } from '../../../core/journal/change.js'
import type { Environment } from '../../environment.js'

const MAX_PASSAGES = 100_000

/** The files of a repository whose text is in the index, by path. */
export async function indexedFiles(env: Environment, source: Source): Promise<readonly IndexedFile[]> {
  const files = await env.code.files(source.id)
  return [...files]
    .flatMap(([path, { hash, skipped }]) => (skipped === null ? [{ path, hash }] : []))
    .sort((a, b) => (a.path < b.path ? -1 : 1))
}

export const passagesOf = (env: Environment, source: Source, path: string, limit = MAX_PASSAGES): Promise<readonly Passage[]> =>
  env.store.passages(source.id, { path, from: 0, limit })

/** Sections of a repository's document, as indexed. */
export async function sectionsOf(env: Environment, source: Source, path: string): Promise<readonly DocumentChunk[]> {
  const text = textOfFile(await passagesOf(env, source, path))
  return languageOfPath(path) === 'markdown' ? chunkMarkdown(text) : chunkPlainText(text)
}

const sectionSegment = (path: string, chunk: DocumentChunk): Segment => ({
  segmentId: sectionId(path, chunk),
  locator: {
    kind: 'document_section',
    path,
    chunk_kind: chunk.kind,
    line_start: chunk.startLine,
    line_end: chunk.endLine,
    ...(chunk.characters === undefined ? {} : { char_start: chunk.characters.start, char_end: chunk.characters.end }),
    ...(chunk.headingPath.length === 0 ? {} : { heading_path: chunk.headingPath }),
  },
  excerpt: excerptOf(chunk.text),
  hash: sha256(chunk.text),
})

/** Passages read for the beginning of a file. */
const OPENING_PASSAGES = 20

async function codeSegment(env: Environment, source: Source, file: IndexedFile, id: string): Promise<Segment> {
  const passages = await passagesOf(env, source, file.path)
  return {
    segmentId: id,
    locator: { kind: 'code_file', path: file.path, line_start: 1, line_end: passages.at(-1)?.endLine ?? 1 },
    excerpt: excerptOf(textOfFile(passages.slice(0, OPENING_PASSAGES)).trim()),
    hash: file.hash,
  }
}

/** The current segment of a repository with an id; undefined if there is none. */
export async function repoSegment(env: Environment, source: Source, id: string): Promise<Segment | undefined> {
  if (!/^(?:code|doc)-/.test(id)) return undefined
  const files = await indexedFiles(env, source)
  if (id.startsWith('code-')) {
    const ids = codeSegmentIds(files.flatMap(({ path }) => (isDocument(path) ? [] : [path])))
    const file = files.find(({ path }) => ids.get(path) === id)
    return file === undefined ? undefined : codeSegment(env, source, file, id)
  }
  for (const { path } of files.filter((file) => isDocument(file.path) && mayHoldSection(file.path, id))) {
    const found = (await sectionsOf(env, source, path)).find((chunk) => sectionId(path, chunk) === id)
    if (found !== undefined) return sectionSegment(path, found)
  }
  return undefined
}

/** All segments of a repository, file by file. */
export async function* repoSegments(env: Environment, source: Source): AsyncGenerator<Segment> {
  const files = await indexedFiles(env, source)
  const ids = codeSegmentIds(files.flatMap(({ path }) => (isDocument(path) ? [] : [path])))
  for (const file of files) {
    const id = ids.get(file.path)
    if (id !== undefined) yield codeSegment(env, source, file, id)
    else for (const chunk of await sectionsOf(env, source, file.path)) yield sectionSegment(file.path, chunk)
  }
}

/** The contents of a repository as lists, each with a limited number of entries. */
interface RepoMap {
  readonly codeIndex: readonly JsonObject[]
  readonly codeModules: readonly JsonObject[]
  readonly docIndex: readonly JsonObject[]
  readonly documentSections: readonly JsonObject[]
  readonly totals: { readonly codeFiles: number; readonly modules: number; readonly documents: number }
}

export async function repoMap(env: Environment, source: Source, limit: number): Promise<RepoMap> {
  const files = await indexedFiles(env, source)
  const code = files.filter(({ path }) => !isDocument(path))
  const modules = code.filter(({ path }) => isModule(path))
  const documents = files.filter(({ path }) => isDocument(path))
  const sections: JsonObject[] = []
  for (const { path } of documents) {
    if (sections.length >= limit) break
    for (const chunk of await sectionsOf(env, source, path)) if (chunk.kind === 'section') sections.push(sectionRow(path, chunk))
  }
  return {
    codeIndex: await Promise.all(code.slice(0, limit).map((file) => fileRow(env, source, file, 'language'))),
    codeModules: await Promise.all(modules.slice(0, limit).map((file) => moduleRow(env, source, file.path))),
    docIndex: await Promise.all(documents.slice(0, limit).map((file) => fileRow(env, source, file, 'content_type'))),
    documentSections: sections.slice(0, limit),
    totals: { codeFiles: code.length, modules: modules.length, documents: documents.length },
  }
}

async function fileRow(
  env: Environment,
  source: Source,
  { path, hash }: IndexedFile,
  field: 'language' | 'content_type',
): Promise<JsonObject> {
  const passages = await passagesOf(env, source, path)
  const language = passages[0]?.language ?? languageOfPath(path) ?? 'text'
  return { path, [field]: language, line_count: passages.at(-1)?.endLine ?? 0, sha256: hash }
}

const sectionRow = (path: string, chunk: DocumentChunk): JsonObject => ({
  path,
  heading: chunk.title,
  level: chunk.level,
  line_start: chunk.startLine,
  line_end: chunk.endLine,
  excerpt: chunk.text.slice(0, SHORT_EXCERPT),
  heading_path: chunk.headingPath,
  chunk_kind: chunk.kind,
  segment_id: sectionId(path, chunk),
})

const SHORT_EXCERPT = 360

/** Imports and definitions of a module, from the index. */
async function moduleRow(env: Environment, source: Source, path: string): Promise<JsonObject> {
  const files = await env.store.sourceFiles(source.id, { after: before(path), limit: 2 })
  const file = files.find((changed) => changed.path === path)
  const passages = file?.passages ?? []
  const references = file?.references ?? []
  const ofKinds = (...kinds: readonly string[]): readonly string[] =>
    unique(passages.flatMap(({ kind, name }) => (name !== null && kinds.includes(kind) ? [name] : [])))
  return {
    path,
    language: passages[0]?.language ?? '',
    line_start: 1,
    line_end: passages.at(-1)?.endLine ?? 1,
    imports: unique(references.flatMap(({ kind, module, name }) => (kind === 'imports' ? [module ?? name] : []))),
    classes: ofKinds('class', 'struct', 'impl'),
    functions: ofKinds('function'),
    symbols: symbolsOf(passages, references),
  }
}

/** Definitions with their lines; a method is qualified by its class. A definition in several chunks is one symbol. */
function symbolsOf(passages: readonly Passage[], references: FileChange['references'] = []): readonly JsonObject[] {
  const symbols = new Map<string, { name: string; kind: string; line_start: number; line_end: number }>()
  for (const { ordinal, kind: what, name: own } of references) {
    const passage = what === 'defines' ? passages.find((candidate) => candidate.ordinal === ordinal) : undefined
    if (passage === undefined) continue
    const isChunk = passage.name === own
    const scopes = [passage.scopePath ?? '', isChunk ? '' : (passage.name ?? '')].filter((scope) => scope !== '')
    const name = [...scopes, own].join('.')
    const kind = isChunk ? passage.kind : scopes.length > 0 ? 'method' : 'function'
    const offset = isChunk
      ? 0
      : Math.max(
          0,
          passage.text.split('\n').findIndex((line) => line.includes(own)),
        )
    const start = passage.startLine + offset
    const known = symbols.get(name)
    if (known === undefined) symbols.set(name, { name, kind, line_start: start, line_end: isChunk ? passage.endLine : start })
    else known.line_end = Math.max(known.line_end, isChunk ? passage.endLine : start)
  }
  return [...symbols.values()]
}

const unique = (names: readonly string[]): readonly string[] => [...new Set(names)]

/** The greatest path before this one. */
const before = (path: string): string => {
  const last = path.charCodeAt(path.length - 1)
  return last === 0 ? path.slice(0, -1) : `${path.slice(0, -1)}${String.fromCharCode(last - 1)}\uFFFF`
}
