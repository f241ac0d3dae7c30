import { Argument, type Command } from 'commander'
import { knownHint } from '../../errors/known-names.js'
import { MemoryError } from '../../errors.js'

const GROUPS = {
  memory: 'Memory:',
  knowledge: 'Code and documents:',
  clients: 'Clients and hooks:',
  data: 'History and transfer:',
  care: 'State and maintenance:',
  server: 'Server:',
  more: 'More:',
} as const

/** Commands in the order of the help: group, summary, and further lines of the command's own help. */
const COMMANDS: readonly (readonly [name: string, group: keyof typeof GROUPS, summary: string, ...examples: string[]])[] = [
  ['remember', 'memory', 'Store a fact, decision, preference, correction or event', 'mneme remember "Staging runs Postgres 17"'],
  [
    'recall',
    'memory',
    'Find what was said, decided or preferred before',
    'mneme recall "which Postgres version does staging run?"',
    'mneme recall -n 3 --full "release process"',
  ],
  ['search', 'memory', 'Rank current memories by meaning only (cosine)'],
  ['list', 'memory', 'List memories, newest first, including ended ones', 'mneme list -n 50', "mneme list | jq -r '.memories[].id'"],
  ['show', 'memory', 'Show memories by id, with their dates and versions', 'mneme show rkf9hv'],
  ['edit', 'memory', 'Correct a memory in place', 'mneme edit rkf9hv "Staging runs Postgres 18"'],
  ['forget', 'memory', 'Delete memories; they can be restored for a while', 'mneme forget rkf9hv puy79b', 'mneme forget --forever rkf9hv'],
  ['trash', 'memory', 'List, restore or erase deleted memories', 'mneme trash', 'mneme trash restore rkf9hv'],
  ['index', 'knowledge', 'Index the code in a folder, or update its index', 'mneme index .', 'mneme index . --wait'],
  ['code', 'knowledge', 'Find functions, classes and passages in indexed projects', 'mneme code "where are tokens verified?"'],
  ['projects', 'knowledge', 'List the ids of indexed projects'],
  ['project', 'knowledge', 'Confirm that a folder shares the memory of its repository', 'mneme project confirm .'],
  ['ingest', 'knowledge', 'Capture a folder, file, PDF or web page as evidence', 'mneme ingest docs/handbook.pdf'],
  ['install', 'clients', 'Add mneme to MCP clients on this machine', 'mneme install --hooks', 'mneme install claude-code --dry-run'],
  ['uninstall', 'clients', 'Remove mneme from MCP clients'],
  ['clients', 'clients', 'List supported clients and whether mneme is installed'],
  ['mcp', 'clients', 'Serve MCP over stdin and stdout'],
  ['hook', 'clients', 'Handle a client hook event from stdin (called by clients)'],
  ['pause', 'clients', 'Suspend hook capture and recall; 0 resumes', 'mneme pause 60', 'mneme pause 0'],
  ['forget-last', 'clients', 'Delete what hooks captured from the last prompt'],
  ['history', 'data', 'Show changes, newest first', 'mneme history rkf9hv'],
  ['undo', 'data', 'Revert one change, or one run of a job', 'mneme undo 42'],
  ['export', 'data', 'Write memories as JSON Lines, a Markdown folder, server-memory or CSV', 'mneme export memory.jsonl'],
  [
    'import',
    'data',
    'Import memories of other programs, or of `mneme export`; without a path, list them',
    'mneme import memory.jsonl',
    'mneme import < memory.jsonl',
  ],
  ['backup', 'data', 'Copy the store to a file while it is in use'],
  ['restore', 'data', 'Replace the store with a backup'],
  ['migrate', 'data', 'Copy a store to another database', 'mneme migrate --from sqlite:memory.db --to postgres://user@host/db'],
  ['status', 'care', 'Health, counts and embedding model state'],
  ['doctor', 'care', 'Check the store, journal, indexes and models; changes nothing'],
  ['mend', 'care', 'Repair future-dated rows and remove dangling edges'],
  ['reindex', 'care', 'Rebuild words and links, or vectors, from the stored facts'],
  ['compact', 'care', 'Reclaim free space and apply journal retention'],
  ['jobs', 'care', 'List background jobs, or run one now', 'mneme jobs run deduplicate'],
  ['stop', 'care', 'End the process that commands and clients of this store share'],
  ['console', 'care', 'See, search and correct the memory in a browser'],
  ['demo', 'care', 'Open the console on about 2,000 example memories in a temporary folder'],
  ['serve', 'server', 'Serve MCP and REST over HTTP', 'mneme serve --port 7077'],
  ['keys', 'server', 'Manage API keys: create, list, revoke', 'mneme keys create --owner ann'],
  ['node', 'server', "Print this node's id and public key"],
  ['peers', 'server', 'Manage federation peers: add, list, remove, sync'],
  [
    'call',
    'more',
    'Call any tool: mneme call <contract> <tool>',
    'mneme call graph get_trace --help',
    `mneme call memory recall --json '{"query": "tea"}'`,
  ],
  ['settings', 'more', 'Print every setting, its value and its origin'],
  ['completion', 'more', 'Print a shell completion script', 'source <(mneme completion bash)'],
  ['help', 'more', 'Show help for a command', 'mneme help recall'],
]

/** Groups the commands, sets their summaries and adds examples to their help. */
export function arrangeHelp(program: Command): void {
  for (const [name, group, summary, ...examples] of COMMANDS) {
    const command = program.commands.find((candidate) => candidate.name() === name)
    if (command === undefined) continue
    command.summary(summary).helpGroup(GROUPS[group])
    if (command.description() === '' || command.description() === name) command.description(summary)
    if (examples.length > 0) command.addHelpText('after', `\nExamples:\n${examples.map((line) => `  ${line}`).join('\n')}`)
  }
  const place = (command: Command): number => {
    const at = COMMANDS.findIndex(([name]) => name === command.name())
    return at < 0 ? COMMANDS.length : at
  }
  // Groups appear in the order of their first commands.
  const commands = program.commands as Command[]
  commands.sort((a, b) => place(a) - place(b))
  // Arguments and flags appear only in the help of the command itself.
  program.configureHelp({ ...program.configureHelp(), subcommandTerm: (command) => command.name() })
}

/** `help` for a command or a command of a group; an unknown word is rejected with the closest match. */
export function addHelp(program: Command): void {
  program.helpCommand(false)
  const help = program.command('help').addArgument(new Argument('[command...]', 'the words of the command'))
  help.action((words: readonly string[]) => {
    let found = program
    for (const word of words) {
      const next = found.commands.find((command) => command.name() === word || command.aliases().includes(word))
      if (next === undefined)
        throw new MemoryError('invalid_input', `There is no command "${words.join(' ')}".`, {
          hint: knownHint(
            word,
            found.commands.map((command) => command.name()),
          ),
        })
      found = next
    }
    found.outputHelp()
  })
}
