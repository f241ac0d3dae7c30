import { EDGE_ORIGINS } from '../../../core/graph/linking.js'
import type { EmbeddingModel } from '../../../ports/embedder.js'
import type { Dialect } from '../plan/dialect.js'
import { all, type Connection, type Plan, run, text } from '../plan/plan.js'
import { noteEdges, STORE_ROW, vectorState } from './owners.js'
import { type StoredModel, storedModel } from './stored-model.js'

/** Owners read per page during a model switch. */
const PAGE_SIZE = 100

const CODE_TABLES = ['fact_codes', 'piece_codes', 'passage_codes', 'entity_vectors']

/** Drops the vectors of one owner, or of all, and what was derived from them. The texts wait for new ones. */
function* dropVectors(dialect: Dialect, owner: string | null): Plan<void> {
  const [where, and, values] = owner === null ? ['', '', []] : [' WHERE owner = ?', ' AND owner = ?', [owner]]
  yield* all(dialect.vectorsClear(owner))
  for (const table of CODE_TABLES) yield* run(`DELETE FROM ${table}${where}`, ...values)
  yield* run(`DELETE FROM entity_edges WHERE derived = ${EDGE_ORIGINS.fromVectors}${and}`, ...values)
  // State 3, no vector required, is kept.
  for (const table of ['facts', 'passages']) yield* run(`UPDATE ${table} SET embedded = 0 WHERE embedded <> 3${and}`, ...values)
}

/** Records the model of the store. */
function* announce(model: EmbeddingModel): Plan<StoredModel> {
  const epoch = ((yield* storedModel())?.epoch ?? 0) + 1
  const stored = { id: model.id, dimensions: model.dimensions, epoch }
  yield* run(
    `INSERT INTO meta (key, value) VALUES ('model', ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value`,
    JSON.stringify(stored),
  )
  return stored
}

/** The model and batch number for an owner's next vectors, after dropping those of an earlier model. */
export function* openVectors(dialect: Dialect, owner: string): Plan<{ readonly model: StoredModel | undefined; readonly stamp: number }> {
  const { stamp, epoch, ...state } = yield* vectorState(dialect, owner)
  if (epoch === (state.model?.epoch ?? 0)) return { model: state.model, stamp }
  // Read after locking the owner: another process may have switched it meanwhile.
  const model = yield* storedModel()
  const current = model?.epoch ?? 0
  if (epoch !== null && epoch !== current) {
    yield* dropVectors(dialect, owner)
    yield* noteEdges(owner)
  }
  if (epoch !== current) yield* run(`UPDATE owners SET epoch = ? WHERE owner = ?`, current, owner)
  return { model, stamp }
}

/** A file is switched in one transaction, since its writers are serialised anyway. */
function* startOver(model: EmbeddingModel, dialect: Dialect): Plan<void> {
  const { epoch } = yield* announce(model)
  yield* dropVectors(dialect, null)
  yield* run(`UPDATE owners SET epoch = ?`, epoch)
}

function* ownersBehind(): Plan<readonly string[]> {
  const epoch = (yield* storedModel())?.epoch ?? 0
  const rows = yield* run(
    `SELECT owner FROM owners WHERE epoch < ? AND owner <> ? ORDER BY epoch, owner LIMIT ?`,
    epoch,
    STORE_ROW,
    PAGE_SIZE,
  )
  return rows.map((row) => text(row, 'owner'))
}

interface ModelSwitch {
  /** Switches the store to a model; with `recompute` also for the current one. */
  begin(model: EmbeddingModel, recompute: boolean): Promise<void>
  /** Completes an interrupted switch, started by any process. */
  finish(): Promise<void>
}

/**
 * A model switch. On a server it proceeds owner by owner, each in its own transaction: owners not yet switched have vectors of the old
 * model, and are searched by keyword until then.
 */
export function createModelMove(connection: Connection, dialect: Dialect): ModelSwitch {
  const finish = async (): Promise<void> => {
    for (;;) {
      const owners = await connection.read(ownersBehind)
      if (owners.length === 0) return
      for (const owner of owners) await connection.write(() => openVectors(dialect, owner), { durable: false, owners: [owner] })
    }
  }
  return {
    async begin(model, recompute) {
      await connection.write(function* (): Plan<void> {
        const stored = yield* storedModel()
        if (!recompute && stored?.id === model.id && stored.dimensions === model.dimensions) return
        if (dialect.numbers === 'together') yield* startOver(model, dialect)
        else yield* announce(model)
      })
      await finish()
    },
    finish,
  }
}
