import type { Command } from 'commander'
import { MemoryError } from '../../errors.js'

/** Adds the usage of the command to errors of the command line. */
export function addUsageHints(program: Command): void {
  program.showHelpAfterError(`${dashHint(program)}${hintFor(program)}`)
  program.commands.forEach(addUsageHints)
}

/** Adds the usage of the command to input errors of an operation. */
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

/** Shortens quoted arguments in a message, because a long text would fill the terminal. */
export const shortenQuotes = (message: string, argv: readonly string[]): string =>
  argv
    .filter((word) => word.length > MAX_QUOTED_CHARS)
    .reduce((text, word) => text.replaceAll(word, `${word.slice(0, MAX_QUOTED_CHARS - 3)}...`), message)
