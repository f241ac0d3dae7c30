import { PassThrough } from 'node:stream'
import { ERRORS } from '../errors.js'
import { takesColours } from '../surfaces/cli/colours.js'
import type { LocalRun } from '../surfaces/shared-process/forward.js'
import type { Upstream } from '../surfaces/shared-process/relay-mcp.js'
import { type McpStreams, type ProgramIo, runProgram } from './run-program.js'

/** Runs a command in this process, on its own streams. */
export function runHere(argv: readonly string[], { input = process.stdin, key }: LocalRun): Promise<number> {
  return runProgram(argv, {
    ...ownIo(async (serve) => {
      // A closed output stream causes an orderly end.
      process.stdout.removeAllListeners('error')
      endAtRepeatedSignal()
      await serve({ input, output: process.stdout })
      // Responses had time to be written; a client that does not read must not keep the process alive.
      process.exit(0)
    }, input),
    ...(key === undefined ? {} : { key }),
  })
}

/** A server in this process, for a client whose shared process cannot be replaced. */
export async function serveHere(argv: readonly string[]): Promise<Upstream> {
  const input = new PassThrough()
  const output = new PassThrough()
  const streams: McpStreams = { input: output, output: input }
  void runProgram(
    argv,
    ownIo(async (serve) => void (await serve(streams))),
  ).finally(() => input.end())
  return { input, output, reads: new Set() }
}

const ownIo = (serveMcp: ProgramIo['serveMcp'], input: LocalRun['input'] = process.stdin): ProgramIo => ({
  terminal: {
    input,
    outputIsTerminal: process.stdout.isTTY === true,
    errorIsTerminal: process.stderr.isTTY === true,
    ...(process.stdout.columns === undefined ? {} : { width: process.stdout.columns }),
    colours: takesColours(process.stdout.isTTY === true, process.env),
    // A write failure ends the process by an event; until then the command must not continue as if it had succeeded.
    out: (text) => new Promise<void>((resolve) => process.stdout.write(text, (error) => (error ? undefined : resolve()))),
    err: (text) => void process.stderr.write(text),
  },
  env: process.env,
  cwd: process.cwd(),
  serveMcp,
  exit: (code) => process.stdout.write('', () => process.exit(code)),
})

/** The first signal requests an orderly end, the second an immediate one. */
function endAtRepeatedSignal(): void {
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.once(name, () => process.once(name, () => process.exit(ERRORS.cancelled.exit)))
}
