import { fileURLToPath } from 'node:url'
import { findStore } from '../config/store-place.js'
import type { Config } from '../config.js'
import * as config from '../config.js'
import type { Operation } from '../contracts/operation.js'
import { knownHint } from '../errors/known-names.js'
import { MemoryError } from '../errors.js'
import * as open from '../open.js'
import { type Cli, runCli, type Session } from '../surfaces/cli/program.js'
import type { Terminal } from '../surfaces/cli/terminal.js'
import type { Host } from '../surfaces/host.js'
import { createLog } from '../surfaces/log.js'
import type { StdioOptions } from '../surfaces/mcp/stdio.js'
import { printable } from '../surfaces/printable.js'
import { findShared, type SharedStatus, stopShared } from '../surfaces/shared-process/control.js'
import { findPlace } from '../surfaces/shared-process/place.js'

/** The streams and hooks of the process that runs a command: its own, or the shared process. */
export interface ProgramIo {
  readonly terminal: Terminal
  readonly env: Readonly<Record<string, string | undefined>>
  /** Base of relative paths in the call. */
  readonly cwd: string
  /** Passed to operations that accept an idempotency key, so that an interrupted call can be repeated. */
  readonly key?: string
  /** Announces the effect of the call before it runs. */
  begin?(effect: 'read' | 'keyed' | 'unsafe'): void
  /** Serves MCP on the caller's streams. */
  serveMcp(serve: (streams: McpStreams) => Promise<unknown>, host: Host): Promise<void>
  /** Ends the process once its output is written, even if work is still running. */
  exit(code: number): void
  readonly shared?: SharedHosts
}

export type McpStreams = Pick<StdioOptions, 'input' | 'output' | 'endings'>

/** The engine of the shared process. */
export interface SharedHosts {
  /** Throws if the settings of a call differ from those of the engine. */
  checkSettings(settings: Config): void
  openHost(settings: Config, contracts: readonly string[], stays: boolean): Promise<Host>
  status(): Promise<SharedStatus>
}

/** Called by programs and served with every profile, but not listed to models. */
const HOOKS_CONTRACT = 'hooks'

/** Called by the console; its operations are no commands. */
const PAGES_CONTRACT = 'console'

/** Commands that run one tool; without the tool there is no command. */
const ALIASES = {
  remember: 'memory/store_memory',
  recall: 'memory/recall',
  search: 'memory/search',
  projects: 'memory/list_projects',
  code: 'memory/search_code',
  status: 'memory/get_status',
}

const SCRIPT = fileURLToPath(new URL('../main.js', import.meta.url))

/** Tool names that are accepted for these commands. */
const OTHER_NAMES = { list: 'list_memories', show: 'get_memory', edit: 'update_memory', forget: 'delete_memory', index: 'index_project' }

