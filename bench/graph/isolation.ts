import { join } from 'node:path'
import { loadConfig } from '../../src/config.js'
import type { Change } from '../../src/core/journal/change.js'
import { toFact } from '../../src/engine/facts/remember.js'
import { findSimilar } from '../../src/engine/graph/find-similar.js'
import { searchNodes } from '../../src/engine/graph/search-nodes.js'
import { type Opened, openBoth } from '../../test/opened.js'
import { dice } from './seed.js'

export interface Isolation {
  readonly owners: number
  readonly facts: number
  /** Queries whose hits equal those of a store with that owner alone. */
  readonly searches: { readonly asked: number; readonly equal: number; readonly p50: number }
  /** Facts whose ten nearest equal an exhaustive comparison within the owner. */
  readonly neighbours: { readonly asked: number; readonly equal: number; readonly p50: number }
  /** Hits that belong to another owner. */
  readonly foreign: number
}

const WORDS =
  'amber basin cedar delta ember fjord grove haven inlet jetty knoll ledge marsh notch orbit pond quarry ridge spire terrace'.split(' ')
const RESULT_LIMIT = 10
const never = new AbortController().signal

const open = (dataDir: string): Promise<Opened> =>
  openBoth(loadConfig({ flags: { dataDir, embedder: 'hash', searchCacheEnabled: false }, env: {} }).config)

async function fill(opened: Opened, facts: readonly { readonly owner: string; readonly text: string }[]): Promise<void> {
  for (let i = 0; i < facts.length; i += 500) {
    await opened.backend.store.commit({ actor: 'bench', owners: [...new Set(facts.map(({ owner }) => owner))] }, (now) =>
      facts.slice(i, i + 500).map(
        (fact, j): Change => ({
          op: 'fact.put',
          fact: toFact(opened.environment, { ...fact, autoLink: false }, now + j, { actor: 'mcp', connection: null }),
        }),
      ),
    )
  }
  await opened.environment.embedding.rebuild(() => undefined, never)
}

const median = (times: number[]): number => Math.round((times.sort((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0) * 100) / 100

/** Compares every owner's hits in a store of many owners with the correct ones. */
export async function measureIsolation(
  dataDir: string,
  size: { readonly owners: number; readonly facts: number },
  progress: (text: string) => void,
): Promise<Isolation> {
  progress(`seeding ${size.facts} facts of ${size.owners} owners`)
  const random = dice(11)
  const text = (): string => Array.from({ length: 8 }, () => WORDS[Math.floor(random() * WORDS.length)]).join(' ')
  const facts = Array.from({ length: size.facts }, (_, i) => ({ owner: `owner-${i % size.owners}`, text: `${text()} ${i}` }))
  const opened = await open(join(dataDir, 'many'))
  await fill(opened, facts)
  const found = {
    searches: { asked: 0, equal: 0, times: [] as number[] },
    neighbours: { asked: 0, equal: 0, times: [] as number[] },
    foreign: 0,
  }
  for (let i = 0; i < size.owners; i++) {
    const owner = `owner-${i}`
    const mine = facts.filter((fact) => fact.owner === owner)
    const query = text()
    const startedAt = performance.now()
    const hits = await ask(opened, owner, query)
    found.searches.times.push(performance.now() - startedAt)
    found.foreign += hits.filter((hit) => hit.owner !== owner).length
    if (i % 10 === 0) {
      const alone = await open(join(dataDir, owner))
      await fill(alone, mine)
      found.searches.asked++
      if (JSON.stringify(await ask(alone, owner, query)) === JSON.stringify(hits)) found.searches.equal++
      await alone.engine.close()
    }
    await nearest(opened, owner, found)
  }
  await opened.engine.close()
  const shown = ({ asked: requested, equal, times }: typeof found.searches) => ({ asked: requested, equal, p50: median(times) })
  return { ...size, searches: shown(found.searches), neighbours: shown(found.neighbours), foreign: found.foreign }
}

async function ask(opened: Opened, owner: string, query: string): Promise<readonly { readonly owner: string; readonly text: string }[]> {
  const { hits } = await searchNodes(opened.engine.context(), {
    text: query,
    owner,
    limit: RESULT_LIMIT,
    kinds: ['fact', 'entity'],
    lives: ['active'],
    threshold: 0,
    signal: never,
  })
  return hits.flatMap(({ node }) => (node.kind === 'fact' ? [{ owner: node.fact.owner, text: node.fact.text }] : []))
}

async function nearest(
  opened: Opened,
  owner: string,
  found: { readonly neighbours: { asked: number; equal: number; readonly times: number[] }; foreign: number },
): Promise<void> {
  const mine = await opened.backend.store.listFacts({ owner, limit: 100_000, offset: 0 })
  const [fact] = mine
  if (fact === undefined) return
  const startedAt = performance.now()
  const hits = await findSimilar(opened.engine.context(), fact, { threshold: 0, limit: RESULT_LIMIT })
  found.neighbours.times.push(performance.now() - startedAt)
  found.foreign += hits.filter((hit) => hit.fact.owner !== owner).length
  const view = await opened.backend.view(owner)
  const rids = await view.rows.ridsOf(mine.map((fact) => fact.id))
  const vector = (await view.vectors.vectors([rids.get(fact.id) ?? 0])).get(rids.get(fact.id) ?? 0)
  if (vector === undefined) return
  const others = [...rids].filter(([id]) => id !== fact.id).map(([, rid]) => rid)
  const best = [...(await view.vectors.similarities(vector, others)).values()].sort((a, b) => b - a).slice(0, RESULT_LIMIT)
  view.close()
  found.neighbours.asked++
  if (hits.length === best.length && hits.every((hit, i) => Math.abs(hit.similarity - (best[i] ?? 0)) < 1e-6)) found.neighbours.equal++
}
