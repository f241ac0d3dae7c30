import { randomUUID } from 'node:crypto'
import type { Readable, Writable } from 'node:stream'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { isServed } from '../../contracts/contract.js'
import type { Host } from '../host.js'
import { createDispatch } from '../host.js'
import type { Log } from '../log.js'
import type { EndReason } from '../shutdown.js'
import { finishesWithin, PARENT_POLL_MS, waitForOrphaning, waitForSignal } from '../shutdown.js'
import { LineTransport } from './line-transport.js'
import { createMcpServer } from './server.js'

/** After a signal the process ends within a second: running calls get most of it, closing the store the rest. */
const END_WITHIN_MS = 950
const CLOSING_MS = 150
/** A client that only closed its end (`printf ... | mneme mcp`) still reads, so its calls are answered first, including a cold start. */
const INPUT_END_GRACE_MS = 10_000

export interface StdioOptions {
  readonly host: Host
  readonly log: Log
  readonly input: Readable
  readonly output: Writable
  /** Further reasons to stop; by default signals and the loss of the parent process. */
  readonly endings?: readonly Promise<EndReason>[]
}

/** Serves until the connection or the process ends, and resolves when the store is closed. */
export async function serveMcpStdio({
  host,
  log,
  input,
  output,
  endings = [waitForSignal(), waitForOrphaning()],
}: StdioOptions): Promise<EndReason> {
  const transport = new LineTransport(input, output)
  const connection = randomUUID()
  const dispatch = createDispatch(host, log)
  const stops = [...endings, outputLoss(output)]
  const ended = Promise.race([...stops, inputEnd(input)])
  const contracts = host.contracts.filter(isServed)
  const factory = () => {
    const server = createMcpServer({ dispatch, log, version: host.version, contracts, connection })
    server.oninitialized = () => warmUp(host, log)
    return server
  }
  const handle = serveStdio(factory, { transport, onerror: (error) => log.debug('MCP connection', { error }) })
  const reason = await ended
  log.debug('Stopping', { reason })
  if (reason === 'stdin closed') await finishesWithin(Promise.race([transport.whenAnswered(), ...stops]), INPUT_END_GRACE_MS)
  // A lost parent is noticed after half a second at worst.
  const endWithin = reason === 'parent gone' ? END_WITHIN_MS - PARENT_POLL_MS : END_WITHIN_MS
  const since = performance.now()
  transport.stop()
  dispatch.stop()
  await finishesWithin(transport.whenAnswered(), endWithin - CLOSING_MS)
  await handle.close()
  const closed = await finishesWithin(host.close(), endWithin - (performance.now() - since))
  if (!closed) log.warn('The store did not close in time; what was acknowledged is on disk')
  return reason
}

/** Opens the store before the first call; a failure is reported to the caller of that call. */
function warmUp(host: Host, log: Log): void {
  setImmediate(() => {
    host.engine().catch((error: unknown) => log.warn('The store could not be opened', { error }))
  })
}

function inputEnd(input: Readable): Promise<EndReason> {
  return new Promise((resolve) => {
    for (const event of ['end', 'close', 'error']) input.on(event, () => resolve('stdin closed'))
  })
}

function outputLoss(output: Writable): Promise<EndReason> {
  return new Promise((resolve) => {
    for (const event of ['close', 'error']) output.on(event, () => resolve('stdout closed'))
  })
}
