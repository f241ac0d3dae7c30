import type { Command } from 'commander'
import { MemoryError } from '../../errors.js'

/** What a command line that cannot be understood is answered with, beside what was wrong: how the command is called. */
export function addUsageHints(program: Command): void {
  program.showHelpAfterError(`${dashHint(program)}${hintFor(program)}`)
  program.commands.forEach(addUsageHints)
}

/** Tools name no command: one that was called from the shell with the wrong arguments says how it is called there. */
export function withUsage(failure: unknown, command: Command): unknown {
  if (!(failure instanceof MemoryError) || failure.code !== 'invalid_input' || failure.hint !== undefined) return failure
  const { code, message, details, reason, cause } = failure
  return new MemoryError(code, message, { hint: hintFor(command), details, reason, cause })
}

const hintFor = (command: Command): string =>
  `Usage: ${command.createHelp().commandUsage(command)}. \`${nameOf(command)} --help\` tells more.`

const dashHint = (command: Command): string =>
  command.registeredArguments.length > 0 ? 'A text that begins with a dash goes behind --. ' : ''

function nameOf(command: Command): string {
  return command.parent === null ? command.name() : `${nameOf(command.parent)} ${command.name()}`
}

const MAX_QUOTED_CHARS = 200

/** A message without the rest of long arguments that it quotes: a text given by mistake would fill the terminal. */
export const shortenQuotes = (message: string, argv: readonly string[]): string =>
  argv
    .filter((word) => word.length > MAX_QUOTED_CHARS)
    .reduce((text, word) => text.replaceAll(word, `${word.slice(0, MAX_QUOTED_CHARS - 3)}...`), message)
