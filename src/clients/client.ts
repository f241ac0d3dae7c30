import type { Json, JsonObject } from '../core/encoding/json.js'
import { ENTRY } from './entry-name.js'
import type { HookForm } from './hook-table.js'
import type { Machine } from './machine.js'

/** How a client is to reach mneme. */
export type Server =
  | { readonly kind: 'stdio'; readonly command: string; readonly args: readonly string[] }
  | { readonly kind: 'http'; readonly url: string }

export type Format = 'json' | 'yaml' | 'toml'

/** A member of an object, or with `sameItem` an item of the list at the path. */
export interface Edit {
  readonly path: readonly string[]
  readonly value: Json
  /** Which item of the list is the one to be put or dropped. */
  readonly sameItem?: (item: Json) => boolean
  /** What is there may be someone else's: it is only replaced if this program wrote it, or if asked to. */
  readonly guarded?: true
  /** Left as it is where there is one, and left when the rest goes. */
  readonly onlyIfMissing?: true
}

/** A program that takes MCP servers from a file: all that is known about it, as data. */
export interface Client {
  readonly name: string
  readonly title: string
  /** Commands that tell of it when one is on the path. */
  readonly programs: readonly string[]
  /** Folders and files that tell of it when one is there. */
  traces(machine: Machine): readonly string[]
  /** The file of the person: all that are there are written to, else the first. */
  files(machine: Machine): readonly string[]
  /** Of several files that are there only the first is written to. */
  readonly onlyOne?: true
  /** The file of a project, from its root. */
  readonly projectFile?: string
  readonly format: Format
  /** Where the servers are. */
  readonly key: readonly string[]
  /** The servers are a list, identified by this member. */
  readonly listedBy?: string
  /** What is written for mneme; undefined where the client cannot reach it that way. */
  entry(server: Server): JsonObject | undefined
  /** The command by which the client itself would add it, for people. */
  readonly ownCommand?: (server: Server) => string
  /** A link that installs it with one click. */
  readonly link?: (entry: JsonObject) => string
  /** Where its hooks stand, and what is written there. */
  readonly hooks?: {
    readonly form: HookForm
    file(machine: Machine): string
    readonly projectFile: string
  }
}

/** What most clients take: a command, or a URL under the name they have for it. */
export const standard =
  (extra: { readonly stdio?: JsonObject; readonly http?: (url: string) => JsonObject } = {}) =>
  (server: Server): JsonObject | undefined => {
    if (server.kind === 'stdio') return { ...extra.stdio, command: server.command, args: [...server.args] }
    return extra.http?.(server.url)
  }

/** A command as it is typed in a shell. */
export const typed = ({ command, args }: { readonly command: string; readonly args: readonly string[] }): string =>
  [command, ...args].map((word) => (/^[\w@%+=:,./\\-]+$/.test(word) ? word : `"${word}"`)).join(' ')

/** `client mcp add NAME -- CMD`, as several clients have it; those without a form for URLs name none. */
export const addCommand = (start: string, separator = '-- ') => {
  return (server: Server): string =>
    server.kind === 'stdio' ? `${start} ${ENTRY} ${separator}${typed(server)}` : `${start} --transport http ${ENTRY} ${server.url}`
}

export const base64 = (value: JsonObject): string => Buffer.from(JSON.stringify(value)).toString('base64')

/** The edit that puts mneme among the servers of a client. */
export function serverEdit(client: Client, value: Json): Edit {
  const { key, listedBy } = client
  if (listedBy === undefined) return { path: [...key, ENTRY], value, guarded: true }
  return {
    path: key,
    value,
    guarded: true,
    sameItem: (item) => typeof item === 'object' && item !== null && listedBy in item && Reflect.get(item, listedBy) === ENTRY,
  }
}
