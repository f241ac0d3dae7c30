import { MemoryError } from '../errors.js'
import type { Server } from './client.js'
import type { Disk } from './disk.js'

/** Locations of Node that survive an update. */
const STABLE_NODE_PATHS = ['/usr/local/bin/node', '/opt/homebrew/bin/node', '/usr/bin/node']

export interface Launch {
  readonly node: string
  readonly script: string
  /** Non-default flags of the server. */
  readonly flags: readonly string[]
}

/** The command for clients, with absolute paths, because desktop programs do not have the shell's path. */
export function commandOf(disk: Disk, { node, script, flags }: Launch): Server & { readonly kind: 'stdio' } {
  if (/[\\/]_npx[\\/]/.test(script))
    throw new MemoryError('invalid_input', 'This copy of mneme lies in the cache of npx, which may empty it at any time.', {
      hint: 'Install it for good, and run that one: npm install -g mneme && mneme install',
    })
  const lasting = STABLE_NODE_PATHS.find((path) => disk.has(path) && disk.resolve(path) === disk.resolve(node))
  return { kind: 'stdio', command: lasting ?? node, args: [script, 'mcp', ...flags] }
}
