import { join } from 'node:path'
import type { Backend } from '../../ports/backend.js'
import type { Clock } from '../../ports/clock.js'
import type { RoughEmbedder } from '../../ports/code-index.js'
import { createFactShards } from '../memory-index/fact-shards.js'
import { createResidentNeighbours } from '../memory-index/neighbours.js'
import { createResidentPassages } from '../memory-index/passages.js'
import { createShardCache, type ShardLimits } from '../memory-index/shard-cache.js'
import { VectorMemory } from '../memory-index/vector-memory.js'
import { createViewParts, createViews } from '../memory-index/views.js'
import { createDeliveries } from '../sql/commit/deliveries.js'
import { createGraphIndex } from '../sql/graph/graph-index.js'
import { createJobs } from '../sql/jobs.js'
import { createCodeIndex } from '../sql/sources/code-index.js'
import { createStatements } from '../sql/statements/statements.js'
import { createSqlStore } from '../sql/store.js'
import { createBacklog } from '../sql/vectors/backlog.js'
import { NO_COMMIT_COUNT, openCount } from './commit-count.js'
import { createCompaction, type Retention } from './compaction.js'
import { createSqliteConnection } from './connection.js'
import { sqliteDialect } from './dialect.js'
import type { Driver } from './driver.js'
import { defaultDriver } from './driver-choice.js'
import { createEdgeChangeFeed } from './edge-change-feed.js'
import { createErasure } from './erasure.js'
import { type FileLock, lockForUse } from './file-lock.js'
import { openDatabase, prepareDirectory } from './open-file.js'
import { mayOnlyRead, openForReading, refuseWriting } from './read-only.js'
import { createReserve, openWithReserve, withReserve } from './reserve.js'
import { createUpkeep } from './upkeep.js'

interface SqliteOptions {
  readonly directory: string
  /** A path other than `mneme.db` in the directory. */
  readonly file?: string | undefined
  readonly clock: Clock
  readonly busyTimeoutMs: number
  /** Journal retention; everything is kept by default. */
  readonly retention?: Retention
  /** Memory limit and idle time of the search indexes. */
  readonly searchLimits?: ShardLimits
  /** Statements at or below this confidence are not embedded; default 0.1. */
  readonly embedAbove?: number | undefined
  /** Computes first vectors of code. Without it, code is found by keyword until the model has embedded it. */
  readonly roughEmbedder?: RoughEmbedder
  /** The SQLite library; by default chosen by the Node version. */
  readonly driver?: Driver
}

const NO_ROUGH: RoughEmbedder = { dimensions: 1, passage: () => new Float32Array(1), query: () => new Float32Array(1) }

interface FoundFile {
  readonly file: string
  readonly readOnly: boolean
  readonly driver: Driver
}

export async function openSqlite(options: SqliteOptions): Promise<Backend> {
  const { directory, busyTimeoutMs, driver = defaultDriver(), file = join(directory, 'mneme.db') } = options
  const readOnly = mayOnlyRead(file)
  if (!readOnly) prepareDirectory(file)
  const lock = await lockForUse(file, busyTimeoutMs, driver)
  try {
    return assemble({ ...options, file, readOnly, driver }, lock)
  } catch (error) {
    lock.release()
    throw error
  }
}

function assemble(options: SqliteOptions & FoundFile, lock: FileLock): Backend {
  const { file, readOnly, driver, clock, busyTimeoutMs, roughEmbedder = NO_ROUGH } = options
  const reading = readOnly ? openForReading(file, driver) : undefined
  const reserve = createReserve(file)
  const db = reading?.db ?? openWithReserve(reserve, () => openDatabase(file, driver))
  const count = readOnly ? NO_COMMIT_COUNT : openCount(db, file)
  const refusal = readOnly ? refuseWriting(file) : undefined
  const connection = createSqliteConnection(db, { file, busyTimeoutMs, committed: count.record, refusal })
  if (!readOnly) reserve.fill()
  const compaction = createCompaction({ db, file, connection, clock, retention: options.retention ?? { contentDays: 0, entryDays: 0 } })
  const erasure = createErasure(db, connection, compaction)
  if (!readOnly) erasure.schedule()
  const dialect = sqliteDialect(() => erasure.schedule())
  // Loading a shard fills SQLite's page cache, which is then released.
  const memory = createShardCache(options.searchLimits, () => db.isOpen && db.pragma('shrink_memory'))
  const vectors = new VectorMemory()
  const shards = createFactShards(connection, memory, vectors)
  const views = createViews(shards, createViewParts(connection, dialect))
  const neighbours = createResidentNeighbours(connection, memory, createEdgeChangeFeed(db, connection))
  const passages = createResidentPassages(connection, memory, vectors, roughEmbedder)
  return {
    location: file,
    store: withReserve(createSqlStore({ connection, dialect, clock, embedAbove: options.embedAbove }), reserve),
    view: views.view,
    graph: createGraphIndex(connection, dialect, neighbours),
    code: createCodeIndex(connection, passages),
    backlog: createBacklog(connection, dialect),
    jobs: createJobs(connection, dialect, clock),
    statements: createStatements(connection, dialect),
    deliveries: createDeliveries(connection),
    maintenance: createUpkeep({ db, file, connection, dialect, clock, count, compaction }),
    problem: async () => {
      const problem = connection.problem()
      return problem === undefined ? undefined : `${problem.message}${problem.hint === undefined ? '' : ` ${problem.hint}`}`
    },
    readOnly,
    needsReopen: () => connection.needsReopen() || reading?.isStale() === true,
    warm: shards.warm,
    memoryBytes: memory.memoryBytes,
    async close() {
      try {
        memory.close()
        await erasure.close()
        await connection.close()
      } finally {
        count.close()
        reading?.dispose()
        lock.release()
      }
    },
  }
}
