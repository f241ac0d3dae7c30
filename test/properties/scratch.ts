import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import { openSqlite } from '../../src/backends/sqlite/open.js'
import type { Backend } from '../../src/ports/backend.js'
import { handClock } from '../contract/samples.js'
import { openRam } from '../memory-backend/open.js'

export const MODEL = { id: 'm', dimensions: 3, floor: 0 }

/** Empty stores in a folder that is removed after the tests of the file. */
export function scratchStores() {
  const root = mkdtempSync(join(tmpdir(), 'mneme-properties-'))
  afterAll(() => rmSync(root, { recursive: true, force: true }))
  let opened = 0
  return {
    async sqlite(use: (backend: Backend) => Promise<void>): Promise<void> {
      const directory = join(root, String(opened++))
      const backend = await openSqlite({ directory, clock: handClock(), busyTimeoutMs: 20_000 })
      try {
        await backend.backlog.adopt(MODEL)
        await use(backend)
      } finally {
        await backend.close()
        rmSync(directory, { recursive: true, force: true })
      }
    },
    async ram(): Promise<Backend> {
      const backend = await openRam({ clock: handClock() })
      await backend.backlog.adopt(MODEL)
      return backend
    },
  }
}
