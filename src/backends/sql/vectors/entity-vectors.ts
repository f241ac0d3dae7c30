import { CAPTURED_URI_PREFIX } from '../../../core/graph/names.js'
import type { GraphIndex } from '../../../ports/graph-index.js'
import { openVectors } from '../owners/model-switch.js'
import { noteVectors, placesOfOwners } from '../owners/owners.js'
import { ownModel, storedModel } from '../owners/stored-model.js'
import type { Dialect } from '../plan/dialect.js'
import { bytes, type Connection, first, number, type Plan, type Row, run, runPair, text } from '../plan/plan.js'
import { ENTITY_COLUMNS, toEntity } from '../plan/rows.js'

type EntityVectors = Pick<GraphIndex, 'entitiesToEmbed' | 'putEntityVectors' | 'similarEntities'>

/** Cached vectors of one owner's entities, with their watermark. */
interface LoadedVectors {
  stamp: number
  readonly vectors: Map<string, Float32Array>
}

/** Number of cached owners; reading another one costs a pass over its rows. */
const MAX_CACHED_OWNERS = 16
const PAGE_SIZE = 500
const NO_VECTORS: LoadedVectors = { stamp: 0, vectors: new Map() }

const columns = ENTITY_COLUMNS.split(', ')
  .map((column) => `e.${column}`)
  .join(', ')

/** Entities are few, so their vectors are compared one by one. They are cached and updated as they change. */
export function createEntityVectors(connection: Connection, dialect: Dialect): EntityVectors {
  const owners = new Map<string, LoadedVectors>()

  const load = async (owner: string): Promise<LoadedVectors> => {
    const known = owners.get(owner) ?? { stamp: 0, vectors: new Map() }
    owners.delete(owner)
    owners.set(owner, known)
    const [oldest] = owners.keys()
    if (owners.size > MAX_CACHED_OWNERS && oldest !== undefined) owners.delete(oldest)
    const [[model, [place]], state] = await connection.read(() =>
      runPair(
        runPair(storedModel(), placesOfOwners([owner])),
        first(`SELECT count(*) AS n, coalesce(max(stamp), 0) AS stamp FROM entity_vectors WHERE owner = ?`, owner),
      ),
    )
    // Vectors of an earlier model are not compared.
    if (ownModel(model, place?.epoch ?? null) === undefined) return NO_VECTORS
    const [size, newest] = state === undefined ? [0, 0] : [number(state, 'n'), number(state, 'stamp')]
    if (newest > known.stamp) {
      const rows = await connection.read(() =>
        run(`SELECT entity_id, vector FROM entity_vectors WHERE owner = ? AND stamp > ?`, owner, known.stamp),
      )
      for (const row of rows) known.vectors.set(text(row, 'entity_id'), vectorOf(row))
      known.stamp = newest
    }
    if (known.vectors.size !== size) {
      const there = new Set(
        (await connection.read(() => run(`SELECT entity_id FROM entity_vectors WHERE owner = ?`, owner))).map((row) =>
          text(row, 'entity_id'),
        ),
      )
      for (const id of known.vectors.keys()) if (!there.has(id)) known.vectors.delete(id)
    }
    return known
  }

  return {
    entitiesToEmbed: (owner, limit) =>
      connection.read(function* () {
        const rows = yield* run(
          `SELECT ${columns} FROM entities e LEFT JOIN entity_vectors v ON v.entity_id = e.id AND v.owner = e.owner
           WHERE e.owner = ? AND (v.entity_id IS NULL OR v.version <> e.version)
             AND (e.uri IS NULL OR substr(e.uri, 1, ${CAPTURED_URI_PREFIX.length}) <> '${CAPTURED_URI_PREFIX}') LIMIT ?`,
          owner,
          Math.min(limit, PAGE_SIZE),
        )
        return rows.map(toEntity)
      }),
    async putEntityVectors(vectors) {
      const putOne = (owner: string): Promise<void> =>
        connection.write(
          function* (): Plan<void> {
            const { stamp } = yield* openVectors(dialect, owner)
            for (const { entity, vector } of vectors) {
              if (entity.owner !== owner) continue
              yield* run(`DELETE FROM entity_vectors WHERE entity_id = ? AND +owner = ?`, entity.id, owner)
              yield* run(
                `INSERT INTO entity_vectors (entity_id, owner, version, stamp, vector)
                 SELECT id, owner, version, ?, ? FROM entities WHERE id = ? AND owner = ? AND version = ?`,
                stamp,
                new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength),
                entity.id,
                owner,
                entity.version,
              )
            }
            yield* noteVectors(dialect, owner, stamp)
          },
          { durable: false, owners: [owner] },
        )
      await Promise.all([...new Set(vectors.map(({ entity }) => entity.owner))].map(putOne))
    },
    async similarEntities(query, owner, min) {
      const hits: { readonly id: string; readonly score: number }[] = []
      for (const [id, vector] of (await load(owner)).vectors) {
        if (vector.length !== query.length) continue
        let score = 0
        for (let i = 0; i < vector.length; i++) score += (vector[i] ?? 0) * (query[i] ?? 0)
        if (score >= min) hits.push({ id, score })
      }
      return hits.sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1))
    },
  }
}

function vectorOf(row: Row): Float32Array {
  const blob = bytes(row, 'vector')
  return new Float32Array(blob.buffer.slice(blob.byteOffset, blob.byteOffset + blob.byteLength))
}
