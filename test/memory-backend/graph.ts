import { canReadFact } from '../../src/core/access/access-filter.js'
import type { Fact } from '../../src/core/facts/fact.js'
import { isExpired, isGone } from '../../src/core/facts/lifecycle.js'
import { isCurrentStatus } from '../../src/core/facts/validity.js'
import type { Edge } from '../../src/core/graph/edge.js'
import type { Entity } from '../../src/core/graph/entity.js'
import { derivedEdge } from '../../src/core/graph/linking.js'
import { isCaptured } from '../../src/core/graph/names.js'
import { isSystemForm } from '../../src/core/statements/statement.js'
import type { EdgeOrigin, GraphIndex, PlacedFact } from '../../src/ports/graph-index.js'
import { type State, snapshot } from './state.js'

const ORIGINS: readonly EdgeOrigin[] = ['made', 'named', 'alike', 'stated']

const isOver = (fact: Fact, index: number): boolean =>
  !isCurrentStatus(fact.status) || (fact.validUntil !== null && fact.validUntil <= index)
const dot = (a: Float32Array, b: Float32Array): number => a.reduce((sum, component, i) => sum + component * (b[i] ?? 0), 0)

export function createRamGraph(current: () => State, replace: (draft: State) => void): GraphIndex {
  const vectors = new Map<string, { readonly version: number; readonly vector: Float32Array }>()
  const edgesOf = (owner: string): readonly { readonly edge: Edge; readonly origin: EdgeOrigin }[] =>
    [...current().edges.values()]
      .filter(({ edge }) => edge.owner === owner && edge.validUntil === null)
      .map(({ edge, derived, similar }) => ({
        edge,
        origin: similar === true ? 'alike' : !derived ? 'made' : edge.factId === null ? 'named' : 'stated',
      }))
  const factsOf = (owner: string): readonly PlacedFact[] =>
    [...current().facts.values()]
      .filter(({ fact }) => fact.owner === owner && !isSystemForm(fact.form))
      .map(({ rid, fact }) => ({ rid, fact }))
      .sort((a, b) => a.rid - b.rid)
  const linked = new Map<string, number>()
  const newestOf = (owner: string): number =>
    Math.max(
      0,
      ...[...current().facts.values()].flatMap(({ fact, vector }) =>
        vector === undefined || fact.owner !== owner ? [] : [fact.updatedAt],
      ),
    )
  const entitiesOf = (owner: string): readonly Entity[] => [...current().entities.values()].filter((entity) => entity.owner === owner)
  const page = (owner: string, after: number, limit: number, which: (fact: Fact) => boolean): readonly PlacedFact[] =>
    factsOf(owner)
      .filter(({ rid, fact }) => rid > after && which(fact))
      .slice(0, limit)
  const living = (owner: string, index: number): ReadonlySet<string> =>
    new Set([...factsOf(owner).map(({ fact }) => fact), ...entitiesOf(owner)].flatMap((node) => (isExpired(node, index) ? [] : [node.id])))
  return {
    neighbours: async (owner, nodes) =>
      new Map(
        nodes.map((node) => [
          node,
          edgesOf(owner).flatMap(({ edge, origin }) => [
            ...(edge.from === node ? [{ id: edge.to, origin }] : []),
            ...(edge.to === node ? [{ id: edge.from, origin }] : []),
          ]),
        ]),
      ),
    async edgesAmong(owner, nodes) {
      const inside = edgesOf(owner).filter(({ edge }) => nodes.includes(edge.from) && nodes.includes(edge.to))
      const statement = (edge: Edge): string => [edge.from, edge.type, edge.to].join('\0')
      const best = inside.filter(
        (entry) =>
          !inside.some(
            (other) => statement(other.edge) === statement(entry.edge) && ORIGINS.indexOf(other.origin) < ORIGINS.indexOf(entry.origin),
          ),
      )
      return best.map(({ edge }) => edge).sort((a, b) => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1))
    },
    async census(owner, now, reach = 'everything') {
      const nodes = living(owner, now)
      const facts = factsOf(owner)
        .map(({ fact }) => fact)
        .filter((fact) => canReadFact(reach, fact))
      const hidden = new Set(
        [...current().facts.values()].filter(({ fact }) => fact.owner === owner && !canReadFact(reach, fact)).map(({ fact }) => fact.id),
      )
      const there = facts.filter((fact) => nodes.has(fact.id))
      const gone = new Set([...hidden, ...[...facts, ...entitiesOf(owner)].flatMap((node) => (isExpired(node, now) ? [node.id] : []))])
      return {
        facts: facts.filter((fact) => !isGone(fact, now)).length,
        entities: entitiesOf(owner).filter((entity) => !isGone(entity, now)).length,
        activeFacts: there.filter((fact) => !isOver(fact, now)).length,
        outdatedFacts: there.filter((fact) => fact.status !== 'archived' && isOver(fact, now)).length,
        archivedFacts: facts.filter((fact) => fact.status === 'archived').length,
        edges: edgesOf(owner).filter(({ edge }) => ![edge.from, edge.to, edge.factId].some((end) => end !== null && gone.has(end))).length,
      }
    },
    owners: async () =>
      [
        ...new Set([
          ...[...current().facts.values()].map(({ fact }) => fact.owner),
          ...[...current().entities.values()].map(({ owner }) => owner),
        ]),
      ].sort(),
    pastFacts: async (owner, status, { at: now, after, limit }) =>
      page(owner, after, limit, (fact) =>
        status === 'archived' ? fact.status === 'archived' : fact.status !== 'archived' && isOver(fact, now) && !isGone(fact, now),
      ),
    expiredFacts: async (owner, { at: now, after, limit }) =>
      page(owner, after, limit, (fact) => isCurrentStatus(fact.status) && isGone(fact, now)),
    uncheckedFacts: async (owner, { at: now, since, after, limit }) =>
      page(
        owner,
        after,
        limit,
        (fact) =>
          !isOver(fact, now) && !isGone(fact, now) && fact.recordedAt >= since && (fact.dedupAt === null || fact.dedupAt < fact.updatedAt),
      ),
    /** Relations are computed on read: there is nothing to rebuild. */
    rebuildReferenceEdges: async (owner, after, limit) => page(owner, after, limit, () => true).at(-1)?.rid ?? null,
    async noteCompared(_owner, compared, now) {
      const draft = snapshot(current())
      for (const { id, version } of compared) {
        const row = draft.facts.get(id)
        if (row?.fact.version === version) draft.facts.set(id, { ...row, fact: { ...row.fact, dedupAt: now } })
      }
      replace(draft)
    },
    journalOf: async (actor, limit, beyond) =>
      current()
        .journal.filter((entry) => entry.actor === actor && (beyond === undefined || entry.hlc < beyond.hlc))
        .reverse()
        .slice(0, limit),
    unlinked: async (limit) =>
      [...new Set([...current().facts.values()].flatMap(({ fact, vector }) => (vector === undefined ? [] : [fact.owner])))]
        .map((owner) => ({ owner, linked: linked.get(owner) ?? 0, stamp: newestOf(owner) }))
        .filter((entry) => entry.stamp > entry.linked)
        .slice(0, limit),
    async markLinked(owner, stamp) {
      linked.set(owner, Math.max(stamp, linked.get(owner) ?? 0))
    },
    vectorsAfter: async (owner, place, limit) =>
      [...current().facts.values()]
        .flatMap(({ rid, fact, vector }) => (vector === undefined || fact.owner !== owner ? [] : [{ rid, fact, stamp: fact.updatedAt }]))
        .filter((entry) => entry.stamp > place.stamp || (entry.stamp === place.stamp && entry.rid > place.rid))
        .sort((a, b) => a.stamp - b.stamp || a.rid - b.rid)
        .slice(0, limit),
    async linkSimilar(wanted) {
      const draft = snapshot(current())
      for (const link of wanted) {
        const edge = derivedEdge(link, draft.clock.time)
        const to = link.toKind === 'fact' ? draft.facts.get(link.to)?.fact.owner : draft.entities.get(link.to)?.owner
        if (draft.edges.has(edge.id) || draft.facts.get(link.from)?.vector === undefined || to !== link.owner) continue
        draft.edges.set(edge.id, { edge, derived: true, similar: true })
      }
      replace(draft)
    },
    entitiesToEmbed: async (owner, limit) =>
      entitiesOf(owner)
        .filter((entity) => !isCaptured(entity) && vectors.get(entity.id)?.version !== entity.version)
        .slice(0, limit),
    async putEntityVectors(made) {
      for (const { entity, vector } of made) vectors.set(entity.id, { version: entity.version, vector: vector.slice() })
    },
    similarEntities: async (query, owner, min) =>
      entitiesOf(owner)
        .flatMap(({ id }) => {
          const known = vectors.get(id)
          const score = known === undefined ? Number.NEGATIVE_INFINITY : dot(query, known.vector)
          return score >= min ? [{ id, score }] : []
        })
        .sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1)),
  }
}
