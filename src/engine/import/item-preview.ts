import type { Environment } from '../environment.js'
import type { ItemCounts, ItemSink } from '../transfer/item-writer.js'
import type { Item } from '../transfer/items.js'

const PAGE_SIZE = 500
/** Beyond it, only repeats within a page are seen: the preview of a huge export stays small in memory. */
const MAX_SEEN = 300_000

/** Counts new and existing items without storing anything. */
export function createItemPreview(env: Environment): ItemSink {
  const counts: ItemCounts = { facts: 0, entities: 0, edges: 0, sources: 0, arrangements: 0, revised: 0, skipped: 0 }
  /** Ids read before, so that a record that is repeated far apart is counted once, as it is stored. */
  const seen = new Set<string>()
  let batch: Item[] = []
  const flush = async (): Promise<void> => {
    const ids = batch.map(({ id }) => id)
    const [facts, entities, edges, sources] = await Promise.all([
      env.store.facts(ids),
      env.store.entities(ids),
      env.store.edgesById(ids),
      env.store.sources(ids),
    ])
    const stored = new Map(facts.map((fact) => [fact.id, fact]))
    const known = new Set([...entities, ...edges, ...sources].map(({ id }) => id))
    const now = env.clock.now()
    for (const item of batch) {
      const fact = stored.get(item.id)
      if (fact !== undefined && item.kind === 'fact' && item.revise?.(fact, now) !== undefined) counts.revised++
      else if (fact !== undefined || known.has(item.id) || seen.has(item.id)) counts.skipped++
      else if (item.kind === 'fact') counts.facts++
      else if (item.kind === 'entity') counts.entities++
      else if (item.kind === 'edge') counts.edges++
      else if (item.kind === 'source') counts.sources++
      else if (item.kind === 'arrangement') counts.arrangements++
      if (seen.size < MAX_SEEN) seen.add(item.id)
      else known.add(item.id)
    }
    batch = []
  }
  return {
    counts,
    async add(item) {
      batch.push(item)
      if (batch.length >= PAGE_SIZE) await flush()
    },
    async finish() {
      await flush()
      return []
    },
  }
}
