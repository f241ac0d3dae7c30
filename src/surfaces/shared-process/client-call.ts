import type { Socket } from 'node:net'
import { z } from 'zod'

const helloSchema = z.object({
  mode: z.enum(['command', 'mcp', 'stop', 'info']),
  build: z.string(),
  argv: z.array(z.string()),
  env: z.record(z.string(), z.string()),
  cwd: z.string(),
  inputIsTerminal: z.boolean().default(false),
  outputIsTerminal: z.boolean().default(false),
  errorIsTerminal: z.boolean().default(false),
  width: z.int().positive().optional(),
  colours: z.boolean().default(false),
  key: z.string().optional(),
})

/** A call as sent by a client of the shared process. */
export interface SharedCall extends z.output<typeof helloSchema> {
  readonly socket: Socket
}

export function readHello(value: unknown): Omit<SharedCall, 'socket'> | undefined {
  const read = helloSchema.safeParse(value)
  return read.success ? read.data : undefined
}
