import { setImmediate } from 'node:timers/promises'
import { asNumber, type Connection, each, type RowStream } from './plan.js'

const PAGE_SIZE = 500

/** Takes each row once and records progress, so that an interrupted read can be repeated from the start. */
export function onceInOrder(reading: RowStream): {
  readonly last: number
  readonly taken: number
  take(values: readonly unknown[]): void
} {
  let last = 0
  let taken = 0
  return {
    get last() {
      return last
    },
    get taken() {
      return taken
    },
    take(values) {
      const place = asNumber(values[0], 'rid')
      if (place <= last) return
      last = place
      taken++
      reading.take(values)
    },
  }
}

/** Reads all rows and yields in between. */
export async function streamRows(connection: Connection, reading: RowStream): Promise<void> {
  if (connection.streamRows !== undefined) return connection.streamRows(reading)
  await readPages(connection, reading, onceInOrder(reading))
}

/** Reads pages until one is not full or the target count is reached. */
export async function readPages(
  connection: Connection,
  reading: RowStream,
  rows: ReturnType<typeof onceInOrder>,
  isEnough: () => boolean = () => false,
): Promise<'all' | 'enough'> {
  for (;;) {
    const before = rows.taken
    await connection.read(() => each(rows.take, reading.query(rows.last, PAGE_SIZE)))
    if (rows.taken - before < PAGE_SIZE) return 'all'
    if (isEnough()) return 'enough'
    await setImmediate()
  }
}
