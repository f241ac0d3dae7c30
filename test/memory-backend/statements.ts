import { type AccessFilter, canReadFact } from '../../src/core/access/access-filter.js'
import { attestedOf } from '../../src/core/access/attestation.js'
import { byBytes } from '../../src/core/encoding/byte-order.js'
import type { Fact, Instant } from '../../src/core/facts/fact.js'
import { isValidAt } from '../../src/core/facts/validity.js'
import { byStrength, isDisputable, sameClaim, sameValue } from '../../src/core/statements/contradiction.js'
import { effectiveConfidence, isStatement, isSystemForm, statementOf } from '../../src/core/statements/statement.js'
import { entityUri, factUri } from '../../src/core/statements/uri.js'
import type { StaleCard, StatedEdge, StatedEdgeQuery, StatementQuery, Statements } from '../../src/ports/statements.js'
import { type State, type StoredFact, snapshot } from './state.js'

const isRead = (reach: AccessFilter | undefined, fact: Fact): boolean => reach === undefined || canReadFact(reach, fact)
const holds = (fact: Fact, index: Instant): boolean => isValidAt(fact, { at: index, present: true })

export function createRamStatements(current: () => State, replace: (draft: State) => void): Statements {
  const facts = (): readonly Fact[] => [...current().facts.values()].map((row) => row.fact)

  const against = (fact: Fact, index: Instant, reach: AccessFilter | undefined): readonly Fact[] =>
    !isDisputable(fact)
      ? []
      : facts().filter(
          (other) =>
            other.id !== fact.id &&
            sameClaim(other, fact) &&
            !sameValue(other, fact) &&
            isDisputable(other) &&
            holds(other, index) &&
            isRead(reach, other),
        )

  const agreeing = (fact: Fact, index: Instant, reach: AccessFilter | undefined): readonly Fact[] =>
    !isDisputable(fact)
      ? []
      : facts().filter(
          (other) => sameClaim(other, fact) && sameValue(other, fact) && isDisputable(other) && holds(other, index) && isRead(reach, other),
        )

  const isListed = (fact: Fact, query: StatementQuery): boolean => {
    const { at: now, reach } = query
    if (fact.owner !== query.owner || !isRead(reach, fact) || isSystemForm(fact.form) !== (query.system === true)) return false
    if (query.ids !== undefined && !query.ids.includes(fact.id)) return false
    if (query.entity !== undefined && fact.subject !== query.entity) return false
    if (query.relation !== undefined && fact.predicate !== query.relation) return false
    if (query.relationPrefix !== undefined && fact.predicate?.startsWith(query.relationPrefix) !== true) return false
    if (query.plain !== undefined && (fact.assertedConfidence === null) !== query.plain) return false
    if (query.source !== undefined && fact.source !== query.source) return false
    if (query.scope !== undefined && fact.scope !== query.scope) return false
    if (query.garden !== undefined && fact.garden !== query.garden) return false
    if (query.attested !== undefined && attestedOf(fact) !== query.attested) return false
    if (query.leastConfidence !== undefined && fact.confidence < query.leastConfidence) return false
    if (query.since !== undefined && fact.recordedAt <= query.since) return false
    const replaced = fact.status === 'superseded'
    if (!holds(fact, now) && !(replaced ? query.contradicted === true : query.ended === true)) return false
    if (query.contradicted === true || query.system === true) return true
    // The value of the strongest statement is listed, from any source.
    const [strongest] = [...against(fact, now, reach), ...agreeing(fact, now, reach)].sort(byStrength)
    return strongest === undefined || sameValue(strongest, fact) || byStrength(fact, strongest) <= 0
  }

  const listed = (query: StatementQuery): readonly StoredFact[] =>
    [...current().facts.values()]
      .filter(({ fact }) => isListed(fact, query))
      .sort((a, b) => b.fact.recordedAt - a.fact.recordedAt || b.rid - a.rid)

  /** As it was after the commits of that time. */
  const asItWas = (fact: Fact, then: Instant | undefined): Fact => {
    const change =
      then === undefined
        ? undefined
        : current().journal.find((entry) => entry.target === fact.id && entry.op === 'fact.put' && entry.at > then)
    const before = change?.before ?? null
    return before === null ? fact : { ...fact, validUntil: null, expiresAt: null, ...before }
  }

  const standing = ({ owner, scope, at: now, asOf: then, reach }: StatedEdgeQuery): readonly StatedEdge[] =>
    [...current().edges.values()].flatMap(({ edge, derived, stated }) => {
      if ((derived && stated !== true) || edge.owner !== owner || edge.scope !== scope) return []
      if (then !== undefined && edge.createdAt > then) return []
      const fact = edge.factId === null ? undefined : current().facts.get(edge.factId)?.fact
      const uri = (end: 'from' | 'to'): string =>
        stated === true ? edge[end] : edge[end === 'from' ? 'fromKind' : 'toKind'] === 'fact' ? factUri(edge[end]) : entityUri(edge[end])
      const shown = (confidence: number): readonly StatedEdge[] => [
        {
          ...{ id: edge.id, from: uri('from'), to: uri('to'), relation: edge.type, confidence, trust: edge.trust },
          facts: [
            ...(fact === undefined ? [] : [fact.id]),
            ...(['from', 'to'] as const).flatMap((end) =>
              stated !== true && edge[end === 'from' ? 'fromKind' : 'toKind'] === 'fact' ? [edge[end]] : [],
            ),
          ],
        },
      ]
      if (fact === undefined)
        return edge.validUntil === null || (then !== undefined && edge.validUntil > then) ? shown(edge.confidence) : []
      if (!isRead(reach, fact)) return []
      const was = asItWas(fact, then)
      return holds(was, now) ? shown(was.confidence) : []
    })

  const strongestOf = (entity: string, { owner, scope, at: now, reach }: StatedEdgeQuery, limit: number): readonly StoredFact[] =>
    [...current().facts.values()]
      .filter(({ fact }) => fact.owner === owner && fact.assertedConfidence !== null && statementOf(fact).entity === entity)
      .filter(({ fact }) => fact.scope === scope && fact.form === null && fact.confidence > 0 && holds(fact, now) && isRead(reach, fact))
      .sort((a, b) => effectiveConfidence(b.fact) - effectiveConfidence(a.fact) || a.rid - b.rid)
      .slice(0, limit)

  return {
    async statements(query, { before, limit }) {
      const rows = listed(query).filter(
        ({ rid, fact }) =>
          before === undefined || fact.recordedAt < before.at || (fact.recordedAt === before.at && rid < Number(before.key)),
      )
      const taken = rows.slice(0, limit)
      const last = taken.length < limit ? undefined : taken[taken.length - 1]
      return { items: taken.map(({ fact }) => fact), next: last === undefined ? null : { at: last.fact.recordedAt, key: last.rid } }
    },
    countStatements: async (query, atMost = Number.POSITIVE_INFINITY) => Math.min(atMost, listed(query).length),
    contradicted: async (ids, index, reach) =>
      new Set(
        facts().flatMap((fact) => (ids.includes(fact.id) && holds(fact, index) && against(fact, index, reach).length > 0 ? [fact.id] : [])),
      ),
    async sourceHistory({ owner, source, scope, after, until }, atMost) {
      const statements = facts()
        .filter((fact) => fact.owner === owner && fact.source === source && fact.scope === scope && isStatement(fact))
        .filter((fact) => fact.garden === null && fact.receivedFrom === null && fact.form === null)
        .filter(({ recordedAt }) => recordedAt > after && recordedAt <= until)
        .sort((a, b) => b.recordedAt - a.recordedAt)
        .slice(0, atMost)
      return { facts: statements.length, failures: statements.filter((fact) => attestedOf(fact) === false).length }
    },
    byHash: async (owner, hashes) => facts().filter((fact) => fact.owner === owner && fact.hash !== null && hashes.includes(fact.hash)),
    isThere: async (owner, id) => current().facts.get(id)?.fact.owner === owner,
    statedEdges: async (query) => standing(query).filter(({ from, to }) => query.nodes.includes(from) || query.nodes.includes(to)),
    async edgesInOrder({ node, after, ...query }) {
      const near = standing({ ...query, nodes: [node] }).filter(({ from, to }) => from === node || to === node)
      const isBehind = ({ from, to }: StatedEdge): boolean => after === undefined || byBytes(from === node ? to : from, after) > 0
      return { edges: near.filter(isBehind), through: null }
    },
    async outDegrees(query) {
      const counts = new Map<string, number>()
      for (const { from } of standing(query)) if (query.nodes.includes(from)) counts.set(from, (counts.get(from) ?? 0) + 1)
      return counts
    },
    strongest: async (query, limit) =>
      new Map(query.nodes.map((entity) => [entity, strongestOf(entity, query, limit).map(({ fact }) => fact)])),
    strongestRows: async (query, limit) =>
      new Map(query.nodes.map((entity) => [entity, strongestOf(entity, query, limit).map(({ rid }) => rid)])),
    lastCommit: async () => current().clock.time,
    cursorKey: async () => 'a key for tests',
    accessCounts: async (ids) => new Map([...current().accesses].filter(([id]) => ids.includes(id)).map(([id, { count }]) => [id, count])),
    async noteAccess(counts, now) {
      const draft = snapshot(current())
      for (const [id, count] of counts)
        if (draft.facts.has(id)) draft.accesses.set(id, { count: (draft.accesses.get(id)?.count ?? 0) + count, at: now })
      replace(draft)
    },
    staleCards: async (subject, limit) =>
      [...current().staleCards.values()]
        .filter((card) =>
          Object.entries(subject).every(([field, value]) => Object.entries(card).some(([name, own]) => name === field && own === value)),
        )
        .slice(0, limit),
    async clearStaleCard(card) {
      const draft = snapshot(current())
      if (draft.staleCards.get(cardKey(card))?.mark === card.mark) draft.staleCards.delete(cardKey(card))
      replace(draft)
    },
  }
}

export const cardKey = ({ owner, entity, scope, garden }: Omit<StaleCard, 'mark'>): string => JSON.stringify([owner, entity, scope, garden])
