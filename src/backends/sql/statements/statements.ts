import { SCOPES } from '../../../core/facts/fact.js'
import type { AccessCounts, StaleCard, StaleCards, Statements } from '../../../ports/statements.js'
import { createStatedEdges } from '../graph/stated-edges.js'
import type { Dialect } from '../plan/dialect.js'
import { type Connection, inSlices, number, type Plan, run, text, type Value } from '../plan/plan.js'
import { createStatementReads } from './statement-reads.js'

const createAccessCounts = (connection: Connection): AccessCounts => ({
  accessCounts: (ids) =>
    connection.read(function* (): Plan<ReadonlyMap<string, number>> {
      const rows = yield* inSlices(ids, (marks) => `SELECT id, access_count FROM facts WHERE access_count > 0 AND id IN (${marks})`)
      return new Map(rows.map((row) => [text(row, 'id'), number(row, 'access_count')]))
    }),
  noteAccess: (counts, index) =>
    connection.write(
      function* (): Plan<void> {
        for (const [id, count] of counts)
          yield* run(`UPDATE facts SET access_count = access_count + ?, last_accessed_at = ? WHERE id = ?`, count, index, id)
      },
      { durable: false },
    ),
})

const createStaleCards = (connection: Connection): StaleCards => ({
  staleCards: (subject, limit) =>
    connection.read(function* (): Plan<readonly StaleCard[]> {
      const values: [string, Value][] = Object.entries(subject).map(([column, value]) => [column, value ?? ''])
      const condition = values.length === 0 ? '' : ` WHERE ${values.map(([column]) => `${column} = ?`).join(' AND ')}`
      const rows = yield* run(`SELECT * FROM stale_cards${condition} ORDER BY since LIMIT ?`, ...values.map(([, value]) => value), limit)
      return rows.map((row) => ({
        owner: text(row, 'owner'),
        entity: text(row, 'entity'),
        scope: SCOPES.find((scope) => scope === row.scope) ?? 'local',
        garden: text(row, 'garden') || null,
        mark: number(row, 'mark'),
      }))
    }),
  clearStaleCard: ({ owner, entity, scope, garden, mark }) =>
    connection.write(
      function* (): Plan<void> {
        yield* run(
          `DELETE FROM stale_cards WHERE owner = ? AND entity = ? AND scope = ? AND garden = ? AND mark = ?`,
          owner,
          entity,
          scope,
          garden ?? '',
          mark,
        )
      },
      { durable: false, owners: [owner] },
    ),
})

export const createStatements = (connection: Connection, dialect: Dialect): Statements => ({
  ...createStatementReads(connection),
  ...createStatedEdges(connection, dialect),
  ...createAccessCounts(connection),
  ...createStaleCards(connection),
})
