import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { lockAlone, lockForUse } from '../../src/backends/sqlite/file-lock.js'
import { openSqlite } from '../../src/backends/sqlite/open.js'
import { restoreStore } from '../../src/backends/sqlite/restore.js'
import type { Backend } from '../../src/ports/backend.js'
import { commit, putFact } from '../contract/samples.js'
import { compilePreload } from '../wire/preload.js'
import { bundleWriter, startWriter, startWriterIn, type Writer } from './start-writer.js'

const root = mkdtempSync(join(tmpdir(), 'mneme-race-'))
/** Slow renames, so that other processes run in between. */
const SLOW = `
#include <unistd.h>
int rename(const char *from, const char *to) {
  usleep(15000);
  return ((int (*)(const char *, const char *)) dlsym(RTLD_NEXT, "rename"))(from, to);
}
int link(const char *from, const char *to) {
  usleep(15000);
  return ((int (*)(const char *, const char *)) dlsym(RTLD_NEXT, "link"))(from, to);
}
`
const slow = compilePreload(root, SLOW)
if (slow === undefined)
  process.stderr.write('restore-race.test: no gcc, or not Linux, so restore runs at its own pace and races are rarer\n')
const ATTEMPTS = 30
const WRITES = 20
let program = ''
let backup = ''

const open = (directory: string): Promise<Backend> =>
  openSqlite({ directory, clock: { now: () => Date.now() * 1000 }, busyTimeoutMs: 20_000 })

beforeAll(async () => {
  program = await bundleWriter(root)
  const directory = join(root, 'origin')
  const backend = await open(directory)
  await commit(backend, ...Array.from({ length: 100 }, (_, i) => putFact({ id: `f${i}`, text: `an otter number ${i}` })))
  backup = join(root, 'backup.db')
  await backend.maintenance.backup(backup)
  await backend.close()
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

/** Number of these facts in a store, which must be intact. */
async function held(directory: string, ids: readonly string[]): Promise<number> {
  const backend = await open(directory)
  try {
    expect(await backend.maintenance.diagnose()).toEqual([])
    return (await backend.store.facts(ids)).length
  } finally {
    await backend.close()
  }
}

/** Opens what was moved aside as a store. */
function asStore(kept: string, directory: string): string {
  mkdirSync(directory)
  for (const side of ['', '-wal']) if (existsSync(`${kept}${side}`)) copyFileSync(`${kept}${side}`, join(directory, `mneme.db${side}`))
  return directory
}

/** Sends a request to a process and awaits its reply. */
async function ask(writer: Writer, line: string): Promise<string> {
  const before = writer.lines.length
  writer.process.stdin.write(`${line}\n`)
  await writer.said(before + 1)
  return writer.lines[before] ?? ''
}

describe('restore and opening use one lock', () => {
  test('lose no acknowledged write, whenever a process begins to write', async () => {
    const writer = startWriter(program, 'obey', '', '', String(WRITES))
    const restorer = startWriterIn(slow === undefined ? {} : { LD_PRELOAD: slow }, program, 'obey')
    await Promise.all([writer.said(1), restorer.said(1)])
    const outcomes = { restored: 0, refused: 0 }
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const directory = join(root, `data-${attempt}`)
      // Half of the attempts replace a store, half fill an empty place.
      if (attempt % 2 === 0) await restoreStore(backup, join(directory, 'mneme.db'))
      const [written, answer] = await Promise.all([
        ask(writer, `write ${directory} w ${(attempt * 5) % 61}`),
        ask(restorer, `restore ${directory} ${backup}`),
      ])
      expect(written).toBe(`wrote ${WRITES}`)
      const [outcome, detail = ''] = answer.split(' ')
      const ids = Array.from({ length: WRITES }, (_, i) => `w-${i}`)
      const present = await held(directory, ids)
      if (outcome === 'refused') {
        outcomes.refused++
        expect([detail, present]).toEqual(['unavailable', WRITES])
      } else {
        outcomes.restored++
        expect(await held(directory, ['f0', 'f99'])).toBe(2)
        // Facts of processes that had closed before are in the kept file, all of them.
        const kept = detail === '' || present > 0 ? 0 : await held(asStore(detail, join(root, `kept-${attempt}`)), ids)
        expect(present + kept).toBe(WRITES)
      }
    }
    for (const entry of [writer, restorer]) entry.process.stdin.end()
    await Promise.all([writer.ended, restorer.ended])
    expect(outcomes.restored + outcomes.refused).toBe(ATTEMPTS)
  }, 120_000)

  test('a process that opens during a restore waits for its end, or fails', async () => {
    const directory = join(root, 'waiting')
    mkdirSync(directory)
    const file = join(directory, 'mneme.db')
    const alone = lockAlone(file)
    expect(alone).toBeDefined()
    await expect(lockForUse(file, 30)).rejects.toMatchObject({ code: 'unavailable', message: expect.stringContaining('being restored') })
    const writer = startWriter(program, 'obey', '', '', '1')
    await writer.said(1)
    const written = ask(writer, `write ${directory} late`)
    copyFileSync(backup, file)
    alone?.release()
    expect(await written).toBe('wrote 1')
    expect(await held(directory, ['late-0', 'f7'])).toBe(2)
    writer.process.stdin.end()
    await writer.ended
  })

  test('a killed process leaves no lock behind, and the last to close no file', async () => {
    const directory = join(root, 'killed')
    const file = join(directory, 'mneme.db')
    const writer = startWriter(program, 'write', directory, 'w', '1', 'stay')
    await writer.said(1)
    await expect(restoreStore(backup, file)).rejects.toMatchObject({ code: 'unavailable' })
    const other = await open(directory)
    writer.process.kill('SIGKILL')
    await writer.ended
    expect(lockAlone(file)).toBeUndefined()
    await other.close()
    await restoreStore(backup, file)
    expect(await held(directory, ['f3'])).toBe(1)
    expect(
      readdirSync(directory)
        .filter((name) => !name.includes('.bak'))
        .sort(),
    ).toEqual(['mneme.db', 'mneme.db-count', 'mneme.db-reserve'])
  })
})
