import { resolve } from 'node:path'
import { Command, CommanderError, Option } from 'commander'
import type { Contract } from '../../contracts/contract.js'
import type { Answer, Operation } from '../../contracts/operation.js'
import { type PlainText, paragraph, type Reader } from '../../contracts/plain-text.js'
import { ERRORS, toMemoryError } from '../../errors.js'
import type { Host } from '../host.js'
import type { Log } from '../log.js'
import { printable, printableJson } from '../printable.js'
import { addClientCommands, type ClientCommands } from './client-commands.js'
import { type AddOperation, addCall, addOperatorCommands } from './command-groups.js'
import { addHelp, arrangeHelp } from './command-help.js'
import { addCompletion } from './completion.js'
import { addConsoleCommands, type ConsoleCommand } from './console-commands.js'
import { showEmphasis } from './emphasis.js'
import { isToggle, spellOutToggles, toFlags } from './flags.js'
import { localTime } from './local-time.js'
import { addSharedCommands, withSharedProcess } from './process-commands.js'
import { maskedLine, renderText, summaryOf, withPlainIds } from './render.js'
import { collectInput, runOperation } from './run-operation.js'
import { confirms, DEFAULT_WIDTH, escapeOutput, type Terminal } from './terminal.js'
import { addUsageHints, shortenQuotes, withUsage } from './usage.js'

/** A configuration key as seen by the command line. */
interface CliSetting {
  readonly key: string
  readonly flag: string
  readonly otherFlags: readonly string[]
  readonly variables: readonly string[]
  readonly description: string
  readonly toggle: boolean
}

/** A parsed configuration and the actions on it. */
export interface Session {
  readonly log: Log
  /** Owner of facts stored without one. */
  readonly owner: string
  describeConfig(): readonly { readonly key: string; readonly value: unknown; readonly origin: string }[]
  /** Without names, opens the configured profile. */
  openHost(contracts?: readonly string[]): Promise<Host>
  /** Completes the input of a call for this process. */
  prepare(operation: Operation, input: Readonly<Record<string, unknown>>): Record<string, unknown>
  /** The process that serves this store; null if none is running. */
  sharedProcess(): Promise<object | null>
  /** Stops it. Resolves with its process id, or with null if none is running. */
  stopShared(): Promise<number | null>
  /** Replaces the store without opening it. */
  restore(backup: string): Promise<Answer>
  /** Copies a store from one database to another. */
  migrate(from: string, to: string, progress: (message: string) => void): Promise<Answer>
  /** Responds to a client's hook event on stdin. Never fails. */
  answerHook(client: string, event: string | undefined): Promise<void>
  /** Access to client configuration. */
  clients(): Promise<ClientCommands>
  serveMcp(): Promise<void>
  serveHttp(): Promise<void>
  /** Opens the console of the server on the data directory, or serves one. */
  serveConsole(command: ConsoleCommand): Promise<void>
}

export interface Cli {
  readonly version: string
  readonly settings: readonly CliSetting[]
  readonly contractNames: readonly string[]
  /** Contracts whose operations are top-level commands. */
  readonly operatorContracts: readonly string[]
  /** Commands that run an operation, as `contract/tool`. */
  readonly aliases: Readonly<Record<string, string>>
  /** Further names of commands. */
  readonly otherNames: Readonly<Record<string, string>>
  loadContracts(names: readonly string[]): Promise<readonly Contract[]>
  /** Embedding models with known properties. */
  listModels(): Promise<readonly Answer[]>
  configure(flags: Readonly<Record<string, unknown>>): Session
}

/** Width of help written to a file or pipe. */
const HELP_WIDTH = 100

/** Commands without an operation, whose start need not load contracts. */
const WITHOUT_CONTRACTS = new Set(['mcp', 'serve', 'console', 'demo', 'install', 'uninstall', 'clients', 'hook', 'stop'])

/** Runs one command line and resolves with the exit code. */
export async function runCli(argv: readonly string[], cli: Cli, terminal: Terminal): Promise<number> {
  // Clients interpret a non-zero exit code as a request to stop the agent.
  const failed = (code: number): number => (operandsOf(argv, cli)[0] === 'hook' ? 0 : code)
  try {
    const { program, toggles, verdict } = await buildProgram(argv, cli, terminal)
    await program.parseAsync(spellOutToggles(argv, toggles), { from: 'user' })
    return verdict.code
  } catch (failure) {
    if (failure instanceof CommanderError) return failure.exitCode === 0 ? 0 : failed(ERRORS.invalid_input.exit)
    const error = toMemoryError(failure)
    const { err } = escapeOutput(terminal)
    // Appends a published reason that differs from the code.
    const code = [error.code, 'invalid_input'].includes(error.reason) ? '' : ` (${error.reason})`
    err(`${shortenQuotes(error.message, argv)}${code}\n${error.hint === undefined ? '' : `${shortenQuotes(error.hint, argv)}\n`}`)
    if (error.code === 'internal' && error.cause instanceof Error) err(`${error.cause.stack ?? error.cause.message}\n`)
    return failed(ERRORS[error.code].exit)
  }
}

