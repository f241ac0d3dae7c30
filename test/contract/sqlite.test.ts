import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import { openSqlite } from '../../src/backends/sqlite/open.js'
import { storeContract } from './store.contract.js'

const root = mkdtempSync(join(tmpdir(), 'mneme-contract-'))
let opened = 0

afterAll(() => rmSync(root, { recursive: true, force: true }))

storeContract('SQLite', (clock) => openSqlite({ directory: join(root, String(opened++)), clock, busyTimeoutMs: 20_000 }))
