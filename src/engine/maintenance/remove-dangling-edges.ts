import type { Edge } from '../../core/graph/edge.js'
import type { Change } from '../../core/journal/change.js'
import type { Page, PageCursor } from '../../ports/store.js'
import type { Environment } from '../environment.js'
import { retryOnConflict } from '../facts/revise.js'
import { edgesWithEnds } from '../transfer/edge-ends.js'

const PAGE_SIZE = 500
const REMOVAL_REASON = 'an end of it is missing'

/** Removes dangling edges, which earlier imports created; returns their number. */
export async function removeDanglingEdges(env: Environment, actor: string, signal: AbortSignal): Promise<number> {
  const { store } = env
  let removed = 0
  for (let after: PageCursor | null | undefined; after !== null; ) {
    signal.throwIfAborted()
    const page: Page<Edge> = await store.pageEdges({ limit: PAGE_SIZE, ...(after === undefined ? {} : { after }) })
    const whole = await edgesWithEnds(store, page.items, [])
    for (const { id, owner } of page.items.filter((edge) => !whole.has(edge.id)))
      removed += await retryOnConflict(() => remove(env, actor, { id, owner }))
    after = page.next
  }
  return removed
}

/** One by one: there are few, and another process may remove one first. */
async function remove({ store }: Environment, actor: string, { id, owner }: Pick<Edge, 'id' | 'owner'>): Promise<number> {
  const [edge] = await store.edgesById([id], owner)
  if (edge === undefined || (await edgesWithEnds(store, [edge], [])).has(id)) return 0
  await store.commit({ actor, owners: [owner] }, (): Change[] => [{ op: 'edge.delete', id, owner, reason: REMOVAL_REASON }])
  return 1
}
