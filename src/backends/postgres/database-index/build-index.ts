import pg from 'pg'
import { type ChangedFact, changedFact, codedFactsAfter } from '../../memory-index/fact-rows.js'
import { lockOwner, type OwnerWatermark, placesOfOwners } from '../../sql/owners/owners.js'
import type { StoredModel } from '../../sql/owners/stored-model.js'
import type { Dialect } from '../../sql/plan/dialect.js'
import { type Connection, each, first, type Plan, run } from '../../sql/plan/plan.js'
import { followLarge, followStep } from './catch-up-index.js'
import { enter, partOf, vectorsPart, WHOLE_TEXT_PIECE, wordsPart } from './index-rows.js'

/** Tables are created outside of transactions, so that no writer waits while they are filled. */
export interface LargeConnection extends Connection {
  execute(statements: readonly string[]): Promise<unknown>
}

const PAGE_SIZE = 1000
/** A builder that has not renewed its lease for this time is gone. */
const LEASE_US = 2 * 60_000_000
const RENEW_MS = 30_000
/** Building a vector index in memory is much faster; the rest is slower. */
const BUILD_MEMORY = '512MB'

/** The builder of an owner's index. */
interface Build {
  readonly connection: LargeConnection
  readonly dialect: Dialect
  readonly owner: string
  readonly part: string
  readonly token: string
  readonly signal: AbortSignal
}

/** True if this node gets the lease. */
const claim = ({ connection, dialect: { databaseTime }, owner, token }: Build, { seq, stamp }: OwnerWatermark): Promise<boolean> =>
  connection.write(
    function* () {
      const rows = yield* run(
        `INSERT INTO large_owners (owner, ready, builder, until, seq, stamp, generation, epoch, tokens)
         VALUES (?, 0, ?, ${databaseTime} + ${LEASE_US}, ?, ?, 0, 0, 0)
         ON CONFLICT (owner) DO UPDATE SET ready = 0, builder = excluded.builder, until = excluded.until, seq = excluded.seq, stamp = excluded.stamp
         WHERE large_owners.ready = 1 OR large_owners.until < ${databaseTime} RETURNING owner`,
        ...[owner, token, seq, stamp],
      )
      return rows.length > 0
    },
    { durable: false },
  )

/** False if another node took over, or a reset invalidated the build. */
const renew = ({ connection, dialect: { databaseTime }, owner, token }: Build): Promise<boolean> =>
  connection.write(
    function* () {
      const held = yield* run(
        `UPDATE large_owners SET until = ${databaseTime} + ${LEASE_US} WHERE owner = ? AND builder = ? AND ready = 0 RETURNING owner`,
        ...[owner, token],
      )
      return held.length > 0
    },
    { durable: false },
  )

async function goOn(build: Build): Promise<void> {
  build.signal.throwIfAborted()
  if (!(await renew(build))) throw new Error('another node took over this build, or a reset cancelled it')
}

/** Copies an owner's facts page by page. Returns the mean number of tokens. */
async function copyFacts(build: Build): Promise<number> {
  const { connection, owner, part } = build
  let [tokens, facts] = [0, 0]
  for (let after = 0; ; ) {
    const page: ChangedFact[] = []
    await connection.read(() => {
      page.length = 0
      return each((values) => void page.push(changedFact(values)), codedFactsAfter(owner, after, PAGE_SIZE))
    })
    tokens += await connection.write(() => enter(part, owner, page), { durable: false })
    facts += page.length
    const last = page[page.length - 1]
    if (last === undefined || page.length < PAGE_SIZE) return tokens / Math.max(1, facts)
    after = last.sketch.rid
    await goOn(build)
  }
}

const indexes = (part: string, dimensions: number | undefined): readonly string[] => [
  `CREATE INDEX ${part}_rid ON ${part} (rid)`,
  `CREATE INDEX ${part}_held ON ${wordsPart(part)} USING gin (words)`,
  ...(dimensions === undefined
    ? []
    : [`CREATE INDEX ${part}_near ON ${vectorsPart(part)} USING hnsw ((embedding::halfvec(${dimensions})) halfvec_cosine_ops)`]),
]

