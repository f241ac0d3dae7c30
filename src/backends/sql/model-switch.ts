import { DERIVED } from '../../core/graph/linking.js'
import type { EmbeddingModel } from '../../ports/embedder.js'
import type { Dialect } from './dialect.js'
import { EVERYONE, noteEdges, vectorState } from './owners.js'
import { all, type Connection, type Plan, run, text } from './plan.js'
import { type StoredModel, storedModel } from './stored-model.js'

/** Owners that are looked up at once while a store moves to another model. */
const PAGE_SIZE = 100

const CODES = ['fact_codes', 'piece_codes', 'passage_codes', 'entity_vectors']

/** Vectors of one owner, or of everyone, and what was derived from them. Their texts wait for new ones. */
function* dropVectors(dialect: Dialect, owner: string | null): Plan<void> {
  const [where, and, values] = owner === null ? ['', '', []] : [' WHERE owner = ?', ' AND owner = ?', [owner]]
  yield* all(dialect.vectorsClear(owner))
  for (const table of CODES) yield* run(`DELETE FROM ${table}${where}`, ...values)
  yield* run(`DELETE FROM entity_edges WHERE derived = ${DERIVED.fromVectors}${and}`, ...values)
  // 3 stays: it is what has no vector and wants none.
  for (const table of ['facts', 'passages']) yield* run(`UPDATE ${table} SET embedded = 0 WHERE embedded <> 3${and}`, ...values)
}

/** Names the model whose vectors the store has from now on. */
function* announce(model: EmbeddingModel): Plan<StoredModel> {
  const epoch = ((yield* storedModel())?.epoch ?? 0) + 1
  const stored = { id: model.id, dimensions: model.dimensions, epoch }
  yield* run(
    `INSERT INTO meta (key, value) VALUES ('model', ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value`,
    JSON.stringify(stored),
  )
  return stored
}

/** The model of an owner's next batch of vectors, and its stamp, once those of an earlier model are gone. */
export function* openVectors(dialect: Dialect, owner: string): Plan<{ readonly model: StoredModel | undefined; readonly stamp: number }> {
  const { stamp, epoch, ...state } = yield* vectorState(dialect, owner)
  if (epoch === (state.model?.epoch ?? 0)) return { model: state.model, stamp }
  // Another may have moved the owner while this one waited for its lock: what was read before that no longer holds.
  const model = yield* storedModel()
  const current = model?.epoch ?? 0
  if (epoch !== null && epoch !== current) {
    yield* dropVectors(dialect, owner)
    yield* noteEdges(owner)
  }
  if (epoch !== current) yield* run(`UPDATE owners SET epoch = ? WHERE owner = ?`, current, owner)
  return { model, stamp }
}

/** One transaction moves a file: those who write to it wait for each other anyway. */
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
    EVERYONE,
    PAGE_SIZE,
  )
  return rows.map((row) => text(row, 'owner'))
}

export interface ModelSwitch {
  /** Moves the store to a model; where that is the one it has, only if everything is to be made anew. */
  begin(model: EmbeddingModel, anew: boolean): Promise<void>
  /** Goes on with a move that was cut short, by whichever process. */
  finish(): Promise<void>
}

/**
 * A change of model. Where nodes share a server it goes owner by owner, each in a transaction of its own: an owner who is
 * still to come has vectors of a model that nobody asks with any more, and is searched by words until then.
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
    async begin(model, anew) {
      await connection.write(function* (): Plan<void> {
        const stored = yield* storedModel()
        if (!anew && stored?.id === model.id && stored.dimensions === model.dimensions) return
        if (dialect.numbers === 'together') yield* startOver(model, dialect)
        else yield* announce(model)
      })
      await finish()
    },
    finish,
  }
}
