import type { DerivedBackends, SemanticRow } from '../../../ports/derived-index.js'
import type { Environment } from '../../environment.js'
import { allChunks, allRows, OBJECT_CHUNK, rowsOf } from './semantic-rows.js'

/** Objects whose rows are built together. */
const AT_ONCE = 100

/** Differences between the vector table and its expected contents. */
interface SemanticState {
  readonly model: string | null
  readonly canonical: number
  readonly indexed: number
  /** Chunks that are missing or outdated. */
  readonly missing: number
  /** Chunks that should not exist. */
  readonly surplus: number
}

const ownersOf = async (env: Environment, owner: string): Promise<readonly string[]> => [...new Set([owner, ...(await env.graph.owners())])]

/** Rebuilds the table in a new location, then switches to it. Returns its number of rows. */
export async function rebuildSemantic(env: Environment, derived: DerivedBackends, owner: string): Promise<number> {
  const { model } = env.embedder
  const table = await derived.semantic()
  async function* rows(): AsyncGenerator<readonly SemanticRow[]> {
    for (const name of await ownersOf(env, owner)) yield* allRows(env, name)
  }
  return table.rebuild(model.dimensions, model.id, rows())
}

/** Updates the rows of these objects; returns those whose vectors are pending. */
export async function syncSemantic(
  env: Environment,
  derived: DerivedBackends,
  owner: string,
  ids: readonly string[],
): Promise<readonly string[]> {
  const table = await derived.semantic()
  const waiting: string[] = []
  for (let at = 0; at < ids.length; at += AT_ONCE) {
    const some = ids.slice(at, at + AT_ONCE)
    const made = await rowsOf(env, owner, some)
    await table.replace(some, made.rows)
    waiting.push(...made.waiting)
  }
  return waiting
}

export async function semanticState(env: Environment, derived: DerivedBackends, owner: string): Promise<SemanticState> {
  const table = await derived.semantic()
  const there = new Map(await table.contents(owner))
  const known = there.size
  let canonical = 0
  let missing = 0
  for await (const { chunkId, hash } of allChunks(env, owner)) {
    canonical++
    if (there.get(chunkId) !== hash) missing++
    there.delete(chunkId)
  }
  return { model: (await table.model()) ?? null, canonical, indexed: known, missing, surplus: there.size }
}

/** The objects and passages nearest to a vector, by id, with their cosines. */
export async function nearestTexts(derived: DerivedBackends, owner: string, vector: Float32Array, limit: number) {
  const hits = await (await derived.semantic()).search(vector, owner, limit)
  const facts = new Map<string, number>()
  const passages = new Map<string, number>()
  for (const { chunkId, objectId, distance } of hits) {
    const part = chunkId.slice(objectId.length + 1)
    if (part === OBJECT_CHUNK) facts.set(objectId, 1 - distance)
    else passages.set(part, 1 - distance)
  }
  return { facts, passages }
}
