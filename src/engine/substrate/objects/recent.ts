import type { Environment } from '../../environment.js'
import { loadObjects, type MemoryObject, matchesFilters, type ObjectFilters } from './objects.js'

/** Entries contain the previous and the new state, so few are read. */
const MIN_PAGE = 40
const MAX_PAGE = 500

interface RecentQuery {
  readonly owner: string
  readonly limit: number
  readonly filters: ObjectFilters
  /** An additional condition. */
  readonly only?: (object: MemoryObject) => boolean
  /** Limit of examined changes. */
  readonly atMost?: number
}

/** Recently changed objects, newest first and each once, from the journal. */
export async function recentObjects(env: Environment, query: RecentQuery): Promise<readonly MemoryObject[]> {
  const { owner, limit, filters, only, atMost = Number.POSITIVE_INFINITY } = query
  const found: MemoryObject[] = []
  const met = new Set<string>()
  let read = 0
  let page = Math.min(MAX_PAGE, Math.max(MIN_PAGE, 2 * limit))
  for (let before: number | undefined; found.length < limit && read < atMost; ) {
    const entries = await env.store.journal({ owner, ...(before === undefined ? {} : { before }), newestFirst: true, limit: page })
    const ids = [...new Set(entries.map(({ target }) => target))].filter((id) => !met.has(id))
    for (const id of ids) met.add(id)
    const objects = await loadObjects(env, ids, owner)
    for (const id of ids) {
      const object = objects.get(id)
      if (object !== undefined && matchesFilters(object, filters) && (only?.(object) ?? true)) found.push(object)
    }
    const last = entries[entries.length - 1]
    if (last === undefined || entries.length < page) break
    before = last.seq
    read += entries.length
    page = Math.min(MAX_PAGE, 2 * page)
  }
  return found.slice(0, limit)
}
