import { isJsonObject, type Json } from '../core/encoding/json.js'
import { MemoryError } from '../errors.js'
import type { Client, Edit, Format, Server } from './client.js'
import { openConfigFile, replaceBytes } from './config-file.js'
import { diffOf } from './diff.js'
import type { Disk } from './disk.js'
import { ConfigProblem } from './edit/config-text.js'
import { dropEntries, putEntries, readEntry } from './edit/edit-config.js'
import { ENTRY } from './entry-name.js'
import { digestOf, type InstallReceipt, type Receipts } from './receipts.js'

/** One file and its intended entries. */
export interface Target {
  readonly client: Client
  readonly file: string
  readonly format: Format
  readonly edits: readonly Edit[]
  /** The project folder that must contain the file. */
  readonly root?: string | undefined
  /** The complete content of a file that belongs to mneme only. */
  readonly own?: string
}

export interface Workplace {
  readonly disk: Disk
  readonly receipts: Receipts
  readonly user: number | undefined
  /** Identifies an entry of this program without a receipt. */
  readonly program: string
}

export interface Outcome {
  readonly client: string
  readonly file: string
  readonly action: 'installed' | 'updated' | 'unchanged' | 'removed' | 'restored' | 'not there' | 'refused'
  readonly diff?: readonly string[]
  readonly backup?: string
  readonly problem?: string
  readonly hint?: string
}

/** Adds the entries. Without `write` it only reports the change. */
export async function installTarget(
  place: Workplace,
  target: Target,
  options: { readonly write: boolean; readonly replace: boolean },
): Promise<Outcome> {
  return refusable(target, async () => {
    const { disk, receipts, user } = place
    const { client, file, format, edits } = target
    const opened = openConfigFile(disk, file, user, target.root)
    const text = textOf(opened.bytes)
    const receipt = receipts.of(file)
    if (!options.replace) for (const edit of edits) checkOwn(place, target, edit, text, receipt)
    const before = beforeOf(place, receipt, opened.bytes)
    const base = before === undefined ? text : textOf(before)
    if (target.own !== undefined && !options.replace) checkOwnFile(file, text, receipt)
    const put = target.own === undefined ? putEntries(format, base, edits) : { text: target.own, made: [] }
    if (put.text === text) return { client: client.name, file, action: 'unchanged' }
    const isThere = target.own === undefined ? edits.some((edit) => readEntry(format, text, edit) !== undefined) : opened.bytes !== null
    const action = isThere ? 'updated' : 'installed'
    const diff = diffOf(text, put.text)
    if (!options.write) return { client: client.name, file, action, diff }
    const bytes = Buffer.from(put.text)
    const knownBefore = before ?? (receipt === undefined || action === 'installed' ? opened.bytes : undefined)
    const kept = knownBefore === null || knownBefore === undefined ? knownBefore : receipts.keep(file, knownBefore)
    const made = before === undefined && receipt !== undefined ? [...receipt.made, ...put.made] : put.made
    const folders = [...(receipt?.folders ?? []), ...opened.missingFolders]
    receipts.write({
      client: client.name,
      file,
      after: digestOf(bytes),
      ...(kept === undefined ? {} : { before: kept === null ? null : { ...kept } }),
      made: made.map((path) => [...path]),
      folders: [...new Set(folders)],
    })
    await replaceBytes(disk, opened, bytes)
    return { client: client.name, file, action, diff, ...(kept ? { backup: kept.copy } : {}) }
  })
}

/** Removes the entries: restores the previous bytes if the file is unchanged since, otherwise removes only mneme's own. */
export async function uninstallTarget(place: Workplace, target: Target, options: { readonly write: boolean }): Promise<Outcome> {
  return refusable(target, async () => {
    const { disk, receipts, user } = place
    const { client, file, format, edits } = target
    const receipt = receipts.of(file)
    const gone = (): Outcome => {
      if (options.write && receipt !== undefined) receipts.forget(file)
      return { client: client.name, file, action: 'not there' }
    }
    // Skips files without an entry of this program, which may be invalid.
    if (!disk.has(file) || (receipt === undefined && isForeign(disk, file))) return gone()
    const opened = openConfigFile(disk, file, user, target.root)
    const text = textOf(opened.bytes)
    const present = edits.filter((edit) => edit.onlyIfMissing !== true && readEntry(format, text, edit) !== undefined)
    const isOwn = target.own !== undefined && (receipt !== undefined || isWritten(text))
    if (present.length === 0 && !isOwn) return gone()
    for (const edit of present) checkOwn(place, target, edit, text, receipt)
    const before = beforeOf(place, receipt, opened.bytes)
    const left = before === undefined ? dropEntries(format, text, present, receipt?.made ?? []) : textOf(before)
    // A file created by this program is deleted if it is empty without its entries.
    const vanishes = (isOwn && !before) || before === null || (receipt?.before === null && /^\uFEFF?\s*(?:\{\s*\})?\s*$/.test(left))
    const action = before === undefined ? 'removed' : 'restored'
    const diff = diffOf(text, vanishes ? '' : left)
    if (!options.write) return { client: client.name, file, action, diff }
    if (vanishes) {
      disk.remove(opened.real)
      for (const folder of [...(receipt?.folders ?? [])].reverse()) if (disk.has(folder)) disk.removeFolder(folder)
    } else await replaceBytes(disk, opened, before ?? Buffer.from(left))
    receipts.forget(file)
    return { client: client.name, file, action, diff }
  })
}