/** Runs one command line and resolves with the exit code. */
export async function runProgram(argv: readonly string[], io: ProgramIo): Promise<number> {
  const { terminal, shared } = io
  const place = () => findPlace(findStore(argv, io.env), SCRIPT)
  const contractNames: readonly string[] = open.CONTRACT_NAMES
  const { operatorContracts } = open
  const servable = contractNames.filter((name) => !operatorContracts.includes(name) && name !== HOOKS_CONTRACT)

  const configure = (flags: Readonly<Record<string, unknown>>): Session => {
    const loaded = inFolder(io.cwd, () => config.loadConfig({ flags, env: io.env }))
    const settings = loaded.config
    shared?.checkSettings(settings)
    const log = createLog(settings.logLevel, terminal.err)
    for (const warning of loaded.warnings) log.warn(warning)
    const openHost = async (names: readonly string[] = settings.profile, stays = false, served = false) => {
      const local = stays ? names.find((name) => operatorContracts.includes(name)) : undefined
      if (local !== undefined)
        throw new MemoryError('invalid_input', `The contract "${local}" cannot be served: it is for the person at the machine.`, {
          hint: `Its tools are commands, see mneme --help. A profile may name: ${servable.join(', ')}.`,
        })
      const unknown = names.find((name) => !contractNames.includes(name))
      if (unknown !== undefined)
        throw new MemoryError('invalid_input', `There is no contract "${unknown}".`, {
          hint: knownHint(unknown, stays ? servable : contractNames),
        })
      const profile = [...new Set(names)]
      return shared === undefined ? open.openHost({ ...settings, profile }, { stays, served }) : shared.openHost(settings, profile, stays)
    }
    return {
      log,
      owner: settings.owner,
      openHost,
      describeConfig: () => config.describeConfig(loaded),
      prepare: (operation, input) => prepareCall(operation, input, io),
      sharedProcess: () => (shared === undefined ? findShared(place()) : shared.status()),
      stopShared: () => stopShared(place()),
      restore: async (backup) => ({ ...(await open.restoreMemory(settings, backup)) }),
      async migrate(from, to, progress) {
        const { migrateStore } = await import('../open/migrate.js')
        const stop = new AbortController()
        process.once('SIGINT', () => stop.abort())
        return { from, to, ...(await migrateStore(settings, { from, to, progress, signal: stop.signal })) }
      },
      async answerHook(client, event) {
        const [{ answerHook, SERVER_MS }, { isServer }] = await Promise.all([
          import('../surfaces/cli/hook.js'),
          import('../open/backend.js'),
        ])
        const call = { client, event, log, input: terminal.input, out: (text: string) => void terminal.out(text) }
        if (shared !== undefined) return answerHook({ ...call, open: () => shared.openHost(settings, [HOOKS_CONTRACT], false) })
        const onServer = isServer(settings.database)
        // Loading the model takes longer than a prompt may wait. The next process with a loaded model embeds the text.
        const hooks = { ...settings, embedder: 'none' as const, profile: [HOOKS_CONTRACT] }
        await answerHook({
          ...call,
          open: () => open.openHost(onServer ? { ...hooks, busyTimeoutMs: Math.min(SERVER_MS, settings.busyTimeoutMs) } : hooks),
          ...(onServer ? { openMs: SERVER_MS } : {}),
        })
        io.exit(0)
      },
      async clients() {
        const { createClientCommands } = await import('./client-commands.js')
        return createClientCommands(loaded)
      },
      async serveMcp() {
        const [{ serveMcpStdio }, host] = await Promise.all([
          import('../surfaces/mcp/stdio.js'),
          openHost([...settings.profile, HOOKS_CONTRACT], true),
        ])
        await io.serveMcp((streams) => serveMcpStdio({ host, log, ...streams }), host)
      },
      async serveHttp() {
        const [{ serveHttp }, host, contracts] = await Promise.all([
          import('../surfaces/http/server.js'),
          openHost([...settings.profile, HOOKS_CONTRACT], true, true),
          open.loadContracts(contractNames),
        ])
        const { port, host: address, allowedHosts, allowedOrigins } = settings
        const { openHttpAuth } = await import('./http-auth.js')
        const auth = await openHttpAuth(settings, host).catch(async (error: unknown) => {
          await host.close()
          throw error
        })
        const announce = (line: string) => void process.stderr.write(`${printable(line)}\n`)
        const { createHttpConsole } = await import('./http-console.js')
        const { presence, extend } = createHttpConsole(loaded, contracts)
        const access = { host: address, allowedHosts, allowedOrigins }
        const listening = (url: string): void => {
          auth.listening(url)
          presence.announce(url)
        }
        await serveHttp({ host, log, contracts, port, access, announce, ...auth, extend, listening })
        presence.withdraw()
      },
      async serveConsole(command) {
        const { serveConsole } = await import('./serve-console.js')
        await serveConsole(command, { loaded, log, contractNames, out: (line) => void process.stderr.write(`${printable(line)}\n`) })
      },
    }
  }

  const cli: Cli = {
    version: open.VERSION,
    settings: config.SETTINGS,
    contractNames,
    operatorContracts: operatorContracts.filter((name) => name !== PAGES_CONTRACT),
    aliases: ALIASES,
    otherNames: OTHER_NAMES,
    loadContracts: open.loadContracts,
    listModels: async () => (await import('../models/known.js')).listKnownModels(),
    configure,
  }
  return runCli(argv, cli, terminal)
}

/** Settings may contain paths relative to the caller. Synchronous, so that no other call sees the changed directory. */
function inFolder<T>(folder: string, work: () => T): T {
  const before = process.cwd()
  if (folder === before) return work()
  process.chdir(folder)
  try {
    return work()
  } finally {
    process.chdir(before)
  }
}

const KEY_ARGUMENT = 'idempotency_key'

/** Adds the idempotency key if the operation accepts one, and announces the effect of the call. */
function prepareCall(operation: Operation, input: Readonly<Record<string, unknown>>, { key, begin }: ProgramIo): Record<string, unknown> {
  const isRead = operation.modeOf(input).effect === 'read'
  const properties = operation.schemas.input.properties
  const takesKey = typeof properties === 'object' && properties !== null && KEY_ARGUMENT in properties
  const keyed = !isRead && takesKey && key !== undefined ? { [KEY_ARGUMENT]: key, ...input } : { ...input }
  begin?.(isRead ? 'read' : KEY_ARGUMENT in keyed ? 'keyed' : 'unsafe')
  return keyed
}
