import { execFileSync } from 'node:child_process'
import { chmodSync, chownSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { openFile } from '../../src/backends/sqlite/driver-choice.js'
import { openWorld, type World } from '../graph/world.js'

const folder = mkdtempSync(join(tmpdir(), 'mneme-commands-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

async function withWorld(use: (world: World) => Promise<void>, ...values: Parameters<typeof openWorld>): Promise<void> {
  const world = await openWorld(...values)
  try {
    await use(world)
  } finally {
    await world.close()
  }
}

const reportSchema = z.object({
  healthy: z.boolean(),
  findings: z.array(z.object({ severity: z.string(), what: z.string(), remedy: z.string() })),
  store: z.record(z.string(), z.unknown()),
})
const doctor = async (world: World) => reportSchema.parse(await world.call('admin/doctor'))

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

describe('doctor', () => {
  test.each(['facts', 'meta', 'passages', 'journal'])('reports on a store whose table %s is damaged', async (table) => {
    await withWorld(async (world) => {
      await world.call('memory/store_memory', { content: 'An otter' })
      const copy = mkdtempSync(join(folder, 'damaged-'))
      await world.call('admin/backup', { file: join(copy, 'mneme.db') })
      damage(join(copy, 'mneme.db'), table)
      const spoilt = await openWorld({}, { directory: copy, clock: world.clock })
      const { healthy, findings, store } = await doctor(spoilt)
      await spoilt.close()
      expect(healthy).toBe(false)
      expect(findings.filter(({ what }) => what.includes('damaged')).length).toBeGreaterThan(0)
      for (const { what, remedy } of findings) if (what.includes('damaged')) expect(remedy).toContain('mneme restore')
      expect(store).toMatchObject({ location: join(copy, 'mneme.db') })
    })
  })

  test('names the model of the store, and reports a different configured one', async () => {
    await withWorld(async (world) => {
      expect(await doctor(world)).toMatchObject({ healthy: true, store: { model: null, dimensions: null } })
      await world.call('memory/store_memory', { content: 'An otter' })
      const stored = { model: world.environment.embedder.model.id, dimensions: world.environment.embedder.model.dimensions }
      expect(await doctor(world)).toMatchObject({ healthy: true, findings: [], store: stored })
      const other = await openWorld({ embedDimensions: 64 }, world)
      expect(await doctor(other)).toMatchObject({
        healthy: false,
        store: stored,
        findings: [
          {
            severity: 'error',
            what: expect.stringContaining(`The store holds vectors of ${stored.model} (${stored.dimensions} dimensions)`),
            remedy: expect.stringContaining('mneme reindex --vectors'),
          },
        ],
      })
      await other.call('admin/reindex', { vectors: true })
      expect(await doctor(other)).toMatchObject({ healthy: true, store: { dimensions: 64 } })
      await other.engine.close()
      const none = await openWorld({ embedder: 'none' }, world)
      expect(await doctor(none)).toMatchObject({ healthy: true, store: { dimensions: 64 } })
      await none.engine.close()
    })
  })
})

describe('undo', () => {
  test('that reverts nothing fails and names the obstacle', async () => {
    await withWorld(async (world) => {
      const { id } = z.object({ id: z.string() }).parse(await world.call('memory/store_memory', { content: 'An otter' }))
      await world.call('memory/delete_memory', { id })
      const { changes } = z.object({ changes: z.array(z.object({ seq: z.int() })) }).parse(await world.call('admin/history', { id }))
      expect(changes.length).toBe(2)
      for (const { seq } of changes)
        await expect(world.call('admin/undo', { what: String(seq) })).rejects.toMatchObject({
          code: 'conflict',
          message: expect.stringMatching(new RegExp(`^Nothing was undone: ${id} was changed again since, or deleted`, 'u')),
          hint: expect.stringContaining(`mneme history ${id}`),
        })
    })
  })
})

describe('import', () => {
  test('rejects an unreadable path by name', async () => {
    await withWorld(async (world) => {
      await expect(world.call('admin/import', { file: folder })).rejects.toMatchObject({
        code: 'invalid_input',
        message: expect.stringContaining(`${folder} seems to be a folder`),
      })
      await expect(world.call('admin/import', { file: join(folder, 'none') })).rejects.toMatchObject({
        code: 'not_found',
        message: `There is no file ${join(folder, 'none')}.`,
      })
      const secret = join(folder, 'secret.jsonl')
      writeFileSync(secret, '{"content":"An otter"}\n')
      chmodSync(secret, 0o000)
      await asOther(async () => {
        await expect(world.call('admin/import', { file: secret })).rejects.toMatchObject({
          code: 'storage',
          message: expect.stringContaining(`${secret} cannot be read`),
          hint: expect.stringContaining('chmod'),
        })
      })
    })
  })

  test('reads a named pipe', async () => {
    await withWorld(async (world) => {
      const pipe = join(folder, 'pipe')
      execFileSync('mkfifo', [pipe])
      const writing = open(pipe, 'w').then(async (handle) => {
        await handle.writeFile('{"content":"An otter"}\n{"content":"A seal"}')
        await handle.close()
      })
      expect(await world.call('admin/import', { file: pipe })).toMatchObject({ facts: 2 })
      await writing
    })
  })

  test('accepts the name of standard input', async () => {
    await withWorld(async (world) => {
      await expect(world.call('admin/import', { file: '/dev/stdin' })).rejects.toMatchObject({
        code: 'invalid_input',
        message: expect.stringContaining('standard input'),
      })
    })
  })
})

/** The superuser can read everything. */
async function asOther(use: () => Promise<void>): Promise<void> {
  if (process.getuid?.() !== 0) return use()
  chmodSync(folder, 0o755)
  chownSync(folder, 65534, 65534)
  process.seteuid?.(65534)
  try {
    await use()
  } finally {
    process.seteuid?.(0)
  }
}
