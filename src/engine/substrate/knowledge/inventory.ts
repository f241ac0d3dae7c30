import type { Fact } from '../../../core/facts/fact.js'
import { isGone } from '../../../core/facts/lifecycle.js'
import type { Source } from '../../../core/facts/source.js'
import type { Edge } from '../../../core/graph/edge.js'
import type { Entity } from '../../../core/graph/entity.js'
import { type GraphInsights, insightSteps } from '../../../core/substrate/checks/graph-health.js'
import { objectStatus } from '../../../core/substrate/objects/objects.js'
import { relationsOf } from '../../../core/substrate/objects/references.js'
import type { Page, PageCursor, PageQuery } from '../../../ports/store.js'
import type { Environment } from '../../environment.js'
import { createYieldPoint } from '../../event-loop.js'

const PAGE_SIZE = 1000

/** All rows of one owner, page by page. */
async function everything<T>(owner: string, read: (query: PageQuery) => Promise<Page<T>>): Promise<readonly T[]> {
  const found: T[] = []
  for (let after: PageCursor | null | undefined; after !== null; ) {
    const page: Page<T> = await read({ owner, limit: PAGE_SIZE, ...(after === undefined ? {} : { after }) })
    found.push(...page.items)
    after = page.next
  }
  return found
}

/** All objects of one owner, for maintenance. */
export interface Inventory {
  readonly facts: readonly Fact[]
  readonly entities: readonly Entity[]
  readonly sources: readonly Source[]
  /** Explicit relations. */
  readonly edges: readonly Edge[]
}

/** Facts that have not expired. */
export async function factsOfOwner(env: Environment, owner: string): Promise<readonly Fact[]> {
  const now = env.clock.now()
  return (await everything(owner, env.store.pageFacts)).filter((fact) => !isGone(fact, now))
}

export async function loadInventory(env: Environment, owner: string): Promise<Inventory> {
  const { store } = env
  return {
    facts: await factsOfOwner(env, owner),
    entities: await everything(owner, store.pageEntities),
    sources: await everything(owner, store.pageSources),
    edges: await everything(owner, store.pageEdges),
  }
}

/** Ids of all objects. */
export const idsOf = ({ facts, entities, sources }: Inventory): ReadonlySet<string> =>
  new Set([...facts, ...entities, ...sources].map(({ id }) => id))

export interface GraphHealth extends GraphInsights {
  readonly records: number
  readonly relations: number
}

const ENDED_STATUSES = ['superseded', 'archived']

/** Connectivity of the current objects; ended ones are excluded. */
export async function graphHealth(inventory: Inventory): Promise<GraphHealth> {
  const turn = createYieldPoint()
  const facts = inventory.facts.filter((fact) => !ENDED_STATUSES.includes(objectStatus(fact)))
  const nodes = [
    ...facts.map(({ id, scopes }) => ({ id, scopes: scopes ?? [] })),
    ...inventory.entities.flatMap(({ id, status }) => (status === 'active' ? [{ id, scopes: [] }] : [])),
    ...inventory.sources.flatMap(({ id, status }) => (status === 'active' ? [{ id, scopes: [] }] : [])),
  ]
  const links = inventory.edges.map(({ from, to }) => ({ from, to }))
  for (const fact of facts) {
    await turn()
    for (const { from, to } of relationsOf(fact)) links.push({ from, to })
  }
  await turn()
  const there = idsOf(inventory)
  const steps = insightSteps(nodes, links)
  let step = steps.next()
  for (; step.done !== true; step = steps.next()) await turn()
  const insights = step.value
  return { ...insights, stubs: insights.stubs.filter((id) => !there.has(id)), records: nodes.length, relations: links.length }
}
