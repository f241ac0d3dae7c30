import type { Environment } from '../environment.js'
import { isWanted, loadObjects, type MemoryObject, type ObjectFilters } from './objects.js'

const PAGE = 500

export interface RecentQuery {
  readonly owner: string
  readonly limit: number
  readonly filters: ObjectFilters
  /** A further condition. */
  readonly only?: (object: MemoryObject) => boolean
  /** Looks no further back than so many changes. */
  readonly atMost?: number
}

/** What changed last, newest first, each object once: the journal knows. */
export async function recentObjects(env: Environment, query: RecentQuery): Promise<readonly MemoryObject[]> {
  const { owner, limit, filters, only, atMost = Number.POSITIVE_INFINITY } = query
  const found: MemoryObject[] = []
  const met = new Set<string>()
  let read = 0
  for (let before: number | undefined; found.length < limit && read < atMost; ) {
    const entries = await env.backend.store.journal({ owner, ...(before === undefined ? {} : { before }), newestFirst: true, limit: PAGE })
    const ids = [...new Set(entries.map(({ target }) => target))].filter((id) => !met.has(id))
    for (const id of ids) met.add(id)
    const objects = await loadObjects(env, ids, owner)
    for (const id of ids) {
      const object = objects.get(id)
      if (object !== undefined && isWanted(object, filters) && (only?.(object) ?? true)) found.push(object)
    }
    const last = entries[entries.length - 1]
    if (last === undefined || entries.length < PAGE) break
    before = last.seq
    read += entries.length
  }
  return found.slice(0, limit)
}
