import { type Command, Option } from 'commander'
import type { Answer } from '../../contracts/operation.js'
import type { PlainText } from '../../contracts/plain-text.js'
import { ERRORS } from '../../errors.js'

interface ClientChoice {
  readonly names: readonly string[]
  readonly project: boolean
  readonly dryRun: boolean
}

interface ClientInstall extends ClientChoice {
  readonly hooks: boolean
  readonly http: boolean
  readonly replace: boolean
}

interface Change {
  readonly client: string
  readonly file: string
  readonly action: string
  readonly diff?: readonly string[]
  readonly backup?: string
  readonly problem?: string
  readonly hint?: string
}

interface Report {
  readonly changes: readonly Change[]
  readonly check?: { readonly works: boolean; readonly tools: number; readonly problem?: string }
  readonly notes: readonly string[]
}

/** Installation into the configuration of clients. */
export interface ClientCommands {
  install(choice: ClientInstall): Promise<Report>
  uninstall(choice: ClientChoice): Promise<Report>
  list(): readonly {
    readonly client: string
    readonly title: string
    readonly state: string
    readonly file: string
    readonly note?: string
  }[]
  print(
    names: readonly string[],
    http: boolean,
  ): readonly {
    readonly client: string
    readonly file?: string
    readonly text: string
    readonly command?: string
    readonly link?: string
  }[]
}

interface CliContext {
  readonly program: Command
  readonly toggles: Set<string>
  readonly verdict: { code: number }
  clients(): Promise<ClientCommands>
  print(answer: Answer, text: PlainText): void | Promise<void>
}

/** `install`, `uninstall` and `clients`. */
export function addClientCommands({ program, toggles, verdict, clients, print }: CliContext): void {
  const toggle = (flag: string, description: string): Option => {
    toggles.add(flag)
    return new Option(`${flag} <true|false>`, description)
  }
  const isOn = (command: Command, name: string): boolean => command.opts()[name] === 'true'
  const printReport = async (report: Report, command: Command): Promise<void> => {
    const how = { isPlanned: isOn(command, 'dryRun'), isVerbose: command.opts().verbose === true }
    await print({ ...report }, () => reportText(report, how))
    if (report.changes.some(({ action }) => action === 'refused')) verdict.code = ERRORS.forbidden.exit
    else if (report.check?.works === false) verdict.code = ERRORS.unavailable.exit
  }

  const install = program
    .command('install')
    .summary('Add mneme to MCP clients on this machine')
    .description(
      'Add mneme to the programs on this machine that can use it: all that are found, or those named. `mneme clients` lists them.',
    )
    .argument('[client...]')
    .addOption(toggle('--project', 'in the file of the current project instead of the user file'))
    .addOption(toggle('--hooks', 'also remember and recall by itself, where the client has hooks'))
    .addOption(toggle('--http', 'connect to a running `mneme serve` rather than start a process per client'))
    .addOption(toggle('--dry-run', 'only show what would change'))
    .addOption(toggle('--print', 'print the entry to add by hand, also for clients that are not known'))
    .option('-v, --verbose', 'Show every changed line and the file as it was')
    .addOption(toggle('--replace', 'also replace a server of the same name that this program did not write'))
  install.action(async (names: readonly string[]) => {
    const installer = await clients()
    const http = isOn(install, 'http')
    if (isOn(install, 'print')) {
      const entries = installer.print(names, http)
      return print({ entries }, () => entries.map(entryText).join('\n'))
    }
    await printReport(
      await installer.install({
        names,
        http,
        project: isOn(install, 'project'),
        hooks: isOn(install, 'hooks'),
        dryRun: isOn(install, 'dryRun'),
        replace: isOn(install, 'replace'),
      }),
      install,
    )
  })

  const uninstall = program
    .command('uninstall')
    .summary('Remove mneme from MCP clients')
    .description('Remove mneme from the clients it was added to: all, or those named. Stored memories stay.')
    .argument('[client...]')
    .option('-v, --verbose', 'Show every changed line')
    .addOption(toggle('--project', 'from the file of the current project'))
    .addOption(toggle('--dry-run', 'only show what would change'))
  uninstall.action(async (names: readonly string[]) => {
    const installer = await clients()
    await printReport(
      await installer.uninstall({ names, project: isOn(uninstall, 'project'), dryRun: isOn(uninstall, 'dryRun') }),
      uninstall,
    )
  })

  program
    .command('clients')
    .description('List supported clients and whether mneme is installed')
    .action(async () => {
      const list = (await clients()).list()
      await print({ clients: list }, () => list.map(stateLine).join('\n'))
    })
}

/** Wording of a dry run. */
const OUTCOME_WORDS: Readonly<Record<string, string>> = {
  installed: 'would install',
  updated: 'would update',
  removed: 'would remove',
  restored: 'would restore',
  unchanged: 'no change',
}

function reportText({ changes, check, notes }: Report, how: { readonly isPlanned: boolean; readonly isVerbose: boolean }): string {
  const actionOf = (action: string): string => (how.isPlanned ? (OUTCOME_WORDS[action] ?? action) : action)
  const lines = changes.map(({ client, file, action, diff = [], backup, problem, hint }) =>
    [
      action === 'refused'
        ? `${client}: ${problem ?? ''}${hint === undefined ? '' : `\n  ${hint}`}`
        : `${client}: ${actionOf(action)} (${file})`,
      ...(how.isVerbose ? diff.map((line) => `  ${line}`) : []),
      ...(!how.isVerbose || backup === undefined ? [] : [`  the file as it was: ${backup}`]),
    ].join('\n'),
  )
  const verdict =
    check === undefined
      ? []
      : [check.works ? `Checked: the server starts and lists ${check.tools} tools.` : `The check failed. ${check.problem ?? ''}`]
  return [...(lines.length === 0 ? ['Nothing to do.'] : lines), ...notes, ...verdict].join('\n')
}

function stateLine({ title, client, state, file, note }: ReturnType<ClientCommands['list']>[number]): string {
  return `${client.padEnd(16)}${title.padEnd(18)}${state.padEnd(12)}${note ?? file}`
}

function entryText({ client, file, text, command, link }: ReturnType<ClientCommands['print']>[number]): string {
  return [
    `# ${client}${file === undefined ? '' : `: ${file}`}`,
    text.trimEnd(),
    ...(command === undefined ? [] : [`# or: ${command}`]),
    ...(link === undefined ? [] : [`# or open: ${link}`]),
  ].join('\n')
}
