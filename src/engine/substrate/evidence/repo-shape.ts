import { languageOfPath } from '../../../core/code/languages.js'
import type { JsonObject } from '../../../core/encoding/json.js'
import { isDocument, isModule } from '../../../core/evidence/repo-files.js'
import type { Source } from '../../../core/facts/source.js'
import type { StoredFile } from '../../../ports/code-index.js'
import type { FoundFolder } from '../../../ports/document-reader.js'
import type { CapturedNode } from './captured-node.js'

/** The structure of a repository. */
export interface RepoShape {
  readonly repoName: string
  readonly fileCount: number
  readonly sourceRoots: readonly string[]
  /** Root entries with captured content. */
  readonly topLevel: readonly { readonly name: string; readonly isDirectory: boolean }[]
  readonly modules: readonly string[]
  readonly summary: string
  /** As stored in the source. */
  readonly payload: JsonObject
}

export function shapeOf({ entries }: FoundFolder, files: ReadonlyMap<string, StoredFile>, source: Source): RepoShape {
  const paths = [...files].flatMap(([path, { skipped }]) => (skipped === null ? [path] : [])).sort()
  const folders = new Set(paths.flatMap(foldersOf))
  const heads = new Set(paths.map((path) => path.split('/', 1)[0] ?? ''))
  const topLevel = entries.filter(({ name }) => heads.has(name))
  const code = paths.filter((path) => !isDocument(path))
  const languages = new Map<string, number>()
  for (const path of paths) {
    const language = languageOfPath(path) ?? 'text'
    languages.set(language, (languages.get(language) ?? 0) + 1)
  }
  const modules = paths.filter(isModule)
  const sourceRoots = [...new Set(modules.filter((path) => path.includes('/')).map((path) => path.split('/', 1)[0] ?? ''))].sort()
  return {
    repoName: source.title,
    fileCount: paths.length,
    sourceRoots,
    topLevel,
    modules,
    summary: `A repository of ${paths.length} files: ${code.length} of code, ${paths.length - code.length} documents.`,
    payload: {
      repo_name: source.title,
      file_count: paths.length,
      dir_count: folders.size,
      top_level_entries: topLevel.map(({ name }) => name),
      language_counts: Object.fromEntries([...languages].sort(([a], [b]) => (a < b ? -1 : 1))),
      readme_present: paths.some((path) => /^readme(?:\.[^/]*)?$/i.test(path)),
      source_roots: sourceRoots,
      code_files: code.length,
      document_files: paths.length - code.length,
      parser_backend: 'tree-sitter',
    },
  }
}

function foldersOf(path: string): readonly string[] {
  const folders: string[] = []
  for (let at = path.lastIndexOf('/'); at > 0; at = path.lastIndexOf('/', at - 1)) folders.push(path.slice(0, at))
  return folders
}

/** The repository node and the nodes of its root entries. */
export function placeNodes(owner: string, { path: root }: FoundFolder, shape: RepoShape, source: Source): readonly CapturedNode[] {
  const common = { owner, sourceId: source.id }
  return [
    { ...common, kind: 'repo', name: shape.repoName, summary: shape.summary, identity: `node|repo|${root}`, more: { path: root } },
    ...shape.topLevel.map(({ name, isDirectory }) => ({
      ...common,
      kind: isDirectory ? 'directory' : 'file',
      name,
      summary: `${isDirectory ? 'Folder' : 'File'} ${name} of ${shape.repoName}`,
      identity: `node|repo_entry|${root}|${name}`,
      more: { path: name },
    })),
  ]
}

/** The path of a module without its extension, with dots: `a/b.ts` is `a.b`. */
const dottedName = (path: string): string => path.replace(/\.[^./]*$/u, '').replaceAll('/', '.')

export const moduleNodes = (owner: string, { path: root }: FoundFolder, shape: RepoShape, source: Source): readonly CapturedNode[] =>
  shape.modules.map((path) => ({
    ...{ owner, sourceId: source.id, kind: 'module', name: path },
    summary: `${languageOfPath(path) ?? ''} module of ${shape.repoName}`,
    identity: `node|module|${root}|${path}`,
    aliases: [dottedName(path)].filter((name) => name !== path),
    more: { path },
  }))
