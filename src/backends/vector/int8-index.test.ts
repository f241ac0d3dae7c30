import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createInt8Index, quantise, type RowAttributes, type RowFilter } from './int8-index.js'

const OPEN: RowAttributes = { owner: 1, validFrom: 0, validUntil: Infinity, expiresAt: Infinity, marks: 1 }

/** Deterministic, so that a failing seed can be replayed. */
function generator(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = Math.imul(state ^ (state >>> 15), state | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296 - 0.5
  }
}

function unit(components: readonly number[]): Float32Array {
  const length = Math.hypot(...components) || 1
  return Float32Array.from(components, (component) => component / length)
}

function clustered(seed: number, count: number, dimensions: number): Float32Array[] {
  const next = generator(seed)
  const centres = Array.from({ length: 8 }, () => Array.from({ length: dimensions }, next))
  return Array.from({ length: count }, (_, i) => unit((centres[i % centres.length] ?? []).map((component) => component + 0.6 * next())))
}

const exact = (a: Float32Array, b: Float32Array): number => a.reduce((sum, component, i) => sum + component * (b[i] ?? 0), 0)

function matches(attributes: RowAttributes, filter: RowFilter): boolean {
  return (
    (filter.owner === undefined || filter.owner === attributes.owner) &&
    (filter.moment === undefined ||
      ((attributes.validFrom <= filter.moment.at || (filter.moment.present === true && attributes.marks % 2 === 1)) &&
        !(filter.moment.present === true && attributes.marks >= 2) &&
        filter.moment.at < attributes.validUntil &&
        filter.moment.at < attributes.expiresAt))
  )
}

const attributesArbitrary: fc.Arbitrary<RowAttributes> = fc.record({
  owner: fc.constantFrom(1, 1, 1, 1, 1, 2),
  validFrom: fc.constantFrom(0, 10),
  validUntil: fc.constantFrom(20, Infinity),
  expiresAt: fc.constantFrom(15, Infinity),
  marks: fc.constantFrom(0, 1, 3),
})

const filterArbitrary: fc.Arbitrary<RowFilter> = fc.record(
  {
    owner: fc.constantFrom(1, 2, 9),
    moment: fc.record({ at: fc.constantFrom(5, 10, 14, 15, 20), present: fc.boolean() }),
    accept: fc.constant((rid: number) => rid % 3 !== 0),
  },
  { requiredKeys: [] },
)

const changeArbitrary = fc.oneof(
  {
    weight: 300,
    arbitrary: fc.record({ op: fc.constant('put' as const), rid: fc.nat(300), vector: fc.nat(599), attributes: attributesArbitrary }),
  },
  { weight: 100, arbitrary: fc.record({ op: fc.constant('remove' as const), rid: fc.nat(300) }) },
  { weight: 100, arbitrary: fc.record({ op: fc.constant('set' as const), rid: fc.nat(300), attributes: attributesArbitrary }) },
  { weight: 1, arbitrary: fc.record({ op: fc.constant('clear' as const) }) },
)

