import pg from 'pg'
import { type ChangedFact, changedFact, codedFactsAfter } from '../../memory-index/fact-rows.js'
import type { Dialect } from '../../sql/dialect.js'
import { lockOwner, type OwnerWatermark, placesOfOwners } from '../../sql/owners.js'
import { type Connection, each, first, type Plan, run } from '../../sql/plan.js'
import type { StoredModel } from '../../sql/stored-model.js'
import { followLarge, followStep } from './catch-up-index.js'
import { enter, partOf, vectorsPart, WHOLE, wordsPart } from './index-rows.js'

/** Tables are made outside of any transaction, so that nobody waits while they are filled. */
export interface LargeConnection extends Connection {
  execute(statements: readonly string[]): Promise<unknown>
}

const PAGE_SIZE = 1000
/** Whoever has not said for so long that it goes on is not coming back. */
const LEASE_US = 2 * 60_000_000
const RENEW_MS = 30_000
/** Building the index of vectors in memory is many times quicker; what does not fit goes on slower. */
const BUILD_MEMORY = '512MB'

/** A node that builds the index of an owner. */
interface Build {
  readonly connection: LargeConnection
  readonly dialect: Dialect
  readonly owner: string
  readonly part: string
  readonly token: string
  readonly signal: AbortSignal
}

/** True when it is for this node to build: nobody else does. */
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

/** Whether it goes on: not where another has taken over, nor where a reset has taken everything back. */
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
  if (!(await renew(build))) throw new Error('another node builds this index, or nobody may any more')
}

/** All of an owner's facts, page by page. Answers how many tokens each has, on average. */
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
  // Known to hold this owner alone, so that it can be attached without being read.
  const only = `CONSTRAINT one_owner CHECK (owner = ${pg.escapeLiteral(owner)})`
  await connection.execute([
    `DROP TABLE IF EXISTS ${part}`,
    `CREATE TABLE ${part} (LIKE large_facts INCLUDING DEFAULTS, ${only}) PARTITION BY RANGE (piece)`,
    `CREATE TABLE ${wordsPart(part)} PARTITION OF ${part} FOR VALUES FROM (MINVALUE) TO (${WHOLE})`,
    `CREATE TABLE ${vectorsPart(part)} PARTITION OF ${part} FOR VALUES FROM (${WHOLE}) TO (MAXVALUE)`,
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
 * From here on deletions reach it. Nobody writes for the owner meanwhile, so nothing is in it that has gone since. False
 * where all that it was made from has gone.
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

/** What was made so far goes, unless another makes it now: it would keep what is deleted. */
async function giveUp(build: Build): Promise<void> {
  const { connection, owner, part, token } = build
  const row = await connection.read(() => first(`SELECT builder FROM large_owners WHERE owner = ?`, owner))
  if (row !== undefined && row.builder !== token) return
  await connection.execute([`DROP TABLE IF EXISTS ${part}`])
  await connection.write(() => run(`DELETE FROM large_owners WHERE owner = ? AND builder = ? AND ready = 0`, owner, token))
}

/** Makes what one large owner is searched with in the database, while others search its unit and write. */
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
  // An index takes minutes, in which nothing else is said.
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