function isForeign(disk: Disk, file: string): boolean {
  try {
    return !disk.read(file).includes(ENTRY)
  } catch {
    return false
  }
}

/** True if the text looks like a file of this program. */
const isWritten = (text: string): boolean => /\bmneme\b/.test(text) && /\bhook\b/.test(text)

function checkOwnFile(file: string, text: string, receipt: InstallReceipt | undefined): void {
  if (text === '' || receipt !== undefined || isWritten(text)) return
  throw new MemoryError('conflict', `${file} is there, and this program did not write it.`, {
    hint: 'Move it away, or install with --replace.',
  })
}

/** The previous bytes if the file is unchanged since; null if it did not exist. */
function beforeOf({ receipts }: Workplace, receipt: InstallReceipt | undefined, bytes: Buffer | null): Buffer | null | undefined {
  if (receipt?.before === undefined || bytes === null || digestOf(bytes) !== receipt.after) return undefined
  return receipt.before === null ? null : receipts.kept(receipt.before)
}

/** Rejects text that does not survive decoding and encoding unchanged. */
function textOf(bytes: Buffer | null): string {
  const text = bytes === null ? '' : bytes.toString('utf8')
  if (bytes !== null && !Buffer.from(text).equals(bytes)) throw new ConfigProblem('the file is not UTF-8 text; save it as UTF-8')
  return text
}

function checkOwn(
  { program }: Workplace,
  { client, file, format }: Target,
  edit: Edit,
  text: string,
  receipt: InstallReceipt | undefined,
): void {
  if (edit.guarded !== true || receipt !== undefined) return
  const there = readEntry(format, text, edit)
  if (there === undefined || JSON.stringify(there) === JSON.stringify(edit.value) || mentions(there, program) || isMadeByHand(there)) return
  throw new MemoryError(
    'conflict',
    `${file} holds another server of the name mneme, which this program did not write: ${JSON.stringify(there)}`,
    {
      hint: `It was left as it is. Remove it in ${client.title}, or install with --replace; uninstalling then puts it back.`,
    },
  )
}

const mentions = (value: Json, program: string): boolean => {
  if (typeof value === 'string') return value === program
  if (Array.isArray(value)) return value.some((entry) => mentions(entry, program))
  return isJsonObject(value) && Object.values(value).some((entry) => mentions(entry, program))
}

/** True for an entry from the README: it starts `mneme mcp`, or names the local server. */
export function isMadeByHand(entry: Json): boolean {
  const [command, ...args] = words(entry)
  return (command === ENTRY && args[0] === 'mcp') || (command !== undefined && args.length === 0 && LOCAL_SERVER.test(command))
}

const LOCAL_SERVER = /^http:\/\/(?:127\.0\.0\.1|localhost|\[::1\]):\d{1,5}\/mcp(?:\/\w+)?$/

/** The command with its arguments, or the URL, in any client's format. */
function words(entry: Json): readonly string[] {
  if (!isJsonObject(entry)) return []
  const { command = entry.cmd, args = [] } = entry
  const parts = command === undefined ? [entry.url ?? entry.httpUrl ?? entry.serverUrl ?? entry.uri] : [command, args]
  return parts.flat().filter((word) => typeof word === 'string')
}

/** Reports a file that cannot be changed and continues with the others. */
async function refusable({ client, file }: Target, work: () => Promise<Outcome>): Promise<Outcome> {
  try {
    return await work()
  } catch (failure) {
    const named = { client: client.name, file, action: 'refused' } as const
    if (failure instanceof ConfigProblem)
      return {
        ...named,
        problem: `${file}: ${failure.message}. Nothing was changed.`,
        hint: 'Correct the file and try again, or add the entry by hand: mneme install --print.',
      }
    if (failure instanceof MemoryError)
      return { ...named, problem: failure.message, ...(failure.hint === undefined ? {} : { hint: failure.hint }) }
    throw failure
  }
}

/** The command or URL in a client's file. */
export function serverIn(value: Json | undefined): Server | undefined {
  if (!isJsonObject(value)) return undefined
  const url = [value.url, value.httpUrl, value.serverUrl, value.uri].find((text) => typeof text === 'string')
  if (typeof url === 'string') return { kind: 'http', url }
  const words = [value.command ?? value.cmd ?? [], value.args ?? []].flat()
  const [command, ...args] = words.filter((word) => typeof word === 'string')
  return command === undefined ? undefined : { kind: 'stdio', command, args }
}
