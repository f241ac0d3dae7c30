import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { BytePart } from '../byte-part.js'
import { asBytes, type Kind, type Query } from '../sql/plan/plan.js'
import { visitGathered } from './columnar-read.js'
import { defaultDriver } from './driver-choice.js'

const KINDS: readonly Kind[] = ['int', 'text', 'real', 'bytes']

function stored(rows: readonly (readonly [number | null, string | null, number | null, Uint8Array | string | null])[]) {
  const db = defaultDriver().open(':memory:')
  db.exec('CREATE TABLE t (n INTEGER PRIMARY KEY, a INTEGER, b TEXT, c REAL, d)')
  const put = db.prepare('INSERT INTO t (a, b, c, d) VALUES (?, ?, ?, ?)')
  for (const row of rows) put.run(...row)
  return db
}

function read(db: ReturnType<typeof stored>, subject: Partial<Query> = {}) {
  const seen: unknown[][] = []
  const each = (values: readonly unknown[]) =>
    void seen.push(values.map((value) => (value instanceof Uint8Array || value instanceof BytePart ? [...asBytes(value, 'blob')] : value)))
  const query = { text: 'SELECT a, b, c, d FROM t WHERE n > ? ORDER BY n LIMIT ?', values: [0, 1000], kinds: KINDS, each, ...subject }
  return { done: visitGathered((text) => db.prepare(text), query), seen }
}

describe('rows combined into one', () => {
  it('equal the stored rows in their order, digit by digit and byte by byte', () => {
    const row = fc.tuple(
      fc.option(fc.maxSafeInteger()),
      fc.option(fc.string({ unit: 'grapheme' })),
      fc.option(fc.oneof(fc.double({ min: 1e-9, max: 1e-4, noNaN: true }), fc.constantFrom(0, 1, -1, 0.5))),
      fc.option(fc.uint8Array({ maxLength: 20 })),
    )
    fc.assert(
      fc.property(fc.array(row, { maxLength: 30 }), (rows) => {
        const { done, seen } = read(stored(rows))
        expect(done).toBe(true)
        expect(seen).toEqual(rows.map(([a, b, c, d]) => [a, b, c, d === null ? null : [...d]]))
      }),
    )
  })

  it('keep the exact scale of a vector', () => {
    const scales = Array.from({ length: 1000 }, (_, i) => Math.sqrt(i + 1) / 32_512 / 50)
    const { seen } = read(stored(scales.map((scale) => [1, 'x', scale, new Uint8Array(3)])))
    expect(seen.map(([, , scale]) => scale)).toEqual(scales)
  })

  it('are read one by one if a value has another type than its column, so that the error can name it', () => {
    expect(read(stored([[1, 'x', 1, 'é']]))).toEqual({ done: false, seen: [] })
    expect(read(stored([[1, 'x', 1, new Uint8Array([255, 254])]]), { kinds: ['int', 'text', 'real', 'text'] })).toEqual({
      done: false,
      seen: [],
    })
    expect(read(stored([]), { text: 'SELECT nothing FROM nowhere' })).toEqual({ done: false, seen: [] })
  })

  it('are not combined without declared column types', () => {
    expect(visitGathered((text) => stored([]).prepare(text), { text: 'SELECT 1', values: [], each: () => undefined })).toBe(false)
  })
})
