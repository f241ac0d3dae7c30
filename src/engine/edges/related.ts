import type { Fact } from '../../core/facts/fact.js'
import type { Edge } from '../../core/graph/edge.js'
import type { Entity } from '../../core/graph/entity.js'
import { loadNodes, type NodeRef } from '../entities/nodes.js'
import type { Environment } from '../environment.js'
import { traverse } from './traverse.js'

export interface RelatedNodes {
  readonly entities: readonly Entity[]
  readonly facts: readonly Fact[]
  readonly edges: readonly Edge[]
}

/** Nodes reachable from one node over explicit relations, and these relations. */
export async function findRelated(env: Environment, start: NodeRef, options: Parameters<typeof traverse>[2]): Promise<RelatedNodes> {
  const { hops, edges } = await traverse(env, start, options)
  const nodes = [...(await loadNodes(env, [...hops.keys()], start.owner)).values()]
  return {
    entities: nodes.flatMap((node) => (node.kind === 'entity' ? [node.entity] : [])),
    facts: nodes.flatMap((node) => (node.kind === 'fact' ? [node.fact] : [])),
    edges,
  }
}

const MAX_EDGES = 5000

/** Edges from and to a node. */
export const edgesOf = ({ store }: Environment, owner: string, node: string): Promise<readonly Edge[]> =>
  store.edges({ owner, nodes: [node], limit: MAX_EDGES })
