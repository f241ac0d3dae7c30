import { parentPort, workerData } from 'node:worker_threads'
import { asNumber } from '../sql/plan/plan.js'
import { gatheringStatement, readColumns } from './columnar-read.js'
import { driverNamed } from './driver-choice.js'
import type { AheadAnswer, AheadOrder } from './read-ahead-messages.js'

// The thread of read-ahead.ts, with a connection of its own. If it fails, the main thread reads by itself.
const order: AheadOrder = workerData
const db = driverNamed(order.driver).open(order.file, { readonly: true, mustExist: true })
const pages = db.prepare(gatheringStatement(order.text, order.kinds))
const places = db.prepare(`WITH skipped AS (${order.text}) SELECT coalesce(max(rid), 0) FROM skipped`)

let after = asNumber(places.value(...order.values, 0, order.skip), 'rid')
answer({ after })

parentPort?.on('message', () => {
  const page = readColumns(pages, [...order.values, after, order.page])
  const places: unknown = JSON.parse(String(page[0]))
  const last: unknown = Array.isArray(places) ? places.at(-1) : undefined
  if (last === undefined) return answer({ page: undefined })
  after = asNumber(last, 'rid')
  answer({ page }, page.flatMap(bufferOf))
})

/** Buffers to transfer instead of copying. */
function bufferOf(value: unknown): readonly ArrayBuffer[] {
  if (!(value instanceof Uint8Array) || !(value.buffer instanceof ArrayBuffer)) return []
  return value.byteLength === value.buffer.byteLength ? [value.buffer] : []
}

function answer(message: AheadAnswer, handed: readonly ArrayBuffer[] = []): void {
  parentPort?.postMessage(message, handed)
}
