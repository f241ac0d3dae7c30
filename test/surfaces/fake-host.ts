import { EventEmitter } from 'node:events'
import { z } from 'zod'
import { type Contract, contract } from '../../src/contracts/contract.js'
import { operation } from '../../src/contracts/operation.js'
import type { Engine } from '../../src/engine/engine.js'
import { MemoryError } from '../../src/errors.js'
import type { Host } from '../../src/surfaces/host.js'
import type { Log } from '../../src/surfaces/log.js'

const echo = operation({
  name: 'echo',
  title: 'Echo',
  description: 'Returns its input.',
  effect: 'read',
  idempotent: true,
  positionals: ['text'],
  input: z.strictObject({
    text: z.string().describe('What to say'),
    times: z.number().int().min(1).optional(),
    loud: z.boolean().optional(),
    tags: z.array(z.string()).optional(),
    user_id: z.string().optional(),
    tone: z.enum(['soft', 'sharp']).nullish(),
    extra: z.record(z.string(), z.unknown()).optional(),
  }),
  output: z.object({ said: z.string(), input: z.record(z.string(), z.unknown()) }),
  run: async (call, input) => ({
    said: input.text.repeat(input.times ?? 1),
    input: { ...input },
    actor: call.actor,
    connection: call.connection,
  }),
})

const fail = operation({
  name: 'fail',
  title: 'Fail',
  description: 'Fails in the way asked for.',
  effect: 'destroy',
  idempotent: false,
  input: z.strictObject({ how: z.enum(['missing', 'bug']).optional() }),
  output: z.object({}),
  run: async (_, { how }) => {
    if (how === 'bug') throw new TypeError('secret detail')
    throw new MemoryError('not_found', 'Memory not found: x', { hint: 'List the memories first.' })
  },
})

/** Tells that a call of `slow` has begun. */
export const slowCalls = new EventEmitter()

const slow = operation({
  name: 'slow',
  title: 'Slow',
  description: 'Reports progress, then waits until it is cancelled or the time is up.',
  effect: 'write',
  idempotent: true,
  longRunning: true,
  input: z.strictObject({ ms: z.number().int() }),
  output: z.object({ waited: z.number() }),
  run: async (call, { ms }) => {
    call.progress(1, 2, 'half way')
    slowCalls.emit('begun')
    await new Promise<void>((resolve, reject) => {
      const timer = setTimeout(resolve, ms)
      call.context.signal.addEventListener('abort', () => {
        clearTimeout(timer)
        reject(call.context.signal.reason)
      })
    })
    return { waited: ms }
  },
})

const shout = operation({
  name: 'shout',
  title: 'Shout',
  description: 'Reports its input as progress.',
  effect: 'read',
  idempotent: true,
  positionals: ['text'],
  input: z.strictObject({ text: z.string() }),
  output: z.object({}),
  run: async (call, { text }) => {
    call.progress(1, 2, text)
    return {}
  },
})

export const fakeContract: Contract = contract({
  name: 'fake',
  title: 'A contract for tests',
  instructions: 'Fake instructions.',
  operations: [echo, fail, slow],
})

/** Shares the tool name `echo`, and words its failures itself. */
export const otherContract: Contract = contract({
  name: 'other',
  title: 'Another contract',
  instructions: 'Other instructions.',
  operations: [echo, { ...fail, name: 'refuse' }],
  failure: (error) => ({ error_type: error.code, message: error.message }),
})

export const adminContract: Contract = contract({
  name: 'admin',
  audience: 'operator',
  title: 'Administration',
  instructions: '',
  operations: [{ ...echo, name: 'say_it' }, shout],
})

export interface FakeHost extends Host {
  opened: number
  closed: number
  broken: boolean
}

export function fakeHost(contracts: readonly Contract[] = [fakeContract]): FakeHost {
  // What a fake operation runs on is never asked for anything but itself.
  const engine: Engine = Object.assign(JSON.parse('{}'), {
    context: (call: object) => ({ store: {}, backlog: { model: async () => undefined }, embedder: { disabled: true, model: {} }, ...call }),
    keyRing: { hasGardens: async () => false },
  })
  return {
    version: '1.2.3',
    contracts,
    opened: 0,
    closed: 0,
    broken: false,
    async engine() {
      if (this.broken) throw new MemoryError('unavailable', 'The data directory is read-only.', { hint: 'Choose another with --data-dir.' })
      this.opened++
      return engine
    },
    async close() {
      this.closed++
    },
  }
}

export function memoryLog(): Log & {
  readonly lines: readonly { readonly level: string; readonly message: string; readonly fields: unknown }[]
} {
  const lines: { level: string; message: string; fields: unknown }[] = []
  const at = (level: string) => (message: string, fields?: unknown) => void lines.push({ level, message, fields })
  return { lines, debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') }
}
