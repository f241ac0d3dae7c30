import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { encodeFrame } from './frames.js'
import type { SharedPlace } from './place.js'
import { type Greeting, type Hello, type ReachedProcess, reachShared } from './reach.js'

export type SharedStatus = Greeting

/** A stopping process finishes its calls and closes its store first. */
const END_MS = 10_000
const POLL_MS = 20

const request = (mode: 'info' | 'stop', place: SharedPlace): Promise<ReachedProcess | undefined> => {
  const hello: Hello = { mode, argv: [], env: {}, cwd: '' }
  return reachShared(place, hello)
}

/** The shared process of a store; null if none is running. */
export async function findShared(place: SharedPlace): Promise<SharedStatus | null> {
  const reached = await request('info', place)
  reached?.socket.destroy()
  // Excludes this connection.
  return reached === undefined ? null : { ...reached.greeting, clients: reached.greeting.clients - 1 }
}

/** Stops it. Resolves with its process id once it has ended, or with null if none is running. */
export async function stopShared(place: SharedPlace): Promise<number | null> {
  const reached = await request('stop', place)
  if (reached === undefined) return null
  const { socket, greeting } = reached
  const closed = once(socket, 'close')
  socket.resume()
  socket.write(encodeFrame({ go: true }))
  await closed
  for (const until = performance.now() + END_MS; isRunning(greeting.pid) && performance.now() < until; ) await delay(POLL_MS)
  return greeting.pid
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