describe('int8 index', () => {
  it('finds the exact top ten after rescoring, whatever was put, changed and removed', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer(),
        fc.constantFrom(33, 64),
        fc.array(changeArbitrary, { minLength: 50, maxLength: 700, size: 'max' }),
        filterArbitrary,
        async (seed, dimensions, changes, filter) => {
          const pool = clustered(seed, 601, dimensions)
          const index = createInt8Index(dimensions)
          const rows = new Map<number, { vector: Float32Array; attributes: RowAttributes }>()
          for (const change of changes) {
            if (change.op === 'put') {
              const vector = pool[change.vector] ?? new Float32Array(dimensions)
              index.put(change.rid, vector, change.attributes)
              rows.set(change.rid, { vector, attributes: change.attributes })
            } else if (change.op === 'remove') {
              expect(index.remove(change.rid)).toBe(rows.delete(change.rid))
            } else if (change.op === 'set') {
              const row = rows.get(change.rid)
              expect(index.setAttributes(change.rid, change.attributes)).toBe(row !== undefined)
              if (row) row.attributes = change.attributes
            } else {
              index.clear()
              rows.clear()
            }
          }
          expect(index.size).toBe(rows.size)

          const query = pool[600] ?? new Float32Array(dimensions)
          const rank = (rids: readonly number[]) =>
            rids
              .map((rid) => ({ rid, score: exact(query, rows.get(rid)?.vector ?? new Float32Array(0)) }))
              .sort((a, b) => b.score - a.score || a.rid - b.rid)
              .slice(0, 10)
          const visible = [...rows]
            .filter(([rid, row]) => matches(row.attributes, filter) && (filter.accept?.(rid) ?? true))
            .map(([rid]) => rid)
          const found = await index.search(query, 40, filter)
          expect(found.rids).toHaveLength(Math.min(40, visible.length))
          expect(rank(found.rids)).toEqual(rank(visible))
          found.rids.forEach((rid, i) => {
            expect(found.scores[i]).toBeCloseTo(exact(query, rows.get(rid)?.vector ?? new Float32Array(0)), 1)
          })
        },
      ),
      { numRuns: 60 },
    )
  })

  it('scans 384 dimensions over several slices, wide and narrow, and keeps answering while rows come and go', async () => {
    const dimensions = 384
    const count = 140_000
    const pool = clustered(7, 1000, dimensions).map(quantise)
    const index = createInt8Index(dimensions)
    for (let rid = 0; rid < count; rid++) {
      const row = pool[rid % pool.length]
      if (row) index.putCodes(rid, row.codes, row.scale, { ...OPEN, owner: rid % 10 === 0 ? 2 : 1 })
    }
    const [probe] = clustered(7, 1, dimensions)
    if (!probe) throw new Error('no probe')

    const wide = await index.search(probe, 140, { owner: 1 })
    expect(wide.rids.every((rid) => rid % 10 !== 0)).toBe(true)
    const narrow = await index.search(probe, 140, { owner: 2 })
    expect(narrow.rids).toEqual(Array.from({ length: 140 }, (_, i) => i * 1000))
    expect(narrow.scores[0]).toBeCloseTo(1, 2)

    const during = index.search(probe, 140)
    for (let rid = 0; rid < count; rid += 2000) index.remove(rid)
    index.put(500_000, probe, OPEN)
    const survivors = await during
    expect(survivors.rids).toHaveLength(140)
    expect(survivors.rids.every((rid) => index.has(rid))).toBe(true)
    expect(survivors.rids.filter((rid) => rid % 1000 === 0 && rid < count)).toHaveLength(70)

    const cleared = index.search(probe, 5)
    index.clear()
    expect(await cleared).toEqual({ rids: [], scores: [] })
  })

  it('lets other work run between slices', async () => {
    const index = createInt8Index(16)
    const { codes, scale } = quantise(new Float32Array(16).fill(0.25))
    for (let rid = 0; rid < 140_000; rid++) index.putCodes(rid, codes, scale, OPEN)
    const order: string[] = []
    setImmediate(() => order.push('other work'))
    await index.search(new Float32Array(16).fill(0.25), 1).then(() => order.push('search'))
    expect(order).toEqual(['other work', 'search'])
  })

  it('puts equal scores in the order of their ids', async () => {
    const index = createInt8Index(4)
    for (const rid of [9, 3, 7, 1, 5]) index.put(rid, unit([1, 0, 0, 0]), OPEN)
    expect((await index.search(unit([1, 0, 0, 0]), 3)).rids).toEqual([1, 3, 5])
  })

  it('does not overflow for long vectors at full scale', async () => {
    const index = createInt8Index(4096)
    const vector = new Float32Array(4096).fill(1 / 64)
    index.put(1, vector, OPEN)
    expect((await index.search(vector, 1)).scores[0]).toBeCloseTo(1, 5)
  })

  it('answers nothing for a limit of zero, and a zero vector scores zero', async () => {
    const index = createInt8Index(8)
    index.put(1, new Float32Array(8), OPEN)
    expect(await index.search(new Float32Array(8), 0)).toEqual({ rids: [], scores: [] })
    expect(await index.search(unit([1, 1, 1, 1, 1, 1, 1, 1]), 3)).toEqual({ rids: [1], scores: [0] })
  })

  it('refuses vectors of another length and components that are no numbers, and keeps the row it had', async () => {
    const index = createInt8Index(2)
    index.put(1, unit([1, 0]), OPEN)
    expect(() => index.put(1, new Float32Array(3), OPEN)).toThrow(/3 dimensions does not fit an index of 2/)
    expect(() => index.put(1, Float32Array.of(NaN, 1), OPEN)).toThrow(/not a finite number/)
    await expect(index.search(new Float32Array(3), 1)).rejects.toThrow(/dimensions/)
    expect((await index.search(unit([1, 0]), 1)).rids).toEqual([1])
    expect(() => createInt8Index(0)).toThrow(/dimensions/)
  })

  it('gives freed slots to new rows and reports its memory', () => {
    const index = createInt8Index(384)
    const { codes, scale } = quantise(new Float32Array(384).fill(0.05))
    for (let rid = 0; rid < 20_000; rid++) index.putCodes(rid, codes, scale, OPEN)
    const before = index.memoryBytes
    for (let rid = 0; rid < 20_000; rid++) index.remove(rid)
    for (let rid = 20_000; rid < 40_000; rid++) index.putCodes(rid, codes, scale, OPEN)
    expect(index.size).toBe(20_000)
    expect(index.memoryBytes).toBe(before)
    expect(before).toBeGreaterThan(20_000 * 384)
  })
})
