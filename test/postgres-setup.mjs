import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { stopPostgres } from '../scripts/postgres.mjs'

/** The first test that needs a server starts it and records it here (test/postgres/server.ts); it is stopped after the run. */
export default function setup() {
  const folder = mkdtempSync(join(tmpdir(), 'mneme-run-'))
  process.env.MNEME_TEST_RUN = folder
  return async () => {
    const word = join(folder, 'server.json')
    if (existsSync(word)) await stopPostgres(JSON.parse(readFileSync(word, 'utf8')))
    rmSync(folder, { recursive: true, force: true })
  }
}
