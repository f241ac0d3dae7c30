import { randomUUID } from 'node:crypto'
import type { Readable } from 'node:stream'
import { MemoryError, toMemoryError } from '../../errors.js'
import type { Host } from '../host.js'
import type { Log } from '../log.js'
import { finishesWithin } from '../shutdown.js'

/** Longer input contains pasted text. */
const MAX_INPUT_CHARS = 2_000_000
/** A parent that leaves its pipe open and empty must not delay the agent. */
const INPUT_MS = 2000
/** Time limit of the whole hook, even if the store is locked or damaged. */
const ALL_MS = 5000
/** Time limit for reaching a server, which normally responds much sooner. */
export const SERVER_MS = 1000
/** Problems of the store, which are reported to the user; malformed input of clients is not. */
const WORTH_TELLING: readonly string[] = ['unavailable', 'storage', 'timeout']

interface HookCall {
  readonly client: string
  readonly event: string | undefined
  open(): Promise<Host>
  /** Time limit for opening the store. */
  readonly openMs?: number
  readonly input: Readable & { readonly isTTY?: boolean }
  readonly log: Pick<Log, 'warn' | 'debug'>
  out(text: string): void
}

/** Reads a hook event, runs the operation and writes its response, if any. Failures never stop the agent. */
export async function answerHook(call: HookCall): Promise<void> {
  const { client, event, log } = call
  let hasReported = false
  const report = (failure: unknown): void => {
    if (hasReported) return
    hasReported = true
    const { code, message } = toMemoryError(failure)
    log[WORTH_TELLING.includes(code) ? 'warn' : 'debug']('A hook was left out', { client, event, code, reason: message })
  }
  if (!(await finishesWithin(answered(call).catch(report), ALL_MS))) report(tooLate(ALL_MS))
}

const tooLate = (ms: number): MemoryError => new MemoryError('timeout', `The memory did not answer within ${ms / 1000} s.`)

async function answered({ client, event, open, openMs = ALL_MS, input, out }: HookCall): Promise<void> {
  const payload = await readPayload(input)
  if (payload === undefined) return
  const opening = open().then(async (host) => ({ host, engine: await host.engine() }))
  if (!(await finishesWithin(opening, openMs))) throw tooLate(openMs)
  const { host, engine } = await opening
  const operation = host.contracts.flatMap(({ operations }) => operations).find(({ name }) => name === 'hook')
  const answer = await operation?.call(
    { context: engine.context(), actor: `hook:${client}`, connection: randomUUID(), progress: () => undefined },
    { client, payload, ...(event === undefined ? {} : { event }) },
  )
  if (answer !== undefined && Object.keys(answer).length > 0) out(`${JSON.stringify(answer)}\n`)
  await host.close()
}

async function readPayload(input: HookCall['input']): Promise<object | undefined> {
  if (input.isTTY === true) return undefined
  const chunks: Buffer[] = []
  let size = 0
  const read = (async (): Promise<boolean> => {
    for await (const chunk of input) {
      const bytes = Buffer.from(chunk)
      size += bytes.length
      // Reads to the end, because an interrupted writer reports a failure.
      if (size <= MAX_INPUT_CHARS) chunks.push(bytes)
    }
    return true
  })()
  const done = await finishesWithin(
    read.catch(() => false),
    INPUT_MS,
  )
  if (!done || size === 0 || size > MAX_INPUT_CHARS) return undefined
  const value: unknown = JSON.parse(Buffer.concat(chunks).toString('utf8'))
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined
}