interface BuiltProgram {
  readonly program: Command
  readonly toggles: ReadonlySet<string>
  readonly verdict: { readonly code: number }
}

async function buildProgram(argv: readonly string[], cli: Cli, terminal: Terminal): Promise<BuiltProgram> {
  const screen = escapeOutput(terminal)
  const showsAll = argv.includes('--all') && argv.some((word) => word === '--help' || word === '-h')
  const program = new Command('mneme')
    .description('Memory for AI agents')
    .version(cli.version)
    .exitOverride()
    .configureOutput({ writeOut: screen.out, writeErr: (text) => screen.err(shortenQuotes(text, argv)) })
    .configureHelp({ showGlobalOptions: showsAll, helpWidth: terminal.width ?? HELP_WIDTH })
    .addHelpText('after', '\n`mneme help <command>` shows its flags, `mneme --help --all` every setting.')
  const contracts = await neededContracts(argv, cli)
  const taken = new Set(
    contracts.flatMap((contract) => contract.operations.flatMap((operation) => toFlags(operation).map(({ option }) => option.long))),
  )
  const toggles = new Set<string>()
  const verdict = { code: 0 }
  let configured: Session | undefined
  const session = (): Session => {
    const { quiet, ...flags } = program.opts()
    configured ??= cli.configure(quiet === true ? { logLevel: 'error', ...flags } : flags)
    return configured
  }

  for (const setting of cli.settings) {
    // An argument of the operation takes precedence over a setting with the same flag; the setting keeps its variable.
    for (const flag of [setting.flag, ...setting.otherFlags]) {
      if (taken.has(flag)) continue
      const option = new Option(`${flag} <${setting.toggle ? 'true|false' : 'value'}>`, setting.description)
      program.addOption(showsAll && flag === setting.flag ? option : option.hideHelp())
      if (setting.toggle) toggles.add(flag)
    }
  }
  program.addOption(new Option('--json [input]', 'Tool input as JSON, or - for stdin; without a value, print JSON'))
  program.addOption(new Option('-o, --output <format>', 'Output format: text or json').choices(['json', 'text']))
  program.addOption(new Option('-q, --quiet', 'Print errors and results only'))
  program.addOption(new Option('--all', 'With --help: show every setting').hideHelp(!showsAll))

  const wanted = (): unknown => program.opts().output ?? (program.opts().json === true ? 'json' : undefined)
  const asText = (): boolean => (wanted() ?? (terminal.outputIsTerminal ? 'text' : 'json')) === 'text'
  const reader = (): Reader => ({ time: localTime, width: terminal.width ?? DEFAULT_WIDTH, owner: session().owner })
  const print = (answer: Answer, text: PlainText = renderText) =>
    asText()
      ? terminal.out(showEmphasis(printable(`${paragraph(text(answer, reader()), maskedLine(answer))}\n`), terminal.colours === true))
      : screen.out(`${printableJson(JSON.stringify(answer, null, terminal.outputIsTerminal ? 2 : undefined))}\n`)

  const printSettings = () => {
    const known = new Map(cli.settings.map((setting) => [setting.key, setting]))
    const rows = session()
      .describeConfig()
      .map((row) => ({ ...row, flag: known.get(row.key)?.flag, variable: known.get(row.key)?.variables[0] }))
    if (asText()) screen.out(`${rows.map(settingLine).join('\n')}\n`)
    else print({ settings: rows })
  }

  const runWith = async (operation: Operation, contract: string, input: Readonly<Record<string, unknown>>, command?: string) => {
    const { log, openHost, prepare } = session()
    const host = await openHost([contract])
    const answer = await runOperation({ host, log, terminal }, operation, prepare(operation, input))
    if (answer !== undefined && command === 'status')
      await print({ ...answer, shared_process: await session().sharedProcess() }, withSharedProcess(operation.text ?? renderText))
    // `call` prints the response of the contract; a command of its own prints the form for scripts.
    else if (answer !== undefined) await print(command === undefined ? answer : withPlainIds(answer), operation.text)
    // A report of damage is a response, but scripts check the exit code.
    if (answer?.healthy === false) verdict.code = ERRORS.storage.exit
  }

  const addOperation: AddOperation = (parent, name, contract, operation) => {
    const flags = toFlags(operation)
    const command = parent.command(name).summary(summaryOf(operation.description)).description(operation.description)
    operation.positionals.forEach((positional, index) => {
      command.argument(index === operation.positionals.length - 1 ? `[${positional}...]` : `[${positional}]`)
    })
    for (const { option, schema } of flags) {
      command.addOption(option)
      if (isToggle(schema) && option.long) toggles.add(option.long)
    }
    const needsConfirmation = operation.effect === 'destroy' && parent === program
    if (needsConfirmation) command.option('-y, --yes', 'Do not ask before deleting')
    const run = async () => {
      const json: unknown = program.opts().json
      const cliInput = {
        flags,
        values: command.opts(),
        positionals: command.processedArgs,
        json: typeof json === 'string' ? json : undefined,
      }
      try {
        const input = await collectInput(operation, cliInput, terminal)
        if (needsConfirmation && command.opts().yes !== true && !(await confirms(terminal, `${summaryOf(operation.description)}?`))) return
        await runWith(operation, contract, input, parent === program ? name : undefined)
      } catch (failure) {
        throw withUsage(failure, command)
      }
    }
    command.action(run)
    return { command, run }
  }

  const mcp = program
    .command('mcp')
    .description('Serve MCP over stdin and stdout')
    .option('--list-models', 'print the embedding models that are known by name, and end')
  mcp.action(async () => (mcp.opts().listModels === true ? print({ models: await cli.listModels() }) : session().serveMcp()))
  program
    .command('serve')
    .description('Serve MCP and REST over HTTP')
    .action(async () => session().serveHttp())
  addConsoleCommands(program, (command) => session().serveConsole(command))

  for (const [name, target] of Object.entries(cli.aliases)) {
    const [contract = '', tool = ''] = target.split('/')
    const operation = contracts.find((candidate) => candidate.name === contract)?.operations.find((candidate) => candidate.name === tool)
    if (operation === undefined) continue
    const { command, run } = addOperation(program, name, contract, operation)
    // Tool names are accepted in place of commands.
    if (!program.commands.some((known) => [known.name(), ...known.aliases()].includes(tool))) command.alias(tool)
    if (name !== 'status') continue
    command.option('--config', 'print the settings in force and where each came from')
    command.action(async () => (command.opts().config === true ? printSettings() : run()))
  }
  const ofCommands = contracts.filter(({ name }) => cli.operatorContracts.includes(name))
  addOperatorCommands(program, ofCommands, addOperation)
  for (const [name, other] of Object.entries(cli.otherNames)) program.commands.find((command) => command.name() === name)?.alias(other)
  program
    .command('restore')
    .summary('Replace the store with a backup')
    .description(
      'Replace the store with a copy made by `mneme backup`. The replaced store is kept next to it; no other process may have it open',
    )
    .argument('<file>')
    .action(async (file: string) => print(await session().restore(resolve(file))))
  program
    .command('migrate')
    .summary('Copy a store to another database')
    .description(
      'Copy a whole store, with journal and vectors, between a file and a server, and compare both; an interrupted copy continues',
    )
    .requiredOption('--from <url>', 'the store to copy: sqlite:<path> or postgres://...')
    .requiredOption('--to <url>', 'a new file, or an empty database')
    .action(async ({ from, to }: { from: string; to: string }) =>
      print(await session().migrate(from, to, (message) => screen.err(`${message}\n`))),
    )
  program
    .command('hook')
    .description('Handle a client hook event from stdin (called by clients)')
    .argument('<client>')
    .argument('[event]')
    .action(async (client: string, event: string | undefined) => {
      // Invalid settings are reported by the next command; the agent continues.
      const known = await Promise.resolve()
        .then(session)
        .catch(() => undefined)
      await known?.answerHook(client, event)
    })
  addSharedCommands({ program, stopShared: () => session().stopShared(), print })
  addClientCommands({ program, toggles, verdict, clients: () => session().clients(), print })
  addCall(program, { contractNames: cli.contractNames, contracts, list: screen.out, addOperation })
  program.command('settings').description('Print every setting, its value and its origin').action(printSettings)
  addCompletion(program, screen.out)
  addHelp(program)
  arrangeHelp(program)
  addUsageHints(program)
  return { program, toggles, verdict }
}

