import type { Environment } from '../environment.js'
import { isWanted, loadObjects, type MemoryObject, type ObjectFilters } from './objects.js'

const PAGE = 500

export interface RecentQuery {
  readonly owner: string
  readonly limit: number
  readonly filters: ObjectFilters
}

/** What changed last, newest first, each object once: the journal knows. */
export async function recentObjects(env: Environment, { owner, limit, filters }: RecentQuery): Promise<readonly MemoryObject[]> {
  const found: MemoryObject[] = []
  const met = new Set<string>()
  for (let before: number | undefined; found.length < limit; ) {
    const entries = await env.backend.store.journal({ owner, ...(before === undefined ? {} : { before }), newestFirst: true, limit: PAGE })
    const ids = [...new Set(entries.map(({ target }) => target))].filter((id) => !met.has(id))
    for (const id of ids) met.add(id)
    const objects = await loadObjects(env, ids, owner)
    found.push(...ids.flatMap((id) => objects.get(id) ?? []).filter((object) => isWanted(object, filters)))
    const last = entries[entries.length - 1]
    if (last === undefined || entries.length < PAGE) break
    before = last.seq
  }
  return found.slice(0, limit)
}
