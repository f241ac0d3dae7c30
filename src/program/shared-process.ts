import { closeSync, constants, existsSync, openSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { FileLock } from '../backends/sqlite/file-lock.js'
import { type Config, databaseFile } from '../config.js'
import { MemoryError } from '../errors.js'
import { isServer } from '../open/backend.js'
import { loadContracts, openHost, VERSION } from '../open.js'
import type { Host } from '../surfaces/host.js'
import { createLog, type Log } from '../surfaces/log.js'
import { listTools } from '../surfaces/mcp/tools.js'
import { openCallStreams } from '../surfaces/shared-process/call-streams.js'
import type { SharedCall } from '../surfaces/shared-process/client-call.js'
import { encodeFrame } from '../surfaces/shared-process/frames.js'
import { findPlace } from '../surfaces/shared-process/place.js'
import type { Greeting } from '../surfaces/shared-process/reach.js'
import { serveShared } from '../surfaces/shared-process/serve.js'
import { runProgram, type SharedHosts } from './run-program.js'

/** Settings of a single call or of the HTTP server, which may differ from those of the engine. */
const PER_CALL: ReadonlySet<string> = new Set([
  'profile',
  'logLevel',
  'host',
  'port',
  'allowedHosts',
  'allowedOrigins',
  'auth',
  'rateLimit',
  'publicUrl',
  'oauthIssuer',
  'oauthJwks',
  'oauthAudience',
  'oauthOwnerClaim',
  'shared',
  'keepWarm',
  'callTimeoutMs',
  'longCallTimeoutMs',
])
/** Variables read by libraries and tests, which are not settings. */
const COMPARED_VARIABLES = ['TZ', 'HOME', 'MNEME_SQLITE_DRIVER', 'MNEME_CHECK_ANSWERS'] as const

const SCRIPT = fileURLToPath(new URL('../main.js', import.meta.url))

const comparedSettings = (config: Config): string =>
  JSON.stringify(
    Object.entries(config)
      .filter(([key]) => !PER_CALL.has(key))
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  )

/** Serves the store of a data directory to other processes of this user until it has been idle for a while. */
export async function runSharedProcess(dataDir: string, path: string, lock: FileLock): Promise<void> {
  const log = createLog('info', logFile(join(dataDir, 'shared.log')))
  for (const event of ['uncaughtException', 'unhandledRejection'] as const)
    process.on(event, (error: unknown) => {
      log.error('The shared process failed', { error })
      process.exit(1)
    })
  let opened: { readonly config: Config; readonly host: Host } | undefined
  let keepWarmMs: number | undefined
  let hasStore = false

  const admit = (config: Config): void => {
    const place = findPlace({ dataDir: config.dataDir, database: config.database }, SCRIPT)
    const isSame = opened === undefined || comparedSettings(opened.config) === comparedSettings(config)
    if (config.dataDir !== dataDir || place.path !== path || !isSame)
      throw new MemoryError('unavailable', 'The shared process has other settings.')
    keepWarmMs = config.keepWarm * 60_000
  }
  const sharedHost = async (config: Config): Promise<Host> => {
    if (opened === undefined) {
      opened = { config, host: await openHost(config, { stays: true }) }
      void opened.host.engine().catch((error: unknown) => log.warn('The store could not be opened', { error }))
    }
    return opened.host
  }

  const hostsFor = (cwd: string, greeting: Greeting): SharedHosts => ({
    checkSettings: admit,
    async openHost(config, names, stays) {
      const [host, contracts] = await Promise.all([sharedHost(config), loadContracts(names)])
      // Pages require an engine opened with the substrate contract.
      if (names.includes('substrate') && opened?.config.profile.includes('substrate') !== true)
        throw new MemoryError('unavailable', 'The shared process has another profile.')
      return {
        version: VERSION,
        cwd,
        contracts,
        ...(stays ? { limits: { callMs: config.callTimeoutMs, longCallMs: config.longCallTimeoutMs } } : {}),
        engine: host.engine,
        close: async () => undefined,
      }
    },
    status: async () => greeting,
  })

  await serveShared({
    path,
    script: SCRIPT,
    version: VERSION,
    log,
    keepWarmMs: () => keepWarmMs,
    isStoreGone() {
      if (opened === undefined || isServer(opened.config.database)) return !existsSync(dataDir)
      const isThere = existsSync(databaseFile(opened.config.database) ?? join(dataDir, 'mneme.db'))
      hasStore ||= isThere
      return hasStore && !isThere
    },
    carryOut: (call, { greeting, stopping }) => carryOut(call, { hosts: hostsFor(call.cwd, greeting), stopping, log }),
  })
  await opened?.host.close()
  lock.release()
}

interface CallParts {
  readonly hosts: SharedHosts
  readonly stopping: Promise<void>
  readonly log: Log
}

async function carryOut(call: SharedCall, { hosts, stopping, log }: CallParts): Promise<void> {
  const streams = openCallStreams(call)
  let isRefused = COMPARED_VARIABLES.some((name) => (call.env[name] ?? '') !== (process.env[name] ?? ''))
  isRefused ||= !existsSync(call.cwd)
  if (isRefused) return streams.refuse()
  const refusable = <T>(work: () => T): T => {
    try {
      return work()
    } catch (failure) {
      isRefused ||= failure instanceof MemoryError && failure.code === 'unavailable'
      throw failure
    }
  }
  let isServing = false
  const code = await runProgram(call.argv, {
    // A rejected call prints nothing here, because the calling process runs it.
    terminal: {
      ...streams.terminal,
      err: (text) => (isRefused ? undefined : isServing ? log.info(text.trimEnd()) : streams.terminal.err(text)),
    },
    env: call.env,
    cwd: call.cwd,
    ...(call.key === undefined ? {} : { key: call.key }),
    begin: streams.begin,
    shared: {
      ...hosts,
      checkSettings: (config) => refusable(() => hosts.checkSettings(config)),
      openHost: (config, names, stays) =>
        hosts.openHost(config, names, stays).catch((failure: unknown) =>
          refusable(() => {
            throw failure
          }),
        ),
    },
    async serveMcp(serve, host) {
      isServing = true
      const reads = [...listTools(host.contracts)].filter(([, { operation }]) => operation.effect === 'read').map(([name]) => name)
      streams.detach()
      call.socket.write(encodeFrame({ ok: { reads } }))
      const serving = serve({ input: call.socket, output: call.socket, endings: [stopping.then(() => 'SIGTERM' as const)] })
      call.socket.resume()
      await serving
      call.socket.end()
    },
    exit: () => undefined,
  })
  if (isServing) return
  if (isRefused) streams.refuse()
  else streams.exit(code)
}

const MAX_LOG_BYTES = 1024 * 1024

/** Appends lines to a private file and starts again when it is large. */
function logFile(path: string): (line: string) => void {
  const { O_WRONLY, O_CREAT, O_TRUNC, O_NOFOLLOW = 0 } = constants
  const open = (): number => openSync(path, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW, 0o600)
  let file: number | undefined
  let size = 0
  return (line) => {
    try {
      if (file !== undefined && size > MAX_LOG_BYTES) {
        closeSync(file)
        file = undefined
        size = 0
      }
      file ??= open()
      size += writeSync(file, line)
    } catch {
      // A log that cannot be written must not fail the process.
    }
  }
}
