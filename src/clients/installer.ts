import { dirname } from 'node:path'
import { knownHint } from '../errors/known-names.js'
import { MemoryError } from '../errors.js'
import { type Client, type Server, serverEdit, standard } from './client.js'
import { codeOf } from './config-file.js'
import { commandsOf, filesOf, tracesOf } from './detect.js'
import type { Disk } from './disk.js'
import { ConfigProblem } from './edit/config-text.js'
import { putEntries, readEntry } from './edit/edit-config.js'
import { ENTRY } from './entry-name.js'
import type { HookCommand } from './hook-table.js'
import { hasHooks, hookTarget, isOlder, joined, NO_COMMAND, versionOf } from './hook-targets.js'
import { CLIENTS } from './known-clients.js'
import { type Machine, pathsOf } from './machine.js'
import { createReceipts } from './receipts.js'
import { installTarget, isMadeByHand, type Outcome, serverIn, type Target, uninstallTarget, type Workplace } from './target.js'
import { type Verdict, verify } from './verify.js'

export interface Choice {
  readonly names: readonly string[]
  readonly project: boolean
  readonly dryRun: boolean
}

interface InstallChoice extends Choice {
  readonly server: Server
  readonly replace: boolean
  /** Whether to install hooks, and their command. */
  readonly hooks: boolean
  readonly hookCommand: HookCommand
  /** Whether to start the server as installed and list its tools. */
  readonly check: boolean
}

export interface Report {
  readonly changes: readonly Outcome[]
  readonly check?: Verdict
  readonly notes: readonly string[]
}

interface ClientState {
  readonly client: string
  readonly title: string
  readonly state: 'not found' | 'found' | 'installed' | 'stale' | 'other' | 'unreadable'
  readonly file: string
  readonly note?: string
}

interface InstallerOptions {
  readonly disk: Disk
  readonly machine: Machine
  readonly dataDir: string
  /** The script that a client starts; an entry that names it belongs to this program. */
  readonly program: string
}

/** Adds mneme to the configuration of clients and removes it. */
export interface Installer {
  install(choice: InstallChoice): Promise<Report>
  uninstall(choice: Choice): Promise<Report>
  list(): readonly ClientState[]
  /** Instructions for manual setup. Unknown clients get the usual form. */
  print(names: readonly string[], server: Server): readonly PrintedEntry[]
}

interface PrintedEntry {
  readonly client: string
  readonly file?: string
  readonly text: string
  readonly command?: string
  readonly link?: string
}

