import { type Contract, contract } from '../contract.js'
import { createSummaryFact, getContext, getTrace } from './context.js'
import { toFailure } from './failures.js'
import { getNodeChangeHistory } from './history.js'
import { createNode, deleteNodeOperation, getNode, markOutdatedOperation, updateNodeOperation } from './nodes.js'
import { createRelation, createTriplet, deleteRelation, searchTriplets } from './relations.js'
import { findSimilarOperation, search } from './search.js'
import { getStats, healthCheck, testConnection } from './system.js'

export const graph: Contract = contract({
  name: 'graph',
  title: 'Graph memory',
  instructions:
    'Long-term memory as a graph of facts and entities that lasts across conversations.\n' +
    'Call search at the start of a task, whenever something from before may matter, and before you create. ' +
    'Call create_node as soon as you learn what will matter later: one statement per Fact, no secrets; name people, projects and things as Entities.\n' +
    'Relate with create_triplet (by names) or create_relation (by ids). When a fact is no longer true, call mark_outdated and create the new one; update_node corrects.\n' +
    'To find: search for any question; find_similar for facts like one; search_triplets for exact statements; get_context for what surrounds a node; ' +
    'get_trace for how two nodes connect; get_node_change_history for what a node was.\n' +
    'Pass the same owner_id in every call. A write repeated with the same idempotency_key within 24 hours is done once and answered alike.',
  operations: [
    createNode,
    getNode,
    updateNodeOperation,
    deleteNodeOperation,
    getNodeChangeHistory,
    search,
    findSimilarOperation,
    markOutdatedOperation,
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
})
