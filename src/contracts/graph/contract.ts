import type { Contract } from '../operation.js'
import { createSummaryFact, getContext, getTrace } from './context.js'
import { toFailure } from './failures.js'
import { getNodeChangeHistory } from './history.js'
import { createNode, deleteNode, getNode, markOutdated, updateNode } from './nodes.js'
import { createRelation, createTriplet, deleteRelation, searchTriplets } from './relations.js'
import { findSimilar, search } from './search.js'
import { getStats, healthCheck, testConnection } from './system.js'

export const graph: Contract = {
  name: 'graph',
  title: 'Graph memory',
  instructions:
    'Long-term memory as a graph of facts and entities. Search before you create. One statement per Fact; name people, projects and things as Entities and relate them. ' +
    'When a fact is no longer true, mark it outdated and create the new one. Pass the same owner_id in every call.',
  operations: [
    createNode,
    getNode,
    updateNode,
    deleteNode,
    getNodeChangeHistory,
    search,
    findSimilar,
    markOutdated,
    createTriplet,
    searchTriplets,
    createRelation,
    deleteRelation,
    getContext,
    getTrace,
    createSummaryFact,
    testConnection,
    getStats,
    healthCheck,
  ],
  failure: toFailure,
}
