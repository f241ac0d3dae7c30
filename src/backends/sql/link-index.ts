import type { Sketch } from '../../core/recall/candidate.js'
import type { LinkIndex } from '../../ports/recall-index.js'
import type { Dialect } from './dialect.js'
import { namesAmong } from './links.js'
import { type Connection, inSlices, number, numberOrNull, type Row, text, textOrNull } from './plan.js'
import { statusOf } from './rows.js'

export function createLinkIndex(connection: Connection, dialect: Dialect): Omit<LinkIndex, 'sketches'> {
  return {
    mentions: (rids) =>
      connection.read(function* () {
        const named = new Map<number, Set<string>>()
        for (const row of yield* inSlices(rids, (marks) => `SELECT rid, name FROM mentions WHERE rid IN (${marks})`)) {
          const rid = number(row, 'rid')
          const names = named.get(rid)
          if (names === undefined) named.set(rid, new Set([text(row, 'name')]))
          else names.add(text(row, 'name'))
        }
        return new Map([...named].map(([rid, names]) => [rid, [...names]]))
      }),
    postings: (owner, names, limit) =>
      connection.read(function* () {
        if (names.length === 0) return []
        const rows = yield dialect.postings(owner, names, limit + 1)
        return rows.map((row) => ({ name: text(row, 'name'), subjects: ridsIn(row, 'subjects'), mentions: ridsIn(row, 'mentions') }))
      }),
    namesIn: (owner, words) => connection.read(() => namesAmong(owner, words)),
    authorsIn: (owner, words) =>
      connection.read(function* () {
        const heads = [...new Set(words)]
        const rows =
          owner === undefined
            ? yield* inSlices(heads, (marks) => `SELECT DISTINCT author FROM authors WHERE head IN (${marks})`)
            : yield* inSlices(heads, (marks) => `SELECT author FROM authors WHERE owner = ? AND head IN (${marks})`, owner)
        return [...new Set(rows.map((row) => text(row, 'author')))]
      }),
  }
}

export const toSketch = (row: Row): Sketch => ({
  rid: number(row, 'rid'),
  id: text(row, 'id'),
  owner: text(row, 'owner'),
  subject: textOrNull(row, 'subject_name'),
  author: textOrNull(row, 'author'),
  session: textOrNull(row, 'session'),
  recordedAt: number(row, 'recorded_at'),
  validFrom: number(row, 'valid_from'),
  validUntil: numberOrNull(row, 'valid_until'),
  expiresAt: numberOrNull(row, 'expires_at'),
  status: statusOf(row),
  isCode: number(row, 'code') === 1,
})

const ridsIn = (row: Row, column: string): readonly number[] => (textOrNull(row, column) ?? '').split(',').filter(Boolean).map(Number)
