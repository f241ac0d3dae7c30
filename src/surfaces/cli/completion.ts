import { Argument, type Command, type Option } from 'commander'

/** A command with the words that may follow it. */
interface CompletedCommand {
  /** The words of the command, after the name of the program. */
  readonly path: readonly string[]
  readonly words: readonly { readonly word: string; readonly about: string }[]
}

const SHELLS = ['bash', 'zsh', 'fish'] as const
type Shell = (typeof SHELLS)[number]

/** Must be called after all other commands are added. */
export function addCompletion(program: Command, print: (text: string) => void): void {
  const scripts: Readonly<Record<Shell, (commands: readonly CompletedCommand[]) => string>> = {
    bash: bashScript,
    zsh: zshScript,
    fish: fishScript,
  }
  program
    .command('completion')
    .summary('Print a shell completion script')
    .description('Print a script for a shell: source <(mneme completion bash); the same with zsh; mneme completion fish | source')
    .addArgument(new Argument('<shell>').choices(SHELLS))
    .action((shell: Shell) => print(scripts[shell](commandsOf(program, []))))
}

function commandsOf(command: Command, path: readonly string[]): readonly CompletedCommand[] {
  const shown = command.options.filter(({ hidden, long }) => !hidden && long !== undefined)
  const words = [
    ...command.commands.map((child) => ({ word: child.name(), about: child.summary() || child.description() })),
    ...command.registeredArguments.flatMap(({ argChoices = [] }) => argChoices.map((word) => ({ word, about: '' }))),
    ...shown.map(toWord),
  ]
  return [{ path, words }, ...command.commands.flatMap((child) => commandsOf(child, [...path, child.name()]))]
}

const toWord = ({ long = '', description }: Option): CompletedCommand['words'][number] => ({ word: long, about: description })

/** The operands of the line; a shell finds the command by them. */
const key = (path: readonly string[]): string => path.join(' ')

const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`

/** One line, short enough for a list. */
const brief = (text: string): string => (text.split('\n', 1)[0] ?? '').slice(0, 70)

const bashScript = (commands: readonly CompletedCommand[]): string => `# completion of mneme for bash: source <(mneme completion bash)
_mneme() {
  local path='' word i
  for ((i = 1; i < COMP_CWORD; i++)); do
    word=\${COMP_WORDS[i]}
    case "$path $word" in
${commands
  .filter(({ path }) => path.length > 0)
  .map(({ path }) => `      ${quoted(` ${key(path)}`)}) path=${quoted(` ${key(path)}`)} ;;`)
  .join('\n')}
    esac
  done
  local words=''
  case "$path" in
${commands.map(({ path, words }) => `    ${quoted(path.length === 0 ? '' : ` ${key(path)}`)}) words=${quoted(words.map(({ word }) => word).join(' '))} ;;`).join('\n')}
  esac
  mapfile -t COMPREPLY < <(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}")
}
complete -o default -F _mneme mneme
`

const zshScript = (commands: readonly CompletedCommand[]): string => `#compdef mneme
# completion of mneme for zsh: source <(mneme completion zsh)
_mneme() {
  local at='' word
  local -a options
  for word in \${words[2,CURRENT-1]}; do
    case "$at $word" in
${commands
  .filter(({ path }) => path.length > 0)
  .map(({ path }) => `      ${quoted(` ${key(path)}`)}) at=${quoted(` ${key(path)}`)} ;;`)
  .join('\n')}
    esac
  done
  case "$at" in
${commands
  .map(
    ({ path, words }) =>
      `    ${quoted(path.length === 0 ? '' : ` ${key(path)}`)}) options=(${words.map(({ word, about }) => quoted(about === '' ? word : `${word}:${brief(about)}`)).join(' ')}) ;;`,
  )
  .join('\n')}
  esac
  _describe 'mneme' options || _files
}
compdef _mneme mneme
`

const fishScript = (commands: readonly CompletedCommand[]): string => `# completion of mneme for fish: mneme completion fish | source
function __mneme_at
  set -l path ''
  for word in (commandline -opc)[2..-1]
    switch "$path $word"
      case ${commands
        .filter(({ path }) => path.length > 0)
        .map(({ path }) => quoted(` ${key(path)}`))
        .join(' ')}
        set path "$path $word"
    end
  end
  test "$path" = "$argv[1]"
end
${commands
  .flatMap(({ path, words }) =>
    words.map(({ word, about }) => {
      const at = quoted(path.length === 0 ? '' : ` ${key(path)}`)
      const what = word.startsWith('--') ? `-l ${word.slice(2)}` : `-a ${quoted(word)}`
      return `complete -c mneme -n ${quoted(`__mneme_at ${at}`)} ${what}${about === '' ? '' : ` -d ${quoted(brief(about))}`}`
    }),
  )
  .join('\n')}
`
