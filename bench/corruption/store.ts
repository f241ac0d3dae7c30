import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { openSqlite } from '../../src/backends/sqlite/open.js'
import type { Fact } from '../../src/core/facts/fact.js'
import type { Change } from '../../src/core/journal/change.js'
import { aFact as sample } from '../../test/contract/samples.js'
import { type Copies, copyStore } from './harm.js'

const clock = { now: () => Date.now() * 1000 }
const FACTS = 240
/** Commits after the last checkpoint. */
const IN_LOG = 20

const WORDS = ['otter', 'heron', 'marsh', 'billing', 'port', 'Lisbon', 'deploys', 'on', 'Friday', 'the', 'river', 'runs', 'deep', 'release']

const aFact = (nth: number, index: number, input: Partial<Fact> = {}): Fact =>
  sample({
    id: `fact-${String(nth).padStart(5, '0')}`,
    owner: nth % 5 === 0 ? 'bob' : 'ann',
    text: Array.from({ length: 8 + (nth % 20) }, (_, i) => WORDS[(nth * 7 + i * 3) % WORDS.length]).join(' '),
    title: nth % 4 === 0 ? `Title ${nth}` : null,
    author: nth % 3 === 0 ? 'Ann Lee' : null,
    session: nth % 6 === 0 ? 's1' : null,
    ...{ eventAt: index, validFrom: index, recordedAt: index, updatedAt: index },
    metadata: { nth },
    ...input,
  })

const unit = (nth: number): Float32Array => {
  const raw = Float32Array.from({ length: 32 }, (_, i) => Math.sin(nth * 3.7 + i * 1.3))
  const length = Math.sqrt(raw.reduce((sum, value) => sum + value * value, 0))
  return raw.map((value) => value / length)
}

/** Creates a store and copies of several states below a folder. */
export async function makeCopies(root: string): Promise<Copies> {
  const copies = { older: join(root, 'older'), killed: join(root, 'killed'), closed: join(root, 'closed'), other: join(root, 'other') }
  const live = join(root, 'live')
  const put =
    (nth: number) =>
    (now: number): readonly Change[] => [{ op: 'fact.put', fact: aFact(nth, now) }]
  const fill = async (directory: string, count: number, last: () => void): Promise<void> => {
    const backend = await openSqlite({ directory, clock, busyTimeoutMs: 5000 })
    await backend.backlog.adopt({ id: 'bench', dimensions: 32, floor: 0 })
    for (let nth = 0; nth < count; nth += 40)
      await backend.store.commit({ actor: 'bench', owners: ['ann', 'bob'] }, (now) =>
        Array.from({ length: 40 }, (_, i) => ({ op: 'fact.put', fact: aFact(nth + i, now + i) })),
      )
    await backend.store.commit({ actor: 'bench', owners: ['ann', 'bob'] }, (now) => [
      { op: 'fact.delete', id: 'fact-00003', owner: 'ann' },
      { op: 'fact.put', fact: aFact(4, now, { text: 'the otter was seen again', version: 2 }) },
      { op: 'fact.put', fact: aFact(6, now, { status: 'outdated', validUntil: now, version: 2 }) },
    ])
    const waiting = await backend.backlog.next('facts', 1000)
    await backend.backlog.fill(
      'facts',
      waiting.map(({ owner, rid, id, version }) => ({ owner, rid, id, version, vector: unit(rid) })),
    )
    copyStore(directory, copies.older)
    await backend.close()
    const again = await openSqlite({ directory, clock, busyTimeoutMs: 5000 })
    for (let nth = 0; nth < IN_LOG; nth++) await again.store.commit({ actor: 'bench', owners: ['ann', 'bob'] }, put(10_000 + nth))
    last()
    await again.close()
  }
  await fill(join(root, 'another'), 80, () => copyStore(join(root, 'another'), copies.other))
  await fill(live, FACTS, () => copyStore(live, copies.killed))
  cpSync(live, copies.closed, { recursive: true })
  return copies
}
