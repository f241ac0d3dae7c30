import { chmodSync, lstatSync, rmSync } from 'node:fs'
import { createServer, type Server, type Socket } from 'node:net'
import type { Log } from '../log.js'
import { buildId } from './build-id.js'
import { readHello, type SharedCall } from './client-call.js'
import { encodeFrame, type Frame, readFrames } from './frames.js'
import { isFree } from './place.js'
import type { Greeting } from './reach.js'

/** Time limit for the first message of a client. */
const HELLO_MS = 10_000
/** Further clients work in processes of their own. */
const MAX_CLIENTS = 256
const WATCH_MS = 1000
/** Lifetime of a started process without a call. */
const FIRST_CALL_MS = 30_000
/** Instead of the greeting: the caller works in a process of its own. */
const REFUSAL = { refused: true }

interface SharedServerOptions {
  readonly path: string
  readonly script: string
  readonly version: string
  readonly log: Log
  /** Lifetime after the last client has disconnected, in ms; undefined before the first call. */
  keepWarmMs(): number | undefined
  /** True if the store no longer exists. */
  isStoreGone(): boolean
  /** Runs a call; resolves when the connection is done. */
  carryOut(call: SharedCall, server: { readonly greeting: Greeting; readonly stopping: Promise<void> }): Promise<void>
}

/** Listens on a socket that only this user can open. Resolves when it has ended: idle, stopped, or without a store. */
export async function serveShared(options: SharedServerOptions): Promise<void> {
  const { path, log, version } = options
  const build = buildId(options.script)
  const since = new Date().toISOString()
  const clients = new Set<Socket>()
  const running = new Set<Promise<void>>()
  let stop = (): void => undefined
  const stopping = new Promise<void>((resolve) => {
    stop = resolve
  })
  let idle = setTimeout(stop, FIRST_CALL_MS)
  const rest = (): void => {
    clearTimeout(idle)
    if (clients.size === 0) idle = setTimeout(stop, options.keepWarmMs() ?? FIRST_CALL_MS)
  }
  const greetingNow = (): Greeting => ({ pid: process.pid, version, clients: clients.size, since })

  const server = createServer({ allowHalfOpen: true, pauseOnConnect: false }, (socket) => {
    socket.on('error', (error) => log.debug('A client of the shared process was lost', { error }))
    if (clients.size >= MAX_CLIENTS) {
      socket.end(encodeFrame(REFUSAL), () => socket.destroy())
      return
    }
    clients.add(socket)
    clearTimeout(idle)
    socket.once('close', () => {
      clients.delete(socket)
      rest()
    })
    const work = welcome(socket).catch((error: unknown) => log.error('A call failed unexpectedly', { error }))
    running.add(work)
    void work.finally(() => running.delete(work))
  })

  /** Reads the call, sends the greeting, and starts once the client confirms. */
  function welcome(socket: Socket): Promise<void> {
    return new Promise((resolve, reject) => {
      const end = (): void => {
        clearTimeout(timer)
        socket.destroy()
        resolve()
      }
      const timer = setTimeout(end, HELLO_MS)
      let call: SharedCall | undefined
      socket.once('close', end)
      const reader = readFrames(
        socket,
        (frame: Frame) => {
          if (call === undefined) {
            const hello = readHello(frame.hello)
            if (hello === undefined) return end()
            // Status and stop requests may come from another version.
            if (hello.build !== build && hello.mode !== 'stop' && hello.mode !== 'info') {
              socket.end(encodeFrame(REFUSAL), end)
              return
            }
            call = { ...hello, socket }
            socket.write(encodeFrame({ greeting: greetingNow() }))
            return
          }
          if (frame.go !== true) return end()
          clearTimeout(timer)
          reader.detach()
          socket.off('close', end)
          if (call.mode === 'info') return end()
          if (call.mode === 'stop') {
            stop()
            return end()
          }
          options.carryOut(call, { greeting: greetingNow(), stopping }).then(resolve, reject)
        },
        end,
      )
    })
  }

  await listen(server, path)
  const inode = lstatSync(path, { throwIfNoEntry: false })?.ino
  const isListening = (): boolean => process.platform === 'win32' || lstatSync(path, { throwIfNoEntry: false })?.ino === inode
  const watch = setInterval(() => {
    if (!isListening() || options.isStoreGone()) stop()
  }, WATCH_MS)
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(name, stop)

  await stopping
  clearInterval(watch)
  clearTimeout(idle)
  // New callers find no process, and start another or work by themselves.
  if (isListening() && process.platform !== 'win32') rmSync(path, { force: true })
  server.close()
  await Promise.race([Promise.all(running), new Promise((resolve) => setTimeout(resolve, END_MS))])
  for (const socket of clients) socket.destroy()
}

/** Time for running calls when the process is stopped. */
const END_MS = 2000

async function listen(server: Server, path: string): Promise<void> {
  if (!isFree(path)) throw new Error(`${path} is not a socket of this user.`)
  if (process.platform !== 'win32') rmSync(path, { force: true })
  const mask = process.umask(0o177)
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      server.listen(path, () => {
        server.off('error', reject)
        resolve()
      })
    })
  } finally {
    process.umask(mask)
  }
  if (process.platform !== 'win32') chmodSync(path, 0o600)
}
