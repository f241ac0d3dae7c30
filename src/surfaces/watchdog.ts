import { constants } from 'node:os'
import { Worker } from 'node:worker_threads'
import type { Log } from './log.js'

/** An orderly end takes a second at most; a process that is still there after this has been held up. */
const HARD_END_MS = 3_000
/** A start is not made to wait for it. */
const START_AFTER_MS = 1_000

/**
 * Node hears of signals on the event loop only, and a loop that is held hears nothing. A thread has a loop of its own;
 * that it may listen too is said by this old binding alone, and where a later Node lacks it there is no watchdog.
 */
const LISTENER = `
process.noDeprecation = true
const { parentPort, workerData } = require('node:worker_threads')
const { Signal } = process.binding('signal_wrap')
for (const number of workerData.signals) {
  const signal = new Signal()
  signal.onsignal = () => setTimeout(() => process.kill(process.pid, 'SIGKILL'), workerData.afterMs)
  signal.start(number)
}
parentPort.postMessage('listening')
`
const SMALL = { maxOldGenerationSizeMb: 8, maxYoungGenerationSizeMb: 1, codeRangeSizeMb: 4, stackSizeMb: 1 }

/** Ends the process for good when it is told to stop and cannot: what was acknowledged is on disk. */
export function startWatchdog(log: Log): void {
  if (process.platform === 'win32') return
  const { SIGTERM, SIGINT, SIGHUP } = constants.signals
  setTimeout(() => {
    const worker = new Worker(LISTENER, {
      eval: true,
      workerData: { signals: [SIGTERM, SIGINT, SIGHUP], afterMs: HARD_END_MS },
      resourceLimits: SMALL,
    })
    worker.unref()
    worker.once('message', () => log.debug('The watchdog listens for signals'))
    worker.once('error', (error) => log.debug('There is no watchdog', { error }))
  }, START_AFTER_MS).unref()
}
