import type { Fact } from '../../core/facts/fact.js'
import { isCurrentStatus } from '../../core/facts/validity.js'
import type { Edge } from '../../core/graph/edge.js'
import type { Entity } from '../../core/graph/entity.js'
import { MENTIONS_ENTITY } from '../../core/graph/relation-type.js'
import { loadNodes, type NodeRef, visibleNodes } from '../entities/nodes.js'
import type { Environment } from '../environment.js'
import { isAutomatic } from './relations.js'
import { traverse } from './traverse.js'

interface RelatedNodes {
  readonly entities: readonly Entity[]
  readonly facts: readonly Fact[]
  readonly edges: readonly Edge[]
  /** Current facts that name the start, if it is an entity, newest first. */
  readonly mentions: readonly Fact[]
}

/** Newest facts that name an entity; a name in thousands of facts says little about each. */
const MAX_MENTIONS = 100

/** Nodes reachable from one node over explicit relations, these relations, and the facts that name the node if it is an entity. */
export async function findRelated(env: Environment, start: NodeRef, options: Parameters<typeof traverse>[2]): Promise<RelatedNodes> {
  const { hops, edges } = await traverse(env, start, options)
  const nodes = [...(await loadNodes(env, [...hops.keys()], start.owner)).values()]
  return {
    entities: nodes.flatMap((node) => (node.kind === 'entity' ? [node.entity] : [])),
    facts: nodes.flatMap((node) => (node.kind === 'fact' ? [node.fact] : [])),
    edges,
    mentions: (await mentionsOf(env, start)).filter(({ id }) => !hops.has(id)),
  }
}

async function mentionsOf(env: Environment, start: NodeRef): Promise<readonly Fact[]> {
  if (start.kind !== 'entity') return []
  const edges = await env.store.edges({
    ...{ owner: start.owner, nodes: [start.id], direction: 'incoming', types: [MENTIONS_ENTITY], limit: MAX_EDGES },
  })
  const derived = edges.filter((edge) => edge.validUntil === null && isAutomatic(edge)).sort((a, b) => b.createdAt - a.createdAt)
  const nodes = await visibleNodes(
    env,
    derived.slice(0, MAX_MENTIONS * 2).map(({ from }) => from),
    start.owner,
    env.clock.now(),
  )
  const facts = nodes.flatMap((node) => (node.kind === 'fact' && isCurrentStatus(node.fact.status) ? [node.fact] : []))
  return facts.slice(0, MAX_MENTIONS)
}

const MAX_EDGES = 5000

/** Edges from and to a node. */
export const edgesOf = ({ store }: Environment, owner: string, node: string): Promise<readonly Edge[]> =>
  store.edges({ owner, nodes: [node], limit: MAX_EDGES })
