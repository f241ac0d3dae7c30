import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import type { Connection, RowStream } from '../sql/plan/plan.js'
import { onceInOrder, readPages } from '../sql/plan/row-stream.js'
import { visitColumns } from './columnar-read.js'
import type { DriverName } from './driver.js'
import type { AheadAnswer, AheadOrder } from './read-ahead-messages.js'

/** Fewer rows are read before a thread has started. */
const MIN_ROWS_TO_READ_AHEAD = 20_000
/** Rows read here while the thread starts. */
const OWN_ROWS = 8000
const PAGE_SIZE = 2000
/** Maximum number of pages in the queue, which bounds memory. */
const MAX_QUEUED_PAGES = 4

const WORKER = new URL('./read-ahead-worker.js', import.meta.url)

interface File {
  readonly name: string
  readonly driver: DriverName
  /** For tests, which run from sources that a thread cannot load. */
  readonly worker?: URL
}

/**
 * Reads many rows on two cores: a thread reads pages ahead while earlier ones are processed here. Each has its own snapshot of the file; a
 * long read catches up with later writes in any case. Without a second core, for few rows, and after a failure of the thread, everything is
 * read here.
 */
export async function streamRowsAhead(connection: Connection, file: File, reading: RowStream): Promise<void> {
  const rows = onceInOrder(reading)
  const thread = reading.rows >= MIN_ROWS_TO_READ_AHEAD && availableParallelism() > 1 ? openThread(file, reading) : undefined
  try {
    const behind = thread?.behind
    const isReached = (): boolean => behind?.place !== undefined && rows.last >= behind.place
    if ((await readPages(connection, reading, rows, isReached)) === 'all' || thread === undefined) return
    for (let page = await thread.next(); page !== undefined; page = await thread.next()) {
      if (page === 'lost' || !visitColumns(page, reading.query(0, 0).kinds, rows.take)) {
        await readPages(connection, reading, rows)
        return
      }
    }
  } finally {
    await thread?.end()
  }
}

type Page = readonly unknown[] | undefined | 'lost'

interface ReadingThread {
  /** The row before its pages, once known. */
  readonly behind: { readonly place: number | undefined }
  next(): Promise<Page>
  end(): Promise<unknown>
}

function openThread({ name, driver, worker: program = WORKER }: File, reading: RowStream): ReadingThread {
  const { text, kinds, values } = reading.query(0, 0)
  const order: AheadOrder = { file: name, driver, text, kinds, values: values.slice(0, -2), skip: OWN_ROWS, page: PAGE_SIZE }
  const worker = new Worker(program, { workerData: order, execArgv: [] })
  const behind: { place: number | undefined } = { place: undefined }
  const read: Page[] = []
  let asker: ((page: Page) => void) | undefined
  let isLost = false
  const put = (page: Page): void => {
    if (asker === undefined) read.push(page)
    else asker(page)
    asker = undefined
  }
  const lose = (): void => {
    isLost = true
    put('lost')
  }
  worker.on('message', (answer: AheadAnswer) => {
    if ('after' in answer) behind.place = answer.after
    else put(answer.page)
  })
  worker.on('error', lose)
  worker.on('exit', lose)
  for (let i = 0; i < MAX_QUEUED_PAGES; i++) worker.postMessage(null)
  return {
    behind,
    next() {
      if (!isLost) worker.postMessage(null)
      return read.length > 0
        ? Promise.resolve(read.shift())
        : isLost
          ? Promise.resolve('lost')
          : new Promise((resolve) => (asker = resolve))
    },
    end() {
      worker.removeAllListeners()
      return worker.terminate()
    },
  }
}
