#!/usr/bin/env node
import { fileURLToPath } from 'node:url'
import { ERRORS } from './errors.js'
import { answerAtOnce } from './surfaces/cli/prepared-texts.js'
import { printable } from './surfaces/printable.js'
import { EXIT_TAKEN, SHARED_COMMAND } from './surfaces/shared-process/command.js'

// Every start reads all modules imported here: printing needs these, and forwarding loads its own.
const MIN_NODE = { major: 20, minor: 11 }

async function main(argv: readonly string[]): Promise<number> {
  const [command, dataDir, path] = argv
  if (command === SHARED_COMMAND && dataDir !== undefined && path !== undefined) {
    const { takeSharedLock } = await import('./program/process-lock.js')
    const lock = takeSharedLock(dataDir, path)
    if (lock === undefined) return EXIT_TAKEN
    const { runSharedProcess } = await import('./program/shared-process.js')
    await runSharedProcess(dataDir, path, lock)
    return 0
  }
  const text = answerAtOnce(argv, {
    manifest: new URL('../package.json', import.meta.url),
    texts: new URL('./texts.json', import.meta.url),
  })
  if (text !== undefined) {
    await new Promise<void>((resolve) => process.stdout.write(text, () => resolve()))
    return 0
  }
  const { forwardFrom } = await import('./program/forwarding.js')
  const forwarded = await forwardFrom(argv, fileURLToPath(import.meta.url), {
    serveHere: async () => (await import('./program/run-here.js')).serveHere(argv),
  })
  if ('code' in forwarded) return forwarded.code
  const { runHere } = await import('./program/run-here.js')
  return runHere(argv, forwarded)
}

function fail(error: unknown): never {
  process.stderr.write(`mneme: ${printable(error instanceof Error ? error.message : String(error))}\n`)
  process.exit(1)
}

/** Buffered output is written before the process exits, and a write failure is reported first. */
function exit(code: number): void {
  process.stdout.write('', () => setImmediate(() => process.exit(code)))
}

/** A reader may close the pipe early (`mneme ... | head`); any other write failure loses data. */
function loseOutput(error: Error): never {
  if ('code' in error && error.code === 'EPIPE') process.exit(0)
  process.stderr.write(
    `The output could not be written: ${printable(error.message)}.\nMake room, or send it elsewhere, and run the command again.\n`,
  )
  process.exit(ERRORS.storage.exit)
}

process.on('uncaughtException', fail)
process.on('unhandledRejection', fail)
process.stdout.on('error', loseOutput)

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
if (major < MIN_NODE.major || (major === MIN_NODE.major && minor < MIN_NODE.minor))
  fail(`Node ${MIN_NODE.major}.${MIN_NODE.minor} or newer is needed; this is ${process.versions.node}.`)
main(process.argv.slice(2)).then(exit, fail)