async function fill(build: Build, dimensions: number | undefined): Promise<number> {
  const { connection, part, owner } = build
  // The constraint lets PostgreSQL attach the table without scanning it.
  const only = `CONSTRAINT one_owner CHECK (owner = ${pg.escapeLiteral(owner)})`
  await connection.execute([
    `DROP TABLE IF EXISTS ${part}`,
    `CREATE TABLE ${part} (LIKE large_facts INCLUDING DEFAULTS, ${only}) PARTITION BY RANGE (piece)`,
    `CREATE TABLE ${wordsPart(part)} PARTITION OF ${part} FOR VALUES FROM (MINVALUE) TO (${WHOLE_TEXT_PIECE})`,
    `CREATE TABLE ${vectorsPart(part)} PARTITION OF ${part} FOR VALUES FROM (${WHOLE_TEXT_PIECE}) TO (MAXVALUE)`,
    `ALTER TABLE ${wordsPart(part)} ALTER COLUMN words SET STATISTICS 1000`,
  ])
  const tokens = await copyFacts(build)
  for (const index of indexes(part, dimensions)) {
    await goOn(build)
    await connection.write(function* () {
      yield* run(`SET LOCAL maintenance_work_mem = '${BUILD_MEMORY}'`)
      yield* run('SET LOCAL statement_timeout = 0')
      yield* run(index)
    })
  }
  await connection.execute([`ANALYZE ${wordsPart(part)}`, `ANALYZE ${vectorsPart(part)}`])
  return tokens
}

/**
 * From here on, deletions include the table. The owner is locked, so it contains no deleted fact. False if the data it was built from was
 * reset.
 */
function* attach({ dialect, owner, part, token }: Build, generation: number, epoch: number, tokens: number): Plan<boolean> {
  yield* lockOwner(dialect, owner)
  const mine = yield* first(`SELECT 1 AS n FROM large_owners WHERE owner = ? AND builder = ? AND ready = 0 FOR UPDATE`, owner, token)
  if (mine === undefined) return false
  const [place] = yield* placesOfOwners([owner])
  if (place?.generation !== generation) return false
  while (yield* followStep(dialect, owner, 0));
  yield* run(`ALTER TABLE large_facts ATTACH PARTITION ${part} FOR VALUES IN (${pg.escapeLiteral(owner)})`)
  yield* run(
    `UPDATE large_owners SET ready = 1, generation = ?, epoch = ?, tokens = ? WHERE owner = ?`,
    ...[generation, epoch, tokens, owner],
  )
  return true
}

/** Drops an unfinished build, which would keep deleted data, unless another node continues it. */
async function giveUp(build: Build): Promise<void> {
  const { connection, owner, part, token } = build
  const row = await connection.read(() => first(`SELECT builder FROM large_owners WHERE owner = ?`, owner))
  if (row !== undefined && row.builder !== token) return
  await connection.execute([`DROP TABLE IF EXISTS ${part}`])
  await connection.write(() => run(`DELETE FROM large_owners WHERE owner = ? AND builder = ? AND ready = 0`, owner, token))
}

/** Builds the database index of a large owner, while queries use its shard and writes continue. */
export async function buildLarge(
  connection: LargeConnection,
  dialect: Dialect,
  place: OwnerWatermark,
  model: StoredModel | undefined,
  signal: AbortSignal,
): Promise<void> {
  const { owner } = place
  const build: Build = { connection, dialect, owner, part: partOf(owner), token: Math.random().toString(36).slice(2), signal }
  if (!(await claim(build, place))) return
  // A build takes minutes without other statements.
  const heartbeat = setInterval(() => void renew(build).catch(() => undefined), RENEW_MS)
  heartbeat.unref()
  try {
    const tokens = await fill(build, model?.dimensions)
    await followLarge(connection, dialect, owner, 0)
    if (!(await connection.write(() => attach(build, place.generation, model?.epoch ?? 0, tokens)))) throw new Error('nothing to attach')
  } catch (error) {
    await giveUp(build).catch(() => undefined)
    throw error
  } finally {
    clearInterval(heartbeat)
  }
}