async function neededContracts(argv: readonly string[], cli: Cli): Promise<readonly Contract[]> {
  const [command, contract] = operandsOf(argv, cli)
  if (WITHOUT_CONTRACTS.has(command ?? '') || argv[0] === '--version' || argv[0] === '-V') return []
  const named =
    command === 'completion'
      ? cli.contractNames
      : command === 'call'
        ? [contract]
        : [...Object.values(cli.aliases).map((target) => target.split('/')[0]), ...cli.operatorContracts]
  return cli.loadContracts(cli.contractNames.filter((name) => named.includes(name)))
}

/** The words of a command line that are neither flags nor their values. */
function operandsOf(argv: readonly string[], { settings }: Cli): readonly string[] {
  const flags = settings.filter(({ toggle }) => !toggle).flatMap(({ flag, otherFlags }) => [flag, ...otherFlags])
  const valued = new Set(['--json', '--output', '-o', ...flags])
  return argv.filter((word, index) => !word.startsWith('-') && !valued.has(argv[index - 1] ?? ''))
}

function settingLine(row: { readonly flag: string | undefined; readonly value: unknown; readonly origin: string }): string {
  return `${(row.flag ?? '').padEnd(28)} ${(row.value === null ? '-' : Array.isArray(row.value) ? row.value.join(',') : String(row.value)).padEnd(24)} ${row.origin}`
}
