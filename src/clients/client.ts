import type { Json, JsonObject } from '../core/encoding/json.js'
import { ENTRY } from './entry-name.js'
import type { HookForm } from './hook-table.js'
import type { Machine } from './machine.js'

/** How a client connects to mneme. */
export type Server =
  | { readonly kind: 'stdio'; readonly command: string; readonly args: readonly string[] }
  | { readonly kind: 'http'; readonly url: string }

export type Format = 'json' | 'yaml' | 'toml'

/** A member of an object, or with `sameItem` an item of the list at the path. */
export interface Edit {
  readonly path: readonly string[]
  readonly value: Json
  /** Identifies the item to set or remove. */
  readonly sameItem?: (item: Json) => boolean
  /** Existing content is replaced only if this program wrote it or on request. */
  readonly guarded?: true
  /** Written only if absent, and kept by an uninstallation. */
  readonly onlyIfMissing?: true
}

/** A program that reads MCP servers from a file, described as data. */
export interface Client {
  readonly name: string
  readonly title: string
  /** Commands whose presence on the path indicates the client. */
  readonly programs: readonly string[]
  /** Folders and files whose presence indicates the client. */
  traces(machine: Machine): readonly string[]
  /** Files of the user: all existing ones are changed, otherwise the first is created. */
  files(machine: Machine): readonly string[]
  /** Of several existing files, only the first is changed. */
  readonly onlyOne?: true
  /** The file of a project, relative to its root. */
  readonly projectFile?: string
  readonly format: Format
  /** Path of the server list. */
  readonly key: readonly string[]
  /** The servers are a list whose items are identified by this member. */
  readonly listedBy?: string
  /** The entry for mneme; undefined if the client does not support the transport. */
  entry(server: Server): JsonObject | undefined
  /** The command with which the client adds a server itself, for documentation. */
  readonly ownCommand?: (server: Server) => string
  /** A link that installs it with one click. */
  readonly link?: (entry: JsonObject) => string
  /** Location and content of its hooks. */
  readonly hooks?: {
    readonly form: HookForm
    file(machine: Machine): string
    readonly projectFile: string
  }
}

/** The usual entry: a command, or a URL under the client's key. */
export const standard =
  (extra: { readonly stdio?: JsonObject; readonly http?: (url: string) => JsonObject } = {}) =>
  (server: Server): JsonObject | undefined => {
    if (server.kind === 'stdio') return { ...extra.stdio, command: server.command, args: [...server.args] }
    return extra.http?.(server.url)
  }

/** A command line as typed in a shell. */
export const typed = ({ command, args }: { readonly command: string; readonly args: readonly string[] }): string =>
  [command, ...args].map((word) => (/^[\w@%+=:,./\\-]+$/.test(word) ? word : `"${word}"`)).join(' ')

/** `client mcp add NAME -- CMD`, as used by several clients; undefined for URLs if there is no form. */
export const addCommand = (start: string, separator = '-- ') => {
  return (server: Server): string =>
    server.kind === 'stdio' ? `${start} ${ENTRY} ${separator}${typed(server)}` : `${start} --transport http ${ENTRY} ${server.url}`
}

export const base64 = (value: JsonObject): string => Buffer.from(JSON.stringify(value)).toString('base64')

/** The edit that adds mneme to the servers of a client. */
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
