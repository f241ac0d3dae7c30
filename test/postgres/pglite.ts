import { PGlite } from '@electric-sql/pglite'
import { vector } from '@electric-sql/pglite-pgvector'
import { PGLiteSocketServer } from '@electric-sql/pglite-socket'

/** PostgreSQL as WebAssembly, if no server is available: one connection at a time, so it cannot test concurrent writes. */
export async function startPglite(): Promise<{ readonly url: string; close(): Promise<void> }> {
  const db = await PGlite.create({ extensions: { vector } })
  const port = 20_000 + (process.pid % 20_000)
  const server = new PGLiteSocketServer({ db, port, host: '127.0.0.1', maxConnections: 10 })
  await server.start()
  return {
    url: `postgres://postgres@127.0.0.1:${port}/postgres?sslmode=disable`,
    async close() {
      await server.stop()
      await db.close()
    },
  }
}
