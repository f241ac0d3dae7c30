#!/usr/bin/env node
import { MemoryError } from './errors.js'
import type { Cli, Session } from './surfaces/cli/program.js'

const LEAST_NODE = 20

/** Commands that stand for one tool; a tool that this build lacks has no command. */
const ALIASES = {
  remember: 'memory/store_memory',
  recall: 'memory/recall',
  search: 'memory/search',
  index: 'memory/index_project',
  code: 'memory/search_code',
  status: 'memory/get_status',
}

async function main(argv: readonly string[]): Promise<number> {
  const [{ runCli }, config, { createLog }, open] = await Promise.all([
    import('./surfaces/cli/program.js'),
    import('./config.js'),
    import('./surfaces/log.js'),
    import('./open.js'),
  ])

  const contractNames: readonly string[] = open.CONTRACT_NAMES

  const configure = (flags: Readonly<Record<string, unknown>>): Session => {
    const loaded = config.loadConfig({ flags })
    const settings = loaded.config
    const log = createLog(settings.logLevel)
    for (const warning of loaded.warnings) log.warn(warning)
    const openHost = async (names: readonly string[] = settings.profile, stays = false) => {
      const unknown = names.find((name) => !contractNames.includes(name))
      if (unknown !== undefined)
        throw new MemoryError('invalid_input', `There is no contract "${unknown}".`, { hint: `Known: ${contractNames.join(', ')}.` })
      return open.openHost({ ...settings, profile: [...new Set(names)] }, { stays })
    }
    return {
      log,
      openHost,
      describeConfig: () => config.describeConfig(loaded),
      async serveMcp() {
        const [{ serveMcpStdio }, host] = await Promise.all([import('./surfaces/mcp/stdio.js'), openHost(settings.profile, true)])
        // Losing the reader is a reason for an orderly end here, as any other.
        process.stdout.off('error', quit)
        await serveMcpStdio({ host, log, input: process.stdin, output: process.stdout })
      },
      async serveHttp() {
        const [{ serveHttp }, host, contracts] = await Promise.all([
          import('./surfaces/http/server.js'),
          openHost(settings.profile, true),
          open.loadContracts(contractNames),
        ])
        const { port, host: address, allowedHosts, allowedOrigins } = settings
        const announce = (line: string) => void process.stderr.write(`${line}\n`)
        await serveHttp({ host, log, contracts, port, access: { host: address, allowedHosts, allowedOrigins }, announce })
      },
    }
  }

  const cli: Cli = {
    version: open.VERSION,
    settings: config.SETTINGS,
    contractNames,
    aliases: ALIASES,
    loadContracts: open.loadContracts,
    configure,
  }
  return runCli(argv, cli, {
    input: process.stdin,
    outputIsTerminal: process.stdout.isTTY === true,
    errorIsTerminal: process.stderr.isTTY === true,
    out: (text) => new Promise<void>((resolve) => process.stdout.write(text, () => resolve())),
    err: (text) => void process.stderr.write(text),
  })
}

function fail(error: unknown): never {
  process.stderr.write(`mneme: ${error instanceof Error ? error.message : String(error)}\n`)
  process.exit(1)
}

/** What is still buffered for a slow reader goes out before the process does. */
function exit(code: number): void {
  process.stdout.write('', () => process.exit(code))
}

/** The reader of a command's output may leave early (`mneme ... | head`). */
function quit(): void {
  process.exit(0)
}

process.on('uncaughtException', fail)
process.on('unhandledRejection', fail)
process.stdout.on('error', quit)

if (Number.parseInt(process.versions.node, 10) < LEAST_NODE) fail(`mneme needs Node ${LEAST_NODE} or newer; this is ${process.version}.`)
main(process.argv.slice(2)).then(exit, fail)
