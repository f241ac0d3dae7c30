import { randomBytes } from 'node:crypto'
import type { Duplex, Readable } from 'node:stream'
import { takesColours } from '../cli/colours.js'
import { PARENT_POLL_MS } from '../shutdown.js'
import { forwardCommand } from './forward-command.js'
import { encodeFrame, readFrames } from './frames.js'
import type { SharedPlace } from './place.js'
import { type Hello, passedVariables, reachShared, startShared } from './reach.js'
import { relayMcp, type Upstream } from './relay-mcp.js'

/** What a process needs to run the command itself. */
export interface LocalRun {
  /** Standard input including what was already read. */
  readonly input?: Readable & { readonly isTTY?: boolean }
  /** The idempotency key under which the call may have run. */
  readonly key?: string
}

type ForwardOutcome = LocalRun | { readonly code: number }

interface ForwardOptions {
  readonly env: Readonly<Record<string, string | undefined>>
  /** Undefined if sharing is off. */
  findPlace(): SharedPlace | undefined
  /** A server in this process. */
  serveHere(): Promise<Upstream>
}

/** Commands that need a model or an index: they start a shared process if none is running. */
const STARTING_COMMANDS = new Set([
  'recall',
  'remember',
  'search',
  'edit',
  'code',
  'mcp',
  'hook',
  'store_memory',
  'update_memory',
  'search_code',
])
/** Commands that use a running shared process. None of them reads or writes files by a path of the caller. */
const FORWARDED_COMMANDS = new Set([
  'list',
  'show',
  'forget',
  'trash',
  'projects',
  'history',
  'undo',
  'pause',
  'list_memories',
  'get_memory',
  'delete_memory',
  'list_projects',
])
/** Flags handled by the calling process: they print and exit, or affect settings of a process. */
const LOCAL_FLAGS = ['--help', '-h', '--list-models', '--reset-memory', '--force-model', '--config']
/** Flags before the command that take no value. */
const BARE_FLAGS = new Set(['-q', '--quiet', '--json'])
const UNKNOWN_EXIT = 8

/** Runs a command in the shared process of its store if possible. */
export async function forward(argv: readonly string[], options: ForwardOptions): Promise<ForwardOutcome> {
  const command = commandOf(argv)
  const starts = STARTING_COMMANDS.has(command)
  if (!starts && !FORWARDED_COMMANDS.has(command)) return {}
  if (argv.some((word) => LOCAL_FLAGS.some((flag) => word === flag || word.startsWith(`${flag}=`)))) return {}
  const place = options.findPlace()
  if (place?.path === undefined) return {}
  return command === 'mcp' ? forwardMcp(argv, place, options) : forwardOne(argv, place, { ...options, starts, isHook: command === 'hook' })
}

/** The first word that is neither a flag nor its value. */
function commandOf(argv: readonly string[]): string {
  for (let at = 0; at < argv.length; at++) {
    const word = argv[at] ?? ''
    if (!word.startsWith('-')) return word
    if (!word.includes('=') && !BARE_FLAGS.has(word)) at++
  }
  return ''
}

async function forwardOne(
  argv: readonly string[],
  place: SharedPlace,
  { env, starts, isHook }: ForwardOptions & { readonly starts: boolean; readonly isHook: boolean },
): Promise<ForwardOutcome> {
  const key = randomBytes(12).toString('hex')
  const hello: Hello = {
    mode: 'command',
    argv,
    env: passedVariables(env),
    cwd: process.cwd(),
    inputIsTerminal: process.stdin.isTTY === true,
    outputIsTerminal: process.stdout.isTTY === true,
    errorIsTerminal: process.stderr.isTTY === true,
    ...(process.stdout.columns === undefined ? {} : { width: process.stdout.columns }),
    colours: takesColours(process.stdout.isTTY === true, env),
    key,
  }
  const reached = await (starts ? startShared(place, hello) : reachShared(place, hello))
  if (reached === undefined) return {}
  const forwarded = await forwardCommand(reached.socket, {
    input: process.stdin,
    out: (text) => process.stdout.write(text),
    err: (text) => process.stderr.write(text),
    onInterrupt(interrupt) {
      for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, interrupt)
    },
  })
  if (forwarded.outcome === 'done') return { code: forwarded.code }
  if (forwarded.outcome === 'refused') return {}
  // A failed hook must not stop the agent.
  if (isHook) return { code: 0 }
  if (forwarded.outcome === 'repeat') return { input: forwarded.input, key }
  process.stderr.write(
    'The shared process ended during this call: whether it took effect is unknown.\nRead what is stored before you repeat it.\n',
  )
  return { code: UNKNOWN_EXIT }
}

async function forwardMcp(argv: readonly string[], place: SharedPlace, { env, serveHere }: ForwardOptions): Promise<ForwardOutcome> {
  const hello: Hello = { mode: 'mcp', argv, env: passedVariables(env), cwd: process.cwd() }
  const begin = async (): Promise<Upstream | { readonly code: number } | undefined> => {
    const reached = await startShared(place, hello)
    return reached === undefined ? undefined : beginMcp(reached.socket)
  }
  const first = await begin()
  if (first === undefined || 'code' in first) return first ?? {}
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(name, () => process.exit(0))
  const parent = process.ppid
  const orphaned = setInterval(() => process.ppid !== parent && process.exit(0), PARENT_POLL_MS)
  await relayMcp({
    input: process.stdin,
    output: process.stdout,
    first,
    async next() {
      const again = await begin()
      return again !== undefined && 'input' in again ? again : serveHere()
    },
  })
  clearInterval(orphaned)
  return { code: 0 }
}

/** The connection, once the server at its other end is ready; the exit code if the command line was rejected there. */
function beginMcp(socket: Duplex & Parameters<typeof readFrames>[0]): Promise<Upstream | { readonly code: number } | undefined> {
  return new Promise((resolve) => {
    const end = (begun: Upstream | { readonly code: number } | undefined): void => {
      socket.off('close', lost)
      reader.detach()
      if (begun === undefined || 'code' in begun) socket.destroy()
      resolve(begun)
    }
    const lost = (): void => end(undefined)
    const reader = readFrames(
      socket,
      (frame) => {
        if (typeof frame.err === 'string') process.stderr.write(frame.err)
        if (frame.refuse !== undefined) end(undefined)
        if (typeof frame.exit === 'number') end({ code: frame.exit })
        if (typeof frame.ok !== 'object' || frame.ok === null) return
        const { reads = [] }: { reads?: unknown } = { ...frame.ok }
        end({ input: socket, output: socket, reads: new Set(Array.isArray(reads) ? reads.map(String) : []) })
      },
      lost,
    )
    socket.once('close', lost)
    socket.resume()
    socket.write(encodeFrame({ go: true }))
  })
}