export function createInstaller({ disk, machine, dataDir, program }: InstallerOptions): Installer {
  const place: Workplace = { disk, receipts: createReceipts(disk, dataDir), user: machine.user, program }
  const projectFileOf = (client: Client): string | undefined =>
    client.projectFile === undefined ? undefined : pathsOf(machine).join(projectRoot(disk, machine.cwd), client.projectFile)

  function targetsOf(client: Client, server: Server, project: boolean): readonly Target[] {
    const entry = client.entry(server)
    if (entry === undefined)
      throw new MemoryError('invalid_input', `${client.title} reaches no server over HTTP.`, { hint: 'Install it without --http.' })
    const own = projectFileOf(client)
    if (project && own === undefined)
      throw new MemoryError('invalid_input', `${client.title} knows no servers of a project.`, { hint: 'Install it without --project.' })
    const files = project && own !== undefined ? [own] : filesOf(disk, machine, client)
    const root = project ? projectRoot(disk, machine.cwd) : undefined
    return files.map((file) => ({ client, file, root, format: client.format, edits: [serverEdit(client, entry)] }))
  }

  /** Existing hooks are updated without being requested. */
  function hookTargetsOf(
    client: Client,
    how: { readonly hooks: boolean; readonly hookCommand: HookCommand; readonly project: boolean; readonly notes: string[] },
  ): readonly Target[] {
    const target = hookTarget(machine, client, how.hookCommand, how.project ? projectRoot(disk, machine.cwd) : undefined)
    if (target === undefined) {
      if (how.hooks) how.notes.push(`${client.title} has no hooks: it remembers and recalls when its model calls the tools.`)
      return []
    }
    if (hasHooks(disk, target)) return [target]
    if (!how.hooks) return []
    const version = versionOf(disk, machine, client)
    const since = client.hooks?.form.since ?? '0'
    if (version === undefined || !isOlder(version, since)) return [target]
    how.notes.push(
      `${client.title} ${version} is older than ${since}, with which the hooks were tried: they were left out. Update it and try again.`,
    )
    return []
  }

  /** Every file that may contain the entry, for removal. */
  function placesOf(client: Client, project: boolean): readonly Target[] {
    const own = projectFileOf(client)
    const files = project ? (own === undefined ? [] : [own]) : client.files(machine)
    const root = project ? projectRoot(disk, machine.cwd) : undefined
    const servers = files.map((file): Target => ({ client, file, root, format: client.format, edits: [serverEdit(client, null)] }))
    const hooks = hookTarget(machine, client, NO_COMMAND, root)
    return joined(hooks === undefined ? servers : [...servers, hooks])
  }

  function chosen(names: readonly string[]): readonly Client[] {
    return names.map((name) => {
      const client = CLIENTS.find((candidate) => candidate.name === name)
      if (client !== undefined) return client
      throw new MemoryError('invalid_input', `There is no client "${name}".`, {
        hint: `${knownHint(
          name,
          CLIENTS.map((known) => known.name),
        )} For any other: mneme install --print.`,
      })
    })
  }

  function toInstall(names: readonly string[]): readonly Client[] {
    if (names.length === 0) {
      const found = CLIENTS.filter((client) => tracesOf(disk, machine, client).length > 0)
      if (found.length > 0) return found
      throw new MemoryError('not_found', 'None of the clients that are known was found on this machine.', {
        hint: `Known: ${CLIENTS.map((client) => client.name).join(', ')}. For any other: mneme install --print.`,
      })
    }
    const clients = chosen(names)
    const absent = clients.find((client) => tracesOf(disk, machine, client).length === 0)
    if (absent === undefined) return clients
    const looked = [...absent.traces(machine), ...absent.programs.map((name) => `the command ${name}`)].join(', ')
    throw new MemoryError('not_found', `${absent.title} was not found on this machine (looked for ${looked}). Nothing was changed.`, {
      hint: `Start it once and try again, or add the entry by hand: mneme install ${absent.name} --print.`,
    })
  }

  return {
    async install({ names, project, dryRun, server, replace, check, hooks, hookCommand }) {
      const clients = toInstall(names)
      const changes: Outcome[] = []
      const notes: string[] = []
      for (const client of clients) {
        const commands = commandsOf(disk, machine, client)
        if (commands.length > 1)
          notes.push(`${client.title} is installed ${commands.length} times (${commands.join(', ')}); all of them read the same file.`)
        try {
          const targets = [...targetsOf(client, server, project), ...hookTargetsOf(client, { hooks, hookCommand, project, notes })]
          const outcomes: Outcome[] = []
          for (const target of joined(targets)) {
            const isRefused = outcomes.some(({ action }) => action === 'refused')
            // Hooks call the server; without it, or with another one, they would fail at every prompt.
            if (isRefused && !isServerFile(client.name, target.file)) notes.push(`The hooks of ${client.title} were left out with it.`)
            else outcomes.push(await installTarget(place, target, { write: !dryRun, replace }))
          }
          changes.push(...outcomes)
        } catch (failure) {
          // A client without support is an error if requested by name; otherwise it is skipped.
          if (!(failure instanceof MemoryError) || names.length > 0) throw failure
          notes.push(`${client.title} was left out: ${failure.message}`)
        }
      }
      const written = changes.find(({ client, file, action }) => action !== 'refused' && isServerFile(client, file))
      if (dryRun || !check || written === undefined) return { changes, notes }
      return { changes, notes, check: await verify(asWritten(written) ?? server, machine.env) }
    },
    async uninstall({ names, project, dryRun }) {
      const clients = names.length === 0 ? CLIENTS : chosen(names)
      const changes: Outcome[] = []
      for (const target of clients.flatMap((client) => placesOf(client, project))) {
        const outcome = await uninstallTarget(place, target, { write: !dryRun })
        if (outcome.action !== 'not there' || names.length > 0) changes.push(outcome)
      }
      return { changes, notes: [] }
    },
    list: () => CLIENTS.flatMap((client) => filesOf(disk, machine, client).map((file) => stateOf(client, file))),
    print: (names, server) => (names.length === 0 ? ['other'] : names).map((name) => printed(name, server)),
  }

  function isServerFile(name: string, file: string): boolean {
    const client = CLIENTS.find((candidate) => candidate.name === name)
    return client !== undefined && [...client.files(machine), projectFileOf(client)].includes(file)
  }

  /** The server as the client will read it from the file. */
  function asWritten({ client: name, file }: Outcome): Server | undefined {
    const client = CLIENTS.find((candidate) => candidate.name === name)
    return client === undefined ? undefined : serverIn(readEntry(client.format, disk.read(file).toString('utf8'), serverEdit(client, null)))
  }

  function stateOf(client: Client, file: string): ClientState {
    const named = { client: client.name, title: client.title, file }
    const isFound = tracesOf(disk, machine, client).length > 0
    if (!disk.has(file)) return { ...named, state: isFound ? 'found' : 'not found' }
    try {
      const server = serverIn(readEntry(client.format, disk.read(file).toString('utf8'), serverEdit(client, null)))
      if (server === undefined) return { ...named, state: 'found' }
      if (server.kind === 'http') return { ...named, state: 'installed', note: server.url }
      const gone = [server.command, ...server.args.slice(0, 1)].find((path) => pathsOf(machine).isAbsolute(path) && !disk.has(path))
      if (gone !== undefined) return { ...named, state: 'stale', note: `${gone} is not there any more; run mneme install ${client.name}` }
      if (!server.args.includes(program) && !isMadeByHand({ command: server.command, args: [...server.args] }))
        return { ...named, state: 'other', note: [server.command, ...server.args].join(' ') }
      return { ...named, state: 'installed' }
    } catch (failure) {
      return { ...named, state: 'unreadable', note: failure instanceof ConfigProblem ? failure.message : codeOf(failure) }
    }
  }

  function printed(name: string, server: Server): PrintedEntry {
    const client = CLIENTS.find((candidate) => candidate.name === name)
    const entry = client === undefined ? standard({ http: (url) => ({ type: 'http', url }) })(server) : client.entry(server)
    if (entry === undefined)
      throw new MemoryError('invalid_input', `${client?.title ?? name} reaches no server over HTTP.`, { hint: 'Leave --http out.' })
    if (client === undefined) return { client: name, text: `${JSON.stringify({ mcpServers: { [ENTRY]: entry } }, null, 2)}\n` }
    const [file] = filesOf(disk, machine, client)
    return {
      client: client.name,
      ...(file === undefined ? {} : { file }),
      text: putEntries(client.format, '', [serverEdit(client, entry)]).text,
      ...(client.ownCommand === undefined ? {} : { command: client.ownCommand(server) }),
      ...(client.link === undefined ? {} : { link: client.link(entry) }),
    }
  }
}

/** The root of the repository, or the working directory. */
function projectRoot(disk: Disk, cwd: string): string {
  for (let at = cwd; ; at = dirname(at)) {
    if (disk.has(`${at}/.git`)) return at
    if (dirname(at) === at) return cwd
  }
}
