import { connect, type Socket } from 'node:net'
import { parse } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { buildId } from './build-id.js'
import { EXIT_TAKEN, SHARED_COMMAND } from './command.js'
import { encodeFrame, type Frame, readFrames } from './frames.js'
import { isFree, isOwnSocket, preparePlace, type SharedPlace } from './place.js'

/** Time limit for the start of a shared process. */
const START_MS = 8000
/** A stopped or blocked process accepts connections without responding. */
const GREETING_MS = 2000
const POLL_MS = 10
/** Before another start when the lock was taken; doubles each time. */
const RELAUNCH_MS = 100

/** The first message of a call to the shared process. */
export interface Hello {
  readonly mode: 'command' | 'mcp' | 'stop' | 'info'
  readonly argv: readonly string[]
  readonly env: Readonly<Record<string, string>>
  readonly cwd: string
  readonly inputIsTerminal?: boolean
  readonly outputIsTerminal?: boolean
  readonly errorIsTerminal?: boolean
  readonly width?: number
  readonly colours?: boolean
  /** The idempotency key of the call, if its operation accepts one. */
  readonly key?: string
}

export interface Greeting {
  readonly pid: number
  readonly version: string
  readonly clients: number
  readonly since: string
}

/** A connection to a responsive shared process; the call has not started. */
export interface ReachedProcess {
  readonly socket: Socket
  readonly greeting: Greeting
}

/** Settings and libraries read these variables, so they are passed on. */
const PASSED_VARIABLES =
  /^(?:MNEME_|MEMORY_|STIGMEM_|CACHE_|JOBS_|MAX_|MIN_|SEMANTIC_|AUTO_LINKING_|NEIGHBOURS_|DUPLICATE_)|^(?:OPENAI_API_KEY|VOYAGE_API_KEY|TZ|HOME|USERPROFILE)$/

export function passedVariables(env: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const passed: Record<string, string> = {}
  for (const [name, value] of Object.entries(env)) if (value !== undefined && PASSED_VARIABLES.test(name)) passed[name] = value
  return passed
}

/** `absent`: nothing listens. `unusable`: a process listens, but does not serve this caller. */
type ReachFailure = 'absent' | 'unusable'

/** Connects to the shared process of a store. Undefined if there is none that can be trusted. */
export async function reachShared(place: SharedPlace, hello: Hello): Promise<ReachedProcess | undefined> {
  const reached = await attempt(place, hello)
  return typeof reached === 'string' ? undefined : reached
}

/** The same, starting one if none is running. */
export async function startShared(place: SharedPlace, hello: Hello): Promise<ReachedProcess | undefined> {
  const { path } = place
  let started: StartedProcess | undefined
  let launchAt = 0
  let pauseMs = RELAUNCH_MS
  for (const until = performance.now() + START_MS; performance.now() < until; await delay(POLL_MS)) {
    const found = await attempt(place, hello)
    if (found === 'unusable') return undefined
    if (found !== 'absent') return found
    if (started?.state() === 'failed') return undefined
    // Another process has the lock: it is about to listen, or it is ending and another one is needed.
    if (started?.state() === 'starting' || performance.now() < launchAt) continue
    if (path === undefined || !isFree(path) || !preparePlace(place)) return undefined
    started = await launch(place)
    launchAt = performance.now() + pauseMs
    pauseMs *= 2
  }
  return undefined
}

async function attempt(place: SharedPlace, hello: Hello): Promise<ReachedProcess | ReachFailure> {
  const { path } = place
  if (path === undefined || !isOwnSocket(path)) return 'absent'
  const socket = await openSocket(path)
  return socket === undefined ? 'absent' : greet(socket, { ...hello, build: buildId(place.script) })
}

interface StartedProcess {
  /** `taken`: it has ended, because another process has the lock. */
  state(): 'starting' | 'taken' | 'failed'
}

/** Starts the shared process, which outlives this one. */
async function launch({ dataDir, path = '', script }: SharedPlace): Promise<StartedProcess> {
  let state: ReturnType<StartedProcess['state']> = 'starting'
  // Loaded here, because most calls find a process: it costs a tenth of Node's own start.
  const { spawn } = await import('node:child_process')
  try {
    const child = spawn(process.execPath, [...process.execArgv, script, SHARED_COMMAND, dataDir, path], {
      detached: true,
      stdio: 'ignore',
      // It must not keep a project folder or mounted disk in use.
      cwd: parse(process.execPath).root,
      windowsHide: true,
    })
    child.once('error', () => {
      state = 'failed'
    })
    child.once('exit', (code) => {
      state = code === EXIT_TAKEN ? 'taken' : 'failed'
    })
    child.unref()
  } catch {
    state = 'failed'
  }
  return { state: () => state }
}

function openSocket(path: string): Promise<Socket | undefined> {
  return new Promise((resolve) => {
    const socket = connect(path)
    socket.once('connect', () => {
      socket.off('error', fail)
      resolve(socket)
    })
    const fail = (): void => {
      socket.destroy()
      resolve(undefined)
    }
    socket.once('error', fail)
  })
}

/** A call starts only after this side has received the greeting and sent `go`, so a call abandoned here does not run there. */
function greet(socket: Socket, hello: Hello & { readonly build: string }): Promise<ReachedProcess | ReachFailure> {
  return new Promise((resolve) => {
    const end = (reached: ReachedProcess | ReachFailure): void => {
      clearTimeout(timer)
      reader.detach()
      socket.off('close', close)
      if (typeof reached === 'string') socket.destroy()
      resolve(reached)
    }
    // A process that closes without a word is ending.
    const close = (): void => end('absent')
    const timer = setTimeout(() => end('unusable'), GREETING_MS)
    socket.on('error', () => undefined)
    socket.once('close', close)
    const reader = readFrames(
      socket,
      (frame) => end(toGreeting(frame.greeting, socket) ?? 'unusable'),
      () => end('unusable'),
    )
    socket.write(encodeFrame({ hello }))
  })
}

function toGreeting(value: unknown, socket: Socket): ReachedProcess | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const { pid, version, clients, since }: Frame = { ...value }
  if (typeof pid !== 'number' || typeof version !== 'string' || typeof clients !== 'number' || typeof since !== 'string') return undefined
  return { socket, greeting: { pid, version, clients, since } }
}
