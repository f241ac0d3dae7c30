import { PassThrough } from 'node:stream'
import { ERRORS } from './errors.js'
import { type McpStreams, type ProgramIo, runProgram } from './run-program.js'
import { takesColours } from './surfaces/cli/colours.js'
import type { Unforwarded } from './surfaces/shared-process/forward.js'
import type { Upstream } from './surfaces/shared-process/relay-mcp.js'

/** Carries a command out in this process, on its own streams. */
export function runHere(argv: readonly string[], { input = process.stdin, key }: Unforwarded): Promise<number> {
  return runProgram(argv, {
    ...ownIo(async (serve) => {
      // Losing the reader is a reason for an orderly end here, as any other.
      process.stdout.removeAllListeners('error')
      endAtRepeatedSignal()
      await serve({ input, output: process.stdout })
      // Its answers have had their time to go out: a client that does not read must not keep the process.
      process.exit(0)
    }, input),
    ...(key === undefined ? {} : { key }),
  })
}

/** A server in this process, for a client whose shared process is gone and cannot be replaced. */
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

const ownIo = (serveMcp: ProgramIo['serveMcp'], input: Unforwarded['input'] = process.stdin): ProgramIo => ({
  terminal: {
    input,
    outputIsTerminal: process.stdout.isTTY === true,
    errorIsTerminal: process.stderr.isTTY === true,
    ...(process.stdout.columns === undefined ? {} : { width: process.stdout.columns }),
    colours: takesColours(process.stdout.isTTY === true, process.env),
    // A failed write ends the process by its event: until then the command must not go on as if it had succeeded.
    out: (text) => new Promise<void>((resolve) => process.stdout.write(text, (error) => (error ? undefined : resolve()))),
    err: (text) => void process.stderr.write(text),
  },
  env: process.env,
  cwd: process.cwd(),
  serveMcp,
  exit: (code) => process.stdout.write('', () => process.exit(code)),
})

/** The first signal asks for an orderly end, the same again for an immediate one. */
function endAtRepeatedSignal(): void {
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.once(name, () => process.once(name, () => process.exit(ERRORS.cancelled.exit)))
}
