#!/usr/bin/env node
import { knownHint } from './errors/known-names.js'
import { ERRORS, MemoryError } from './errors.js'
import type { Cli, Session } from './surfaces/cli/program.js'
import { printable } from './surfaces/printable.js'

const MIN_NODE = 20
/** What programs call and no model sees: served beside every profile. */
const HOOKS_CONTRACT = 'hooks'

/** Commands that stand for one tool; a tool that this build lacks has no command. */
const ALIASES = {
  remember: 'memory/store_memory',
  recall: 'memory/recall',
  search: 'memory/search',
  list: 'memory/list_memories',
  show: 'memory/get_memory',
  edit: 'memory/update_memory',
  forget: 'memory/delete_memory',
  index: 'memory/index_project',
  projects: 'memory/list_projects',
  code: 'memory/search_code',
  status: 'memory/get_status',
}

async function main(argv: readonly string[]): Promise<number> {
  const [{ runCli }, { takesColours }, config, { createLog }, open] = await Promise.all([
    import('./surfaces/cli/program.js'),
    import('./surfaces/cli/emphasis.js'),
    import('./config.js'),
    import('./surfaces/log.js'),
    import('./open.js'),
  ])

  const contractNames: readonly string[] = open.CONTRACT_NAMES
  const { operatorContracts } = open
  const servable = contractNames.filter((name) => !operatorContracts.includes(name) && name !== HOOKS_CONTRACT)

  const configure = (flags: Readonly<Record<string, unknown>>): Session => {
    const loaded = config.loadConfig({ flags })
    const settings = loaded.config
    const log = createLog(settings.logLevel)
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
      return open.openHost({ ...settings, profile: [...new Set(names)] }, { stays, served })
    }
    return {
      log,
      owner: settings.owner,
      openHost,
      describeConfig: () => config.describeConfig(loaded),
      restore: async (backup) => ({ ...(await open.restoreMemory(settings, backup)) }),
      async migrate(from, to, progress) {
        const { migrateStore } = await import('./open/migrate.js')
        const stop = new AbortController()
        process.once('SIGINT', () => stop.abort())
        return { from, to, ...(await migrateStore(settings, { from, to, progress, signal: stop.signal })) }
      },
      async answerHook(client, event) {
        const [{ answerHook, SERVER_MS }, { isServer }] = await Promise.all([import('./surfaces/cli/hook.js'), import('./open/backend.js')])
        const onServer = isServer(settings.database)
        // The model would take longer to load than a prompt waits; whoever has it loaded makes the vectors up later.
        const hooks = { ...settings, embedder: 'none' as const, profile: [HOOKS_CONTRACT] }
        await answerHook({
          client,
          event,
          log,
          open: () => open.openHost(onServer ? { ...hooks, busyTimeoutMs: Math.min(SERVER_MS, settings.busyTimeoutMs) } : hooks),
          ...(onServer ? { openMs: SERVER_MS } : {}),
          input: process.stdin,
          out: (text) => process.stdout.write(text),
        })
        process.stdout.write('', () => process.exit(0))
      },
      async clients() {
        const { createClientCommands } = await import('./client-commands.js')
        return createClientCommands(loaded)
      },
      async serveMcp() {
        const [{ serveMcpStdio }, host] = await Promise.all([
          import('./surfaces/mcp/stdio.js'),
          openHost([...settings.profile, HOOKS_CONTRACT], true),
        ])
        // Losing the reader is a reason for an orderly end here, as any other.
        process.stdout.off('error', loseOutput)
        endAtRepeatedSignal()
        await serveMcpStdio({ host, log, input: process.stdin, output: process.stdout })
        // Its answers have had their time to go out: a client that does not read must not keep the process.
        process.exit(0)
      },
      async serveHttp() {
        const [{ serveHttp }, host, contracts] = await Promise.all([
          import('./surfaces/http/server.js'),
          openHost([...settings.profile, HOOKS_CONTRACT], true, true),
          open.loadContracts(contractNames),
        ])
        const { port, host: address, allowedHosts, allowedOrigins } = settings
        const { openHttpAuth: openDoor } = await import('./http-auth.js')
        const doors = await openDoor(settings, host).catch(async (error: unknown) => {
          await host.close()
          throw error
        })
        const announce = (line: string) => void process.stderr.write(`${printable(line)}\n`)
        await serveHttp({ host, log, contracts, port, access: { host: address, allowedHosts, allowedOrigins }, announce, ...doors })
      },
    }
  }

  const cli: Cli = {
    version: open.VERSION,
    settings: config.SETTINGS,
    contractNames,
    operatorContracts,
    aliases: ALIASES,
    loadContracts: open.loadContracts,
    listModels: async () => (await import('./models/known.js')).listKnownModels(),
    configure,
  }
  return runCli(argv, cli, {
    input: process.stdin,
    outputIsTerminal: process.stdout.isTTY === true,
    errorIsTerminal: process.stderr.isTTY === true,
    ...(process.stdout.columns === undefined ? {} : { width: process.stdout.columns }),
    colours: takesColours(process.stdout.isTTY === true, process.env),
    // A failed write ends the process by its event: until then, nobody goes on as if it had succeeded.
    out: (text) => new Promise<void>((resolve) => process.stdout.write(text, (error) => (error ? undefined : resolve()))),
    err: (text) => void process.stderr.write(text),
  })
}

function fail(error: unknown): never {
  process.stderr.write(`mneme: ${printable(error instanceof Error ? error.message : String(error))}\n`)
  process.exit(1)
}

/** What is still buffered for a slow reader goes out before the process does, and a failure to do so is heard first. */
function exit(code: number): void {
  process.stdout.write('', () => setImmediate(() => process.exit(code)))
}

/** The reader of a command's output may leave early (`mneme ... | head`); whatever else stops it has lost data. */
function loseOutput(error: Error): never {
  if ('code' in error && error.code === 'EPIPE') process.exit(0)
  process.stderr.write(
    `The output could not be written: ${printable(error.message)}.\nMake room, or send it elsewhere, and run the command again.\n`,
  )
  process.exit(ERRORS.storage.exit)
}

/** The first signal asks for an orderly end, the same again for an immediate one. */
function endAtRepeatedSignal(): void {
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.once(name, () => process.once(name, () => process.exit(ERRORS.cancelled.exit)))
}

process.on('uncaughtException', fail)
process.on('unhandledRejection', fail)
process.stdout.on('error', loseOutput)

if (Number.parseInt(process.versions.node, 10) < MIN_NODE) fail(`mneme needs Node ${MIN_NODE} or newer; this is ${process.version}.`)
main(process.argv.slice(2)).then(exit, fail)
