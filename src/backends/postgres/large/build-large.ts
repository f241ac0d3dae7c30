import pg from 'pg'
import { codedFactsAfter, type UnitFact, unitFact } from '../../resident/fact-rows.js'
import type { Dialect } from '../../sql/dialect.js'
import type { OwnerPlace } from '../../sql/owners.js'
import { type Connection, each, run } from '../../sql/plan.js'
import type { StoredModel } from '../../sql/stored-model.js'
import { enter, partOf, vectorsPart, WHOLE, wordsPart } from './large-rows.js'

/** Tables are made outside of any transaction, so that nobody waits while they are filled. */
export interface LargeConnection extends Connection {
  execute(statements: readonly string[]): Promise<unknown>
}

const PAGE = 1000
/** Whoever has not gone on for so long is not coming back. */
const LEASE_US = 15 * 60_000_000
/** Building the index of vectors in memory is many times quicker; what does not fit goes on slower. */
const BUILD_MEMORY = '512MB'

type Timed = Pick<Dialect, 'databaseTime'>

/** True when it is for this node to build: nobody else does. */
const claim = (connection: LargeConnection, { databaseTime }: Timed, owner: string, token: string): Promise<boolean> =>
  connection.write(
    function* () {
      const rows = yield* run(
        `INSERT INTO large_owners (owner, ready, builder, until, seq, stamp, generation, epoch, tokens)
         VALUES (?, 0, ?, ${databaseTime} + ${LEASE_US}, 0, 0, 0, 0, 0)
         ON CONFLICT (owner) DO UPDATE SET ready = 0, builder = excluded.builder, until = excluded.until
         WHERE large_owners.ready = 1 OR large_owners.until < ${databaseTime} RETURNING owner`,
        owner,
        token,
      )
      return rows.length > 0
    },
    { durable: false },
  )

/** Goes on; rejects where another has taken over. */
async function renew(connection: LargeConnection, { databaseTime }: Timed, owner: string, token: string): Promise<void> {
  const held = await connection.write(
    () =>
      run(
        `UPDATE large_owners SET until = ${databaseTime} + ${LEASE_US} WHERE owner = ? AND builder = ? AND ready = 0 RETURNING owner`,
        owner,
        token,
      ),
    { durable: false },
  )
  if (held.length === 0) throw new Error('another node builds this index')
}

/** All of an owner's facts, page by page. Answers how many tokens each has, on average. */
async function copyFacts(connection: LargeConnection, timed: Timed, owner: string, token: string, signal: AbortSignal): Promise<number> {
  const part = partOf(owner)
  let [tokens, facts] = [0, 0]
  for (let after = 0; ; ) {
    signal.throwIfAborted()
    const page: UnitFact[] = []
    await connection.read(() => {
      page.length = 0
      return each((values) => void page.push(unitFact(values)), codedFactsAfter(owner, after, PAGE))
    })
    tokens += await connection.write(() => enter(part, owner, page), { durable: false })
    facts += page.length
    const last = page[page.length - 1]
    if (last === undefined || page.length < PAGE) return tokens / Math.max(1, facts)
    after = last.sketch.rid
    await renew(connection, timed, owner, token)
  }
}

const indexes = (part: string, dimensions: number | undefined): readonly string[] => [
  `CREATE INDEX ${part}_rid ON ${part} (rid)`,
  `CREATE INDEX ${part}_held ON ${wordsPart(part)} USING gin (words)`,
  ...(dimensions === undefined
    ? []
    : [`CREATE INDEX ${part}_near ON ${vectorsPart(part)} USING hnsw ((embedding::halfvec(${dimensions})) halfvec_cosine_ops)`]),
]

/** Makes what one large owner is searched with in the database, while others search its unit and write. */
export async function buildLarge(
  connection: LargeConnection,
  dialect: Timed,
  place: OwnerPlace,
  model: StoredModel | undefined,
  signal: AbortSignal,
): Promise<void> {
  const { owner } = place
  const token = Math.random().toString(36).slice(2)
  if (!(await claim(connection, dialect, owner, token))) return
  const part = partOf(owner)
  // Known to hold this owner alone, so that it can be attached without being read.
  const only = `CONSTRAINT one_owner CHECK (owner = ${pg.escapeLiteral(owner)})`
  await connection.execute([
    `DROP TABLE IF EXISTS ${part}`,
    `CREATE TABLE ${part} (LIKE large_facts INCLUDING DEFAULTS, ${only}) PARTITION BY RANGE (piece)`,
    `CREATE TABLE ${wordsPart(part)} PARTITION OF ${part} FOR VALUES FROM (MINVALUE) TO (${WHOLE})`,
    `CREATE TABLE ${vectorsPart(part)} PARTITION OF ${part} FOR VALUES FROM (${WHOLE}) TO (MAXVALUE)`,
    `ALTER TABLE ${wordsPart(part)} ALTER COLUMN words SET STATISTICS 1000`,
  ])
  const tokens = await copyFacts(connection, dialect, owner, token, signal)
  for (const index of indexes(part, model?.dimensions)) {
    await renew(connection, dialect, owner, token)
    signal.throwIfAborted()
    await connection.write(function* () {
      yield* run(`SET LOCAL maintenance_work_mem = '${BUILD_MEMORY}'`)
      yield* run('SET LOCAL statement_timeout = 0')
      yield* run(index)
    })
  }
  await connection.execute([
    `ANALYZE ${wordsPart(part)}`,
    `ANALYZE ${vectorsPart(part)}`,
    `ALTER TABLE large_facts ATTACH PARTITION ${part} FOR VALUES IN (${pg.escapeLiteral(owner)})`,
  ])
  await connection.write(() =>
    run(
      `UPDATE large_owners SET ready = 1, seq = ?, stamp = ?, generation = ?, epoch = ?, tokens = ? WHERE owner = ? AND builder = ?`,
      ...[place.seq, place.stamp, place.generation, model?.epoch ?? 0, tokens, owner, token],
    ),
  )
}
