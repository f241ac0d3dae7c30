import { type Documents, type MemoryClient, openDocuments, type StoredDocument } from 'mneme/client'
import { checkPath, ROOT } from './paths.js'

export interface HandlerOptions {
  /** Owner of the files; the owner of the client by default, otherwise `claude`. */
  readonly owner?: string
}

type Command = Readonly<Record<string, unknown>>

const MAX_LINES = 999_999
const MAX_CHARS = 90_000
/** As in the reference implementation of the SDK. */
const SNIPPET_CONTEXT_LINES = 2

/** Files below /memories as documents of a memory, with recall, history and undo. */
export function createHandlers(memory: MemoryClient, { owner = memory.owner ?? 'claude' }: HandlerOptions = {}) {
  const files = openDocuments(memory, { owner })
  // Each command reads what the previous one wrote.
  let last: Promise<unknown> = Promise.resolve()
  const inTurn =
    (work: (command: Command) => Promise<string>) =>
    (command: Command): Promise<string> => {
      const next = last.catch(() => undefined).then(() => work(command))
      last = next
      return next
    }
  return {
    view: inTurn(({ path, view_range }) => view(files, checkPath(path), view_range)),
    create: inTurn(({ path, file_text }) => create(files, checkPath(path), text(file_text, 'file_text'))),
    str_replace: inTurn(({ path, old_str, new_str }) =>
      replace(files, checkPath(path), text(old_str, 'old_str'), text(new_str ?? '', 'new_str')),
    ),
    insert: inTurn(({ path, insert_line, insert_text }) => insert(files, checkPath(path), insert_line, text(insert_text, 'insert_text'))),
    delete: inTurn(({ path }) => remove(files, checkPath(path))),
    rename: inTurn(({ old_path, new_path }) => rename(files, checkPath(old_path), checkPath(new_path))),
  }
}

function text(value: unknown, name: string): string {
  if (typeof value === 'string') return value
  throw new Error(`${name} must be text.`)
}

const missing = (path: string): Error => new Error(`The path ${path} does not exist. Please provide a valid path.`)
const absent = (path: string): Error => new Error(`The path ${path} does not exist`)
const contentOf = ({ value }: StoredDocument): string => (typeof value === 'string' ? value : '')

async function read(files: Documents, path: string): Promise<string> {
  const found = path === ROOT ? undefined : await files.get(path)
  if (found !== undefined) return contentOf(found)
  throw path === ROOT || (await below(files, path)).length > 0 ? new Error(`The path ${path} is not a file.`) : missing(path)
}

async function write(files: Documents, path: string, content: string): Promise<void> {
  if (content.length > MAX_CHARS) throw new Error(`File ${path} would be larger than ${MAX_CHARS} characters. Split it.`)
  await files.put(path, content, content)
}

async function below(files: Documents, folder: string): Promise<readonly StoredDocument[]> {
  const found: StoredDocument[] = []
  for await (const one of files.list()) if (one.key.startsWith(`${folder}/`)) found.push(one)
  return found.toSorted((a, b) => (a.key < b.key ? -1 : 1))
}

const sizeOf = (bytes: number): string => (bytes < 1024 ? `${bytes}B` : `${(bytes / 1024).toFixed(1)}K`)

const numbered = (lines: readonly string[], first: number): string =>
  lines.map((line, index) => `${String(first + index).padStart(6)}\t${line}`).join('\n')

async function view(files: Documents, path: string, range: unknown): Promise<string> {
  const file = path === ROOT ? undefined : await files.get(path)
  if (file !== undefined) return viewFile(path, contentOf(file).split('\n'), range)
  const inside = await below(files, path)
  if (inside.length === 0 && path !== ROOT) throw missing(path)
  const entries = new Map<string, number>([[path, 0]])
  for (const one of inside) {
    const parts = one.key.slice(path.length + 1).split('/')
    if (parts.some((part) => part.startsWith('.') || part === 'node_modules')) continue
    const bytes = new TextEncoder().encode(contentOf(one)).length
    for (let depth = 0; depth <= Math.min(parts.length, 2); depth++) {
      const at = [path, ...parts.slice(0, depth)].join('/')
      const name = depth > 0 && depth < parts.length ? `${at}/` : at
      entries.set(name, (entries.get(name) ?? 0) + bytes)
    }
  }
  const lines = [...entries].map(([at, bytes]) => `${sizeOf(bytes)}\t${at}`)
  return [`Here're the files and directories up to 2 levels deep in ${path}, excluding hidden items and node_modules:`, ...lines].join('\n')
}

