import { type AccessFilter, canReadFact, findOwnerAccess, intersectFilters, type Principal } from '../../core/access/access-filter.js'
import type { Statements } from '../../ports/statements.js'

/** Statements restricted to an access filter; a narrower filter in the query still applies. */
export function restrictStatements(statements: Statements, { reach }: Principal): Statements {
  const limited = <Q extends { readonly reach?: AccessFilter }>(query: Q): Q => ({
    ...query,
    reach: intersectFilters(reach, query.reach ?? 'everything'),
  })
  const reached = (owner: string): boolean => findOwnerAccess(reach, owner) !== undefined
  return {
    ...statements,
    statements: (query, page) => statements.statements(limited(query), page),
    countStatements: (query, atMost) => statements.countStatements(limited(query), atMost),
    contradicted: (ids, asOf, requested) => statements.contradicted(ids, asOf, intersectFilters(reach, requested ?? 'everything')),
    sourceHistory: async (query, atMost) => (reached(query.owner) ? statements.sourceHistory(query, atMost) : { facts: 0, failures: 0 }),
    byHash: async (owner, hashes) =>
      reached(owner) ? (await statements.byHash(owner, hashes)).filter((fact) => canReadFact(reach, fact)) : [],
    statedEdges: async (query) => (reached(query.owner) ? statements.statedEdges(limited(query)) : []),
    edgesInOrder: async (query) => (reached(query.owner) ? statements.edgesInOrder(limited(query)) : { edges: [], through: null }),
    outDegrees: async (query) => (reached(query.owner) ? statements.outDegrees(limited(query)) : new Map()),
    strongestRows: async (query, limit) => (reached(query.owner) ? statements.strongestRows(limited(query), limit) : new Map()),
    strongest: async (query, limit) => (reached(query.owner) ? statements.strongest(limited(query), limit) : new Map()),
  }
}
