import type { Source } from '../../core/facts/source.js'
import type { FileChange } from '../../core/journal/change.js'
import { MemoryError } from '../../errors.js'
import type { Store } from '../../ports/store.js'
import type { Environment } from '../environment.js'
import { toMaskedText } from '../masking.js'
import type { Item } from './items.js'
import type { FileLine } from './lines.js'

const PAGE_SIZE = 50

/** A source and its files, one line each. */
export async function* sourceLines(store: Store, source: Source): AsyncGenerator<string> {
  yield JSON.stringify({ source })
  for (let after = ''; ; ) {
    const files = await store.sourceFiles(source.id, { after, limit: PAGE_SIZE })
    for (const file of files) yield JSON.stringify({ file: toLine(source.id, file) })
    const last = files[files.length - 1]
    if (last === undefined || files.length < PAGE_SIZE) return
    after = last.path
  }
}

const toLine = (source: string, { path, size, modifiedAt, hash, skipped, passages, references }: FileChange): FileLine => ({
  ...{ source, path, size, modifiedAt, hash },
  ...(skipped === undefined ? {} : { skipped }),
  passages: passages.map(({ owner: _, sourceId: __, path: ___, ordinal: ____, terms, rough, ...passage }) => passage),
  references: [...references],
})

/** The only file of a document has no path, and is counted with it. */
const DOCUMENT_PATH = ''

/** True for what a report counts: sources, and files of repositories. */
export const isCounted = (item: Item): boolean => item.kind === 'source' || (item.kind === 'file' && item.file.path !== DOCUMENT_PATH)

/**
 * Stores sources and files; returns the number of new ones. A source whose folder or name is taken is skipped with its files, and so are
 * identical files, so an interrupted import can be repeated.
 */
export async function importSources(env: Environment, items: readonly Item[], actor: string): Promise<number> {
  const { store } = env
  let stored = 0
  for (const item of items) if (item.kind === 'source' && (await putSource(store, item.source, actor))) stored++
  const files = items.flatMap((item) => (item.kind === 'file' ? [item.file] : []))
  for (const id of new Set(files.map((file) => file.source))) {
    const own = files.filter((file) => file.source === id)
    stored += await putFiles(env, id, own, actor)
  }
  return stored
}

async function putSource(store: Store, source: Source, actor: string): Promise<boolean> {
  if ((await store.sources([source.id])).length > 0) return false
  try {
    // Keeps the time of capture.
    await store.commit({ actor, owners: [source.owner] }, () => [{ op: 'source.put', source: { ...source, version: 1 } }])
    return true
  } catch (error) {
    if (error instanceof MemoryError && error.code === 'conflict') return false
    throw error
  }
}

async function putFiles(env: Environment, id: string, lines: readonly FileLine[], actor: string): Promise<number> {
  const { store, code } = env
  const [source] = await store.sources([id])
  if (source === undefined) return 0
  const known = await code.files(id)
  const files = lines.filter((file) => known.get(file.path)?.hash !== file.hash).map((file) => toFile(env, source, file))
  if (files.length === 0) return 0
  // Keeps its times, because an import does not read it again.
  await store.commit({ actor, owners: [source.owner] }, () => [
    { op: 'source.put', source: { ...source, version: source.version + 1 }, files },
  ])
  return files.filter(({ path }) => path !== DOCUMENT_PATH).length
}

const toFile = (env: Environment, source: Source, { source: _, skipped, passages, ...file }: FileLine): FileChange => ({
  ...file,
  gone: false,
  ...(skipped === undefined ? {} : { skipped }),
  passages: passages.map(({ locator, ...passage }, ordinal) => ({
    ...passage,
    text: toMaskedText(env, passage.text),
    embedText: toMaskedText(env, passage.embedText),
    owner: source.owner,
    sourceId: source.id,
    path: file.path,
    ordinal,
    ...(locator === undefined ? {} : { locator }),
  })),
})
