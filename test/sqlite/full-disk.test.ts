import { execFileSync } from 'node:child_process'
import { closeSync, openSync, readdirSync, rmSync, statSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { MemoryError } from '../../src/errors.js'
import type { Backend } from '../../src/ports/backend.js'
import { commit, idsFound, putFact } from '../contract/samples.js'
import { open, temporaryPlaces } from './places.js'

const { mounted, mountable, newDirectory } = temporaryPlaces()

describe('full disk', () => {
  const fillUp = async (backend: Backend): Promise<{ readonly kept: readonly string[]; readonly error: unknown }> => {
    const kept: string[] = []
    for (let i = 0; i < 500; i++) {
      const id = `big${i}`
      const error = await commit(backend, putFact({ id, text: `walrus ${'x'.repeat(60_000)}` })).then(
        () => undefined,
        (failure: unknown) => failure,
      )
      if (error !== undefined) return { kept, error }
      kept.push(id)
    }
    throw new Error('the disk never filled up')
  }

  test.runIf(mountable)('accepts deletions, also in a process that starts on it', async () => {
    const directory = mounted('size=6m') ?? ''
    const backend = await open(directory)
    const { kept } = await fillUp(backend)
    await backend.close()
    const again = await open(directory)
    const [first = '', second = ''] = kept
    await commit(again, { op: 'fact.delete', id: first, owner: 'ann' })
    expect((await again.store.facts([first, second])).map((fact) => fact.id)).toEqual([second])
    await again.close()
  })

  test.runIf(mountable)('allows opening, reading and deleting without a free byte', async () => {
    const directory = mounted('size=4m') ?? ''
    const backend = await open(directory)
    await commit(backend, putFact({ id: 'a', text: 'a walrus' }), putFact({ id: 'b', text: 'an otter' }))
    await backend.close()
    const others = openSync(join(directory, 'others'), 'w')
    const block = Buffer.alloc(4096)
    expect(() => {
      for (;;) writeSync(others, block)
    }).toThrow('ENOSPC')
    closeSync(others)
    for (let round = 0; round < 3; round++) {
      const again = await open(directory)
      expect(await again.store.counts(undefined)).toMatchObject({ facts: 2 })
      await again.close()
    }
    const again = await open(directory)
    await commit(again, { op: 'fact.delete', id: 'a', owner: 'ann' })
    expect((await again.store.facts(['a', 'b'])).map((fact) => fact.id)).toEqual(['b'])
    await again.close()
    rmSync(join(directory, 'others'))
    const roomy = await open(directory)
    expect(statSync(join(directory, 'mneme.db-reserve')).size).toBe(1024 * 1024)
    expect(await roomy.maintenance.diagnose()).toEqual([])
    await roomy.close()
  })

  test.runIf(mountable)('fails the write with a clear message and damages nothing', async () => {
    const directory = mounted('size=3m') ?? ''
    const backend = await open(directory)
    const { kept, error } = await fillUp(backend)
    expect(error).toMatchObject({ code: 'storage' })
    expect(error instanceof MemoryError && error.hint).toContain('space')
    expect(kept.length).toBeGreaterThan(0)
    expect((await backend.store.facts(kept)).length).toBe(kept.length)
    expect((await idsFound(backend, 'ann', 'walru')).length).toBe(kept.length)
    await backend.close()
    execFileSync('mount', ['-o', 'remount,size=64m', directory])
    const again = await open(directory)
    expect((await again.store.facts(kept)).length).toBe(kept.length)
    expect(await again.store.counts(undefined)).toMatchObject({ facts: kept.length })
    await commit(again, putFact({ id: 'after' }))
    expect(await again.maintenance.diagnose()).toEqual([])
    await again.close()
  })

  test.runIf(mountable)('repair 38: is reported by a full compaction without space for the new file', async () => {
    const directory = mounted('size=6m') ?? ''
    const backend = await open(directory)
    await fillUp(backend)
    const signal = new AbortController().signal
    await expect(backend.maintenance.compact(true, () => undefined, signal)).rejects.toMatchObject({
      code: 'storage',
      message: expect.stringContaining('is full'),
    })
    await backend.close()
  })

  test.runIf(mountable)('leaves nothing of an incomplete backup', async () => {
    const backend = await open(newDirectory())
    // More than SQLite caches before it writes.
    await commit(backend, ...Array.from({ length: 150 }, (_, i) => putFact({ id: `big${i}`, text: `walrus ${'x'.repeat(90_000)}` })))
    const small = mounted('size=64k') ?? ''
    await expect(backend.maintenance.backup(join(small, 'copy.db'))).rejects.toMatchObject({ code: 'storage' })
    await backend.close()
    expect(readdirSync(small)).toEqual([])
  })
})
