import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { openFile } from '../../src/backends/sqlite/driver-choice.js'
import { MemoryError } from '../../src/errors.js'
import { commit, putFact } from '../contract/samples.js'
import { open, temporaryPlaces } from './places.js'

const { root, newPath, newDirectory, mounted, mountable } = temporaryPlaces()

async function refusal(directory: string): Promise<MemoryError> {
  const thrown = await open(directory).then(
    async (backend) => {
      await backend.close()
      return new Error('it was opened')
    },
    (error: unknown) => error,
  )
  if (!(thrown instanceof MemoryError)) throw thrown
  return thrown
}

/** A closed store with one fact. */
async function stored(directory: string): Promise<string> {
  const backend = await open(directory)
  await commit(backend, ...Array.from({ length: 300 }, (_, i) => putFact({ id: `f${i}`, text: `an otter number ${i}` })))
  await backend.close()
  return join(directory, 'mneme.db')
}

/** Overwrites the first page of a table. */
function damage(file: string, table: string): void {
  const db = openFile(file, { readonly: true })
  const page = Number(db.prepare(`SELECT rootpage FROM sqlite_schema WHERE name = ?`).value(table))
  const size = Number(db.pragma('page_size'))
  db.close()
  const bytes = readFileSync(file)
  bytes.fill(0xa5, (page - 1) * size, page * size)
  writeFileSync(file, bytes)
}

/** As a user who owns the folder: the superuser can read everything. */
async function withoutRights(directory: string, use: () => Promise<void>): Promise<void> {
  if (process.getuid?.() !== 0) return use()
  chmodSync(root, 0o711)
  for (const path of [directory, ...readdirSync(directory).map((name) => join(directory, name))]) chownSync(path, 65534, 65534)
  process.seteuid?.(65534)
  try {
    await use()
  } finally {
    process.seteuid?.(0)
  }
}

describe('data directory', () => {
  test('is created with its parents, private to the user', async () => {
    const directory = join(newPath(), 'deep', 'down')
    const backend = await open(directory)
    await commit(backend, putFact({ id: 'a' }))
    await backend.close()
    expect(statSync(directory).mode & 0o077).toBe(0)
    expect(readdirSync(directory).sort()).toEqual(['mneme.db', 'mneme.db-count', 'mneme.db-reserve'])
  })

  test('is rejected below a file', async () => {
    const file = newPath()
    writeFileSync(file, 'plain')
    for (const directory of [file, join(file, 'below')]) {
      const error = await refusal(directory)
      expect(error).toMatchObject({ code: 'storage' })
      expect(error.message).toContain(directory)
      expect(error.hint).toContain('--data-dir')
    }
    expect(readFileSync(file, 'utf8')).toBe('plain')
  })

  test('is rejected as a dangling link, a circle or with a name that is too long', async () => {
    const link = newPath()
    symlinkSync('nowhere', link)
    expect((await refusal(link)).message).toBe(`The data directory ${link} cannot be used: it is a link to nowhere, which does not exist`)
    const circle = newPath()
    symlinkSync(circle, circle)
    for (const directory of [circle, `${newPath()}${'x'.repeat(300)}`])
      expect(await refusal(directory)).toMatchObject({ code: 'storage', hint: expect.stringContaining('--data-dir') })
  })

  test('is rejected on a file system without files', async () => {
    const error = await refusal('/proc/mneme-test')
    expect(error).toMatchObject({ code: 'storage' })
    expect(error.hint).toContain('--data-dir')
  })

  test.runIf(mountable)('is readable on a read-only disk, and accepts no write', async () => {
    const directory = mounted('size=4m') ?? ''
    await stored(directory)
    execFileSync('mount', ['-o', 'remount,ro', directory])
    const backend = await open(directory)
    expect(backend.readOnly).toBe(true)
    expect(await backend.store.counts(undefined)).toMatchObject({ facts: 300 })
    await expect(commit(backend, putFact({ id: 'late' }))).rejects.toMatchObject({
      code: 'storage',
      message: expect.stringContaining(directory),
      hint: expect.stringContaining('--data-dir'),
    })
    await backend.close()
  })
})

