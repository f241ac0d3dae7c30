// Loaded into the measured program before it starts (`node --import`): records how long its event loop was blocked and reports it over a
// socket. Time in which the thread waited for a processor is subtracted.
import { readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { isMainThread } from 'node:worker_threads'

const socket = process.env.MNEME_BENCH_PROBE
delete process.env.MNEME_BENCH_PROBE

/** Milliseconds for which the main thread was runnable but not running. */
const waited = () => Number(readFileSync('/proc/self/schedstat', 'latin1').split(' ')[1] ?? 0) / 1e6

if (isMainThread && socket !== undefined) {
  let longest = 0
  let last = performance.now()
  let lastWaited = waited()
  const tick = () => {
    const now = performance.now()
    const line = waited()
    longest = Math.max(longest, now - last - (line - lastWaited))
    last = now
    lastWaited = line
  }
  const beat = () => {
    tick()
    setTimeout(beat, 1).unref()
  }
  beat()
  const server = createServer((connection) => {
    tick()
    connection.end(`${longest}\n`)
    longest = 0
  })
  server.listen(socket)
  server.unref()
}