function viewFile(path: string, lines: readonly string[], range: unknown): string {
  if (lines.length > MAX_LINES) throw new Error(`File ${path} exceeds maximum line limit of ${MAX_LINES} lines.`)
  const [first = 1, to = -1]: unknown[] = Array.isArray(range) ? range : []
  const from = typeof first === 'number' ? Math.max(1, first) : first
  if (typeof from !== 'number' || typeof to !== 'number' || (to !== -1 && to < from))
    throw new Error(`Invalid view_range: ${JSON.stringify(range)}`)
  const shown = lines.slice(from - 1, to === -1 ? undefined : to)
  return `Here's the content of ${path} with line numbers:\n${numbered(shown, from)}`
}

async function create(files: Documents, path: string, content: string): Promise<string> {
  if (path === ROOT || (await files.get(path)) !== undefined || (await below(files, path)).length > 0)
    throw new Error(`File ${path} already exists`)
  await checkParents(files, path)
  await write(files, path, content)
  return `File created successfully at: ${path}`
}

async function checkParents(files: Documents, path: string): Promise<void> {
  const parts = path.split('/')
  for (let end = 3; end < parts.length; end++) {
    const parent = parts.slice(0, end).join('/')
    if ((await files.get(parent)) !== undefined) throw new Error(`The path ${parent} is a file, not a directory.`)
  }
}

async function replace(files: Documents, path: string, before: string, after: string): Promise<string> {
  const content = await read(files, path)
  const parts = content.split(before)
  if (before === '' || parts.length === 1)
    throw new Error(`No replacement was performed, old_str \`${before}\` did not appear verbatim in ${path}.`)
  if (parts.length > 2) {
    let at = 0
    const lines = parts.slice(0, -1).map((part) => {
      at += part.length
      const line = content.slice(0, at).split('\n').length
      at += before.length
      return line
    })
    throw new Error(
      `No replacement was performed. Multiple occurrences of old_str \`${before}\` in lines: ${[...new Set(lines)].join(', ')}. Please ensure it is unique`,
    )
  }
  const changed = parts.join(after)
  await write(files, path, changed)
  const line = (parts[0] ?? '').split('\n').length
  const first = Math.max(1, line - SNIPPET_CONTEXT_LINES)
  const shown = changed.split('\n').slice(first - 1, line + SNIPPET_CONTEXT_LINES)
  return `The memory file has been edited. Here is the snippet showing the change (with line numbers):\n${numbered(shown, first)}`
}

async function insert(files: Documents, path: string, at: unknown, added: string): Promise<string> {
  const lines = (await read(files, path)).split('\n')
  if (typeof at !== 'number' || !Number.isInteger(at) || at < 0 || at > lines.length)
    throw new Error(
      `Invalid \`insert_line\` parameter: ${String(at)}. It should be within the range of lines of the file: [0, ${lines.length}]`,
    )
  await write(files, path, [...lines.slice(0, at), added.replace(/\n$/u, ''), ...lines.slice(at)].join('\n'))
  return `The file ${path} has been edited.`
}

async function remove(files: Documents, path: string): Promise<string> {
  if (path === ROOT) throw new Error(`Cannot delete the ${ROOT} directory itself`)
  const keys = (await files.get(path)) === undefined ? (await below(files, path)).map(({ key }) => key) : [path]
  if (keys.length === 0) throw absent(path)
  for (const key of keys) await files.delete(key)
  return `Successfully deleted ${path}`
}

async function rename(files: Documents, from: string, to: string): Promise<string> {
  if (from === ROOT || to === ROOT) throw new Error(`Cannot rename the ${ROOT} directory itself`)
  if (to.startsWith(`${from}/`)) throw new Error(`Cannot move ${from} into itself`)
  const file = await files.get(from)
  const moved = file === undefined ? await below(files, from) : [file]
  if (moved.length === 0) throw absent(from)
  if ((await files.get(to)) !== undefined || (await below(files, to)).length > 0) throw new Error(`The destination ${to} already exists`)
  await checkParents(files, to)
  for (const one of moved) {
    await write(files, `${to}${one.key.slice(from.length)}`, contentOf(one))
    await files.delete(one.key)
  }
  return `Successfully renamed ${from} to ${to}`
}