describe('database file', () => {
  test.each(['-reserve', '-count', '-wal'])('repair 35: a link named mneme.db%s is refused, and its target stays', async (suffix) => {
    const directory = newDirectory()
    await stored(directory)
    const victim = join(directory, 'victim')
    writeFileSync(victim, 'precious')
    rmSync(join(directory, `mneme.db${suffix}`), { force: true })
    symlinkSync(victim, join(directory, `mneme.db${suffix}`))
    expect(await refusal(directory)).toMatchObject({ code: 'storage', message: expect.stringContaining('is a link') })
    expect(readFileSync(victim, 'utf8')).toBe('precious')
  })

  test('becomes a store if it is empty', async () => {
    const directory = newDirectory()
    writeFileSync(join(directory, 'mneme.db'), '')
    const backend = await open(directory)
    await commit(backend, putFact({ id: 'a' }))
    expect(await backend.store.counts(undefined)).toMatchObject({ facts: 1 })
    await backend.close()
  })

  test('is private to the user, with its log and copies, also in a folder that others may read', async () => {
    const directory = newDirectory()
    chmodSync(directory, 0o755)
    const backend = await open(directory)
    await commit(backend, putFact({ id: 'a' }))
    await backend.maintenance.backup(join(directory, 'copy.db'))
    const modes = readdirSync(directory).map((name) => [name, statSync(join(directory, name)).mode & 0o777])
    await backend.close()
    expect(Object.fromEntries(modes)).toEqual({
      'mneme.db.lock': 0o600,
      'mneme.db': 0o600,
      'mneme.db-wal': 0o600,
      'mneme.db-shm': 0o600,
      'mneme.db-count': 0o600,
      'mneme.db-reserve': 0o600,
      'copy.db': 0o600,
    })
  })

  test('is rejected by name if it may not be read', async () => {
    const directory = newDirectory()
    const file = await stored(directory)
    await withoutRights(directory, async () => {
      chmodSync(file, 0o000)
      const error = await refusal(directory)
      expect(error).toMatchObject({ code: 'storage', message: expect.stringContaining(`${file} cannot be read`) })
      expect(error.hint).toContain('chmod')
    })
  })

  test('is rejected if it is a directory', async () => {
    const directory = newDirectory()
    mkdirSync(join(directory, 'mneme.db'))
    expect((await refusal(directory)).message).toContain('is not a file')
  })

  test('of another program stays unchanged, byte for byte', async () => {
    for (const applicationId of [0, 0x1234]) {
      const directory = newDirectory()
      const file = join(directory, 'mneme.db')
      const other = openFile(file)
      other.pragma(`application_id = ${applicationId}`)
      other.exec(`CREATE TABLE theirs (x); INSERT INTO theirs VALUES (1)`)
      other.close()
      const before = readFileSync(file)
      const error = await refusal(directory)
      expect(error.message).toContain('another program')
      expect(readFileSync(file)).toEqual(before)
      expect(readdirSync(directory)).toEqual(['mneme.db'])
    }
  })

  test('of garbage stays unchanged, byte for byte', async () => {
    const contents = [
      'short',
      'SQLite format 3',
      `SQLite format 3\0${'x'.repeat(50)}`,
      'not a database at all '.repeat(500),
      `SQLite format 3\0${'\xff'.repeat(9000)}`,
    ]
    for (const content of contents) {
      const directory = newDirectory()
      const file = join(directory, 'mneme.db')
      writeFileSync(file, content, 'latin1')
      const error = await refusal(directory)
      expect(error).toMatchObject({ code: 'storage' })
      expect(error.hint).toBeDefined()
      expect(readFileSync(file, 'latin1')).toBe(content)
    }
  })

  test('that lost its end is rejected or reports the loss, and is never written to', async () => {
    const directory = newDirectory()
    const file = await stored(directory)
    truncateSync(file, Math.floor(statSync(file).size / 2 / 4096) * 4096)
    const before = readFileSync(file)
    const error = await refusal(directory)
    expect(error).toMatchObject({ code: 'storage' })
    expect(error.message).toContain('damaged')
    expect(readFileSync(file)).toEqual(before)
  })

  test('with damaged pages returns an error that reports them', async () => {
    const directory = newDirectory()
    const file = await stored(directory)
    const bytes = readFileSync(file)
    bytes.fill(0xa5, 4096 * 3)
    writeFileSync(file, bytes)
    const error = await open(directory).then(
      async (backend) => {
        try {
          return await backend.store.listFacts({ limit: 1000, offset: 0 }).catch((failure: unknown) => failure)
        } finally {
          await backend.close()
        }
      },
      (failure: unknown) => failure,
    )
    expect(error).toMatchObject({ code: 'storage' })
  })

  test('with a damaged page is examined to the end', async () => {
    const directory = newDirectory()
    const file = await stored(directory)
    for (const table of ['facts', 'mentions']) damage(file, table)
    const backend = await open(directory)
    await expect(backend.store.listFacts({ limit: 1000, offset: 0 })).rejects.toMatchObject({ code: 'storage' })
    const findings = await backend.maintenance.diagnose()
    await backend.close()
    expect(findings.map(({ what }) => what)).toContain(`A check failed: ${file} is damaged or not a mneme file.`)
    expect(new Set(findings.map(({ what }) => what)).size).toBe(findings.length)
    for (const { remedy } of findings.filter(({ what }) => what.includes('damaged'))) expect(remedy).toContain('mneme restore')
  })

  test('of a newer schema version is rejected and stays unchanged, byte for byte', async () => {
    const directory = newDirectory()
    const file = await stored(directory)
    const newer = openFile(file)
    newer.pragma('user_version = 999')
    newer.pragma('journal_mode = DELETE')
    newer.close()
    const before = readFileSync(file)
    const error = await refusal(directory)
    expect(error.message).toMatch(/newer.*999/)
    expect(error.hint).toContain('Upgrade')
    expect(readFileSync(file)).toEqual(before)
    expect(existsSync(`${file}.v999.bak`)).toBe(false)
  })

  test('is a complete copy after a backup while others write', async () => {
    const directory = newDirectory()
    await stored(directory)
    const backend = await open(directory)
    const target = join(newDirectory(), 'mneme.db')
    const writes = Array.from({ length: 20 }, (_, i) => commit(backend, putFact({ id: `w${i}` })))
    await Promise.all([backend.maintenance.backup(target), ...writes])
    await expect(backend.maintenance.backup(target)).rejects.toMatchObject({ code: 'invalid_input' })
    await expect(backend.maintenance.backup(join(root, 'no', 'such', 'folder', 'x.db'))).rejects.toMatchObject({ code: 'storage' })
    await backend.close()
    const copy = await open(join(target, '..'))
    expect((await copy.store.facts(['f0', 'f299'])).length).toBe(2)
    expect(await copy.maintenance.diagnose()).toEqual([])
    await copy.close()
  })
})
