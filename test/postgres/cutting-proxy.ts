import { mkdtempSync, rmSync } from 'node:fs'
import { createConnection, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface Proxy {
  /** The server's URL, through the proxy. */
  readonly url: string
  /** Cuts the next connection that transfers this number of bytes, once. */
  cutAfter(bytes: number): void
  /** Number of connections cut around a COMMIT, or after a number of bytes. */
  cuts(): number
  /** Rejects every connection from now on, or none. */
  refuse(refused: boolean): void
  close(): Promise<void>
}

export type Cut = 'before' | 'after' | 'no'

/** A proxy between client and server that cuts connections around COMMIT: before the server receives it, or before its response arrives. */
export async function cuttingProxy(server: string, cut: () => Cut): Promise<Proxy> {
  const target = new URL(server)
  const socket = join(target.searchParams.get('host') ?? '', '.s.PGSQL.5432')
  const folder = mkdtempSync(join(tmpdir(), 'mneme-proxy-'))
  const sockets = new Set<Socket>()
  let cuts = 0
  let refused = false
  let max = Number.POSITIVE_INFINITY
  const proxy = createServer((client) => {
    if (refused) {
      client.destroy()
      return
    }
    const upstream = createConnection(socket)
    const end = (): void => {
      client.destroy()
      upstream.destroy()
    }
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.on('error', end)
      socket.on('close', () => {
        sockets.delete(socket)
        end()
      })
    }
    let ending = false
    client.on('data', (chunk) => {
      const what = chunk.includes('COMMIT') ? cut() : 'no'
      if (what !== 'no') cuts++
      if (what === 'before') return end()
      ending = what === 'after'
      upstream.write(chunk)
    })
    let brought = 0
    upstream.on('data', (chunk) => {
      brought += chunk.length
      if (brought > max) {
        max = Number.POSITIVE_INFINITY
        cuts++
        return end()
      }
      return ending ? end() : client.write(chunk)
    })
  })
  await new Promise<void>((resolve) => proxy.listen(join(folder, '.s.PGSQL.5432'), resolve))
  const url = new URL(server)
  url.searchParams.set('host', folder)
  return {
    url: url.toString(),
    cuts: () => cuts,
    cutAfter(bytes) {
      max = bytes
    },
    refuse(now) {
      refused = now
      if (now) for (const socket of sockets) socket.destroy()
    },
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise<void>((resolve) => proxy.close(() => resolve()))
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
