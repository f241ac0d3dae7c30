import { isUtf8 } from 'node:buffer'
import { randomUUID } from 'node:crypto'
import { readFileSync, renameSync, rmSync } from 'node:fs'
import { lstat, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { sha256 } from '../core/encoding/hash.js'
import type { FolderPage } from '../core/transfer/folder-pages.js'
import { parsePage } from '../core/transfer/markdown-page.js'
import { MemoryError } from '../errors.js'
import type { FolderSnapshot, MarkdownFile, MarkdownFolder, WrittenFolder } from '../ports/markdown-folder.js'
import { splitFrontMatter } from './front-matter.js'
import { textOf } from './values.js'

/** The first line of front matter that only an export writes. */
const OWN_PAGE = '---\nmneme: 1\n'
const MAX_PAGE_BYTES = 64 * 1024 * 1024
/** Pages whose headings, relations or front matter were edited, as they were before they were rewritten. */
const EDITS_FOLDER = '.mneme-edits'

export function openMarkdownFolder(path: string): MarkdownFolder {
  return { path, fingerprint: () => fingerprint(path), read: () => readSnapshot(path), write: (...args) => writePages(path, ...args) }
}

interface PageFile {
  readonly path: string
  readonly size: number
  readonly stamp: string
}

/** Markdown files one level below the folder. Links are not followed. */
async function pageFiles(root: string): Promise<readonly PageFile[]> {
  const files: PageFile[] = []
  const owners = await readdir(root, { withFileTypes: true }).catch(() => [])
  for (const owner of owners.filter((entry) => entry.isDirectory() && !entry.name.startsWith('.')).sort(byName))
    for (const entry of (await readdir(join(root, owner.name), { withFileTypes: true }).catch(() => [])).sort(byName)) {
      if (!entry.isFile() || !entry.name.endsWith('.md')) continue
      const stats = await lstat(join(root, owner.name, entry.name), { bigint: true }).catch(() => undefined)
      if (stats?.isFile() === true)
        files.push({
          path: `${owner.name}/${entry.name}`,
          size: Number(stats.size),
          stamp: `${stats.ino} ${stats.size} ${stats.mtimeNs} ${stats.ctimeNs}`,
        })
    }
  return files
}

const byName = (a: { readonly name: string }, b: { readonly name: string }): number => (a.name < b.name ? -1 : 1)

const fingerprint = async (root: string): Promise<string> =>
  sha256((await pageFiles(root)).map(({ path, stamp }) => `${path}\0${stamp}`).join('\n'))

async function readSnapshot(root: string): Promise<FolderSnapshot> {
  const pages: FolderPage[] = []
  const hashes = new Map<string, string>()
  const unread: string[] = []
  for (const { path, size } of await pageFiles(root)) {
    const bytes = size > MAX_PAGE_BYTES ? undefined : await readFile(join(root, path)).catch(() => undefined)
    // What is no UTF-8 would be read as other text and written back as such.
    const text = bytes === undefined || !isUtf8(bytes) ? undefined : bytes.toString()
    const page = text === undefined ? undefined : toPage(path, text)
    if (text === undefined || page === undefined) {
      unread.push(path)
      continue
    }
    hashes.set(path, sha256(text))
    pages.push(page)
  }
  return { pages, hashes, unread }
}

function toPage(path: string, text: string): FolderPage | undefined {
  const { matter } = splitFrontMatter(text.replace(/^\uFEFF/u, '').replaceAll('\r\n', '\n'))
  const owner = textOf(matter.owner)
  if (matter.mneme !== 1 || owner === undefined) return undefined
  const content = parsePage(text)
  const subject = content.records.flatMap((record) =>
    'entity' in record && typeof record.entity.name === 'string' ? [record.entity.name] : [],
  )[0]
  return { path, owner, subject, content }
}

async function writePages(
  root: string,
  files: AsyncIterable<MarkdownFile>,
  signal: AbortSignal,
  since?: FolderSnapshot,
): Promise<WrittenFolder> {
  const paths = new Set<string>()
  const edited = new Set((since?.pages ?? []).filter(({ content }) => content.restEdited).map(({ path }) => path))
  let written = 0
  let left = 0
  try {
    for await (const { path, text } of files) {
      signal.throwIfAborted()
      paths.add(path)
      const target = join(root, path)
      await checkNoLink(dirname(target))
      const known = await readFile(target, 'utf8').catch(() => undefined)
      if (known === text && !(await isLink(target))) continue
      await mkdir(dirname(target), { recursive: true })
      if (edited.has(path) && known !== undefined) await keepEdited(root, path, known)
      if (await replacePage(target, text, since === undefined ? undefined : (since.hashes.get(path) ?? null))) written++
      else left++
    }
    return { files: paths.size, written, left, removed: await removeOldPages(root, paths, since) }
  } catch (failure) {
    if (failure instanceof MemoryError || signal.aborted) throw failure
    throw new MemoryError('storage', `Cannot write to ${root}: ${failure instanceof Error ? failure.message : String(failure)}`, {
      hint: 'Check the folder and its free space.',
      cause: failure,
    })
  }
}

/**
 * Puts a page in place as a whole, so that no reader meets half of it. The temporary file has a name that no one can have
 * prepared. With a hash, or null for a page that was not there, a page that differs from it is left alone.
 */
async function replacePage(target: string, text: string, expected: string | null | undefined): Promise<boolean> {
  const partial = `${target}.${randomUUID()}.partial`
  try {
    const known = await lstat(target).catch(() => undefined)
    await writeFile(partial, text, { flag: 'wx', mode: known?.isFile() === true ? known.mode & 0o777 : 0o600 })
    if (expected === undefined) {
      await rename(partial, target)
      return true
    }
    // Nothing comes between comparison and replacement in this process.
    if (hashOfFile(target) !== expected) {
      rmSync(partial, { force: true })
      return false
    }
    renameSync(partial, target)
    return true
  } catch (failure) {
    await rm(partial, { force: true })
    throw failure
  }
}

function hashOfFile(path: string): string | null {
  try {
    return sha256(readFileSync(path, 'utf8'))
  } catch {
    return null
  }
}

async function keepEdited(root: string, path: string, text: string): Promise<void> {
  const folder = join(root, EDITS_FOLDER, dirname(path))
  await checkNoLink(join(root, EDITS_FOLDER))
  await checkNoLink(folder)
  await mkdir(folder, { recursive: true })
  const name = `${basename(path, '.md')}-${sha256(text).slice(0, 8)}.md`
  await writeFile(join(folder, name), text, { flag: 'wx', mode: 0o600 }).catch((failure: NodeJS.ErrnoException) => {
    if (failure.code !== 'EEXIST') throw failure
  })
}

const isLink = async (path: string): Promise<boolean> => (await lstat(path).catch(() => undefined))?.isSymbolicLink() === true

async function checkNoLink(folder: string): Promise<void> {
  if (await isLink(folder))
    throw new MemoryError('storage', `${folder} is a link; pages are written to folders only.`, {
      hint: 'Remove the link, or choose another folder.',
    })
}

async function removeOldPages(root: string, kept: ReadonlySet<string>, since: FolderSnapshot | undefined): Promise<number> {
  const owners = new Set([...kept].map((path) => dirname(path)))
  let removed = 0
  for (const owner of owners)
    for (const name of await readdir(join(root, owner))) {
      const path = `${owner}/${name}`
      if (kept.has(path) || !name.endsWith('.md') || (await isLink(join(root, path)))) continue
      const text = await readFile(join(root, path), 'utf8').catch(() => '')
      if (!text.startsWith(OWN_PAGE) || (since !== undefined && since.hashes.get(path) !== sha256(text))) continue
      if (since?.pages.some((page) => page.path === path && page.content.restEdited) === true) await keepEdited(root, path, text)
      await rm(join(root, path))
      removed++
    }
  return removed
}
