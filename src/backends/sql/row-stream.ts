import { setImmediate } from 'node:timers/promises'
import { asNumber, type Connection, each, type RowStream } from './plan.js'

const PAGE_SIZE = 500

/** Takes each row once, and tells how far it is: what was lost in the middle is read again from its beginning. */
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

/** Reads all rows; others have their turn in between. */
export async function streamRows(connection: Connection, reading: RowStream): Promise<void> {
  if (connection.streamRows !== undefined) return connection.streamRows(reading)
  await readPages(connection, reading, onceInOrder(reading))
}

/** Page after page, until one is not full or there are enough of them. */
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
