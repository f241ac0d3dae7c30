import type { Backend } from '../../ports/backend.js'
import type { Clock } from '../../ports/clock.js'
import type { RoughEmbedder } from '../../ports/code-index.js'
import { createFactShards } from '../memory-index/fact-shards.js'
import { createResidentPassages } from '../memory-index/passages.js'
import { createShardCache, DEFAULT_LIMITS, type ShardLimits } from '../memory-index/shard-cache.js'
import { VectorMemory } from '../memory-index/vector-memory.js'
import { createDeliveries } from '../sql/commit/deliveries.js'
import { createGraphIndex } from '../sql/graph/graph-index.js'
import { createJobs } from '../sql/jobs.js'
import { createCodeIndex } from '../sql/sources/code-index.js'
import { createStatements } from '../sql/statements/statements.js'
import { createSqlStore } from '../sql/store.js'
import { createBacklog } from '../sql/vectors/backlog.js'
import { readAddress, shownAddress } from './address.js'
import { createPostgresConnection } from './connection.js'
import { createLargeViews } from './database-index/index-views.js'
import { postgresDialect } from './dialect.js'
import { prepareStore } from './migrate.js'
import { createNeighbours } from './neighbours.js'
import { createPool } from './pool.js'
import { createUpkeep, type Retention } from './upkeep.js'

export interface PostgresOptions {
  readonly url: string
  readonly clock: Clock
  /** Maximum number of connections of this process. */
  readonly connections: number
  /** How long a call waits for a connection, and retries while the database is unreachable. */
  readonly waitMs: number
  /** Partitions of a new store, by owner; 0 for none. */
  readonly partitions?: number
  /** Statements at or below this confidence are not embedded; default 0.1. */
  readonly embedAbove?: number | undefined
  readonly retention?: Retention
  readonly searchLimits?: ShardLimits
  /** Owners with this many facts are searched in the database; by default half of what fits the memory limit. */
  readonly largeFrom?: number
  readonly roughEmbedder?: RoughEmbedder
  /** Receives the statements of every round trip, for counting. */
  observe?(statements: readonly string[]): void
}

/** Approximate memory per fact, terms and vector. */
const FACT_BYTES = 1700

const NO_ROUGH: RoughEmbedder = { dimensions: 1, passage: () => new Float32Array(1), query: () => new Float32Array(1) }

export async function openPostgres(options: PostgresOptions): Promise<Backend> {
  const { url, clock, connections, waitMs, roughEmbedder = NO_ROUGH } = options
  const location = shownAddress(url)
  const address = readAddress(url)
  const pool = createPool({ address, connections, waitMs })
  const connection = createPostgresConnection({
    pool,
    location,
    patienceMs: waitMs,
    ...(options.observe === undefined ? {} : { observe: options.observe }),
  })
  try {
    await prepareStore(connection, { location, schema: address.schema, partitions: options.partitions ?? 0 })
  } catch (error) {
    await connection.close()
    throw error
  }
  const dialect = postgresDialect
  const memory = createShardCache(options.searchLimits)
  const vectors = new VectorMemory()
  const mostFacts = Math.floor((options.searchLimits?.bytes ?? DEFAULT_LIMITS.bytes) / FACT_BYTES)
  const shards = createFactShards(connection, memory, vectors, mostFacts)
  const views = createLargeViews({ connection, dialect, shards, vectors, from: options.largeFrom ?? Math.floor(mostFacts / 2) })
  const passages = createResidentPassages(connection, memory, vectors, roughEmbedder)
  return {
    location,
    store: createSqlStore({ connection, dialect, clock, embedAbove: options.embedAbove }),
    view: views.view,
    graph: createGraphIndex(connection, dialect, createNeighbours(connection, memory)),
    code: createCodeIndex(connection, passages),
    backlog: createBacklog(connection, dialect),
    jobs: createJobs(connection, dialect, clock),
    statements: createStatements(connection, dialect),
    deliveries: createDeliveries(connection),
    maintenance: createUpkeep({ connection, dialect, clock, location, retention: options.retention ?? { contentDays: 0, entryDays: 0 } }),
    problem: async () => {
      const problem = connection.problem()
      return problem === undefined ? undefined : `${problem.message}${problem.hint === undefined ? '' : ` ${problem.hint}`}`
    },
    readOnly: false,
    needsReopen: () => false,
    warm: shards.warm,
    memoryBytes: memory.memoryBytes,
    async close() {
      memory.close()
      await views.close()
      await connection.close()
    },
  }
}
