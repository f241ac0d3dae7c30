import type { DerivedBackends, GraphContents, GraphRelation } from '../../../ports/derived-index.js'
import type { Environment } from '../../environment.js'
import { aroundObject, type ObjectNeighbourhood } from '../objects/around.js'
import { loadObjects } from '../objects/objects.js'
import { graphAround, graphOf } from './graph-records.js'

/** Rebuilds the graph copy in a new file, then switches to it. */
export async function rebuildGraph(env: Environment, derived: DerivedBackends, owner: string): Promise<GraphContents> {
  const owners = [...new Set([owner, ...(await env.graph.owners())])]
  const graphs = await Promise.all(owners.map((owned) => graphOf(env, owned)))
  const contents = { records: graphs.flatMap(({ records }) => records), relations: graphs.flatMap(({ relations }) => relations) }
  await (await derived.graph()).rebuild(contents)
  return contents
}

/** Updates the records derived from these ids. After a deletion the file is rebuilt, because it would keep deleted bytes. */
export async function syncGraph(env: Environment, derived: DerivedBackends, owner: string, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  const contents = await graphAround(env, owner, ids)
  const there = new Set([...contents.records.map(({ id }) => id), ...contents.relations.map(({ origin }) => origin)])
  if (ids.every((id) => there.has(id))) await (await derived.graph()).replace(ids, contents)
  else await rebuildGraph(env, derived, owner)
}

export interface MirrorState {
  readonly canonical: { readonly records: number; readonly relations: number }
  readonly mirrored: { readonly records: number; readonly relations: number } | null
  /** Records missing in the copy. */
  readonly missing: readonly string[]
}

const PAGE_SIZE = 5000

export async function mirrorState(env: Environment, derived: DerivedBackends, owner: string): Promise<MirrorState> {
  const mirror = await derived.graph()
  const { records, relations } = await graphOf(env, owner)
  const there = new Set<string>()
  for (let after = ''; ; ) {
    const ids = await mirror.ids(owner, after, PAGE_SIZE)
    for (const id of ids) there.add(id)
    const last = ids[ids.length - 1]
    if (last === undefined || ids.length < PAGE_SIZE) break
    after = last
  }
  return {
    canonical: { records: records.length, relations: relations.length },
    mirrored: (await mirror.counts(owner)) ?? null,
    missing: records.flatMap(({ id }) => (there.has(id) ? [] : [id])),
  }
}

/** The same as `aroundObject`, read from the copy. */
export async function aroundInMirror(
  env: Environment,
  derived: DerivedBackends,
  { id, owner, limit }: { readonly id: string; readonly owner: string; readonly limit: number },
): Promise<ObjectNeighbourhood | undefined> {
  const root = (await loadObjects(env, [id], owner)).get(id)
  if (root === undefined) return undefined
  const { relations } = await (await derived.graph()).around(id, limit)
  const stated = await standing(env, owner, relations)
  // Hidden or deleted relations must not take the place of others.
  if (stated.length < relations.length && relations.length >= limit) return aroundObject(env, id, owner, limit)
  const renamed = stated.map(({ id: name, source, target, relation, payload }) => ({
    id: name,
    from: source,
    to: target,
    relation,
    payload,
  }))
  const once = [...new Map(renamed.map((link) => [link.id, link])).values()]
  const objects = await loadObjects(env, [...new Set([id, ...once.flatMap(({ from, to }) => [from, to])])], owner)
  return { root, objects, relations: once }
}

/** Relations derived from facts that the caller may read. */
async function standing(env: Environment, owner: string, relations: readonly GraphRelation[]): Promise<readonly GraphRelation[]> {
  const origins = [...new Set(relations.map(({ origin }) => origin))]
  const objects = await loadObjects(env, origins, owner)
  const rest = origins.filter((id) => !objects.has(id))
  const made = new Set(rest.length === 0 ? [] : (await env.store.edgesById(rest)).map(({ id }) => id))
  return relations.filter(({ origin }) => objects.has(origin) || made.has(origin))
}
