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

const isOver = (fact: Fact, at: number): boolean => !isCurrentStatus(fact.status) || (fact.validUntil !== null && fact.validUntil <= at)
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
  const living = (owner: string, at: number): ReadonlySet<string> =>
    new Set([...factsOf(owner).map(({ fact }) => fact), ...entitiesOf(owner)].flatMap((node) => (isExpired(node, at) ? [] : [node.id])))
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
      const said = (edge: Edge): string => [edge.from, edge.type, edge.to].join('\0')
      const best = inside.filter(
        (one) =>
          !inside.some((other) => said(other.edge) === said(one.edge) && ORIGINS.indexOf(other.origin) < ORIGINS.indexOf(one.origin)),
      )
      return best.map(({ edge }) => edge).sort((a, b) => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1))
    },
    async census(owner, at, reach = 'everything') {
      const nodes = living(owner, at)
      const facts = factsOf(owner)
        .map(({ fact }) => fact)
        .filter((fact) => canReadFact(reach, fact))
      const hidden = new Set(
        [...current().facts.values()].filter(({ fact }) => fact.owner === owner && !canReadFact(reach, fact)).map(({ fact }) => fact.id),
      )
      const there = facts.filter((fact) => nodes.has(fact.id))
      const gone = new Set([...hidden, ...[...facts, ...entitiesOf(owner)].flatMap((node) => (isExpired(node, at) ? [node.id] : []))])
      return {
        facts: facts.filter((fact) => !isGone(fact, at)).length,
        entities: entitiesOf(owner).filter((entity) => !isGone(entity, at)).length,
        activeFacts: there.filter((fact) => !isOver(fact, at)).length,
        outdatedFacts: there.filter((fact) => fact.status !== 'archived' && isOver(fact, at)).length,
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
    pastFacts: async (owner, status, { at, after, limit }) =>
      page(owner, after, limit, (fact) =>
        status === 'archived' ? fact.status === 'archived' : fact.status !== 'archived' && isOver(fact, at) && !isGone(fact, at),
      ),
    expiredFacts: async (owner, { at, after, limit }) =>
      page(owner, after, limit, (fact) => isCurrentStatus(fact.status) && isGone(fact, at)),
    uncheckedFacts: async (owner, { at, since, after, limit }) =>
      page(
        owner,
        after,
        limit,
        (fact) =>
          !isOver(fact, at) && !isGone(fact, at) && fact.recordedAt >= since && (fact.dedupAt === null || fact.dedupAt < fact.updatedAt),
      ),
    /** Relations are made where they are asked for: there is nothing to make anew. */
    rebuildReferenceEdges: async (owner, after, limit) => page(owner, after, limit, () => true).at(-1)?.rid ?? null,
    async noteCompared(_owner, compared, at) {
      const draft = snapshot(current())
      for (const { id, version } of compared) {
        const row = draft.facts.get(id)
        if (row?.fact.version === version) draft.facts.set(id, { ...row, fact: { ...row.fact, dedupAt: at } })
      }
      replace(draft)
    },
    journalOf: async (actor, limit) =>
      current()
        .journal.filter((entry) => entry.actor === actor)
        .reverse()
        .slice(0, limit),
    unlinked: async (limit) =>
      [...new Set([...current().facts.values()].flatMap(({ fact, vector }) => (vector === undefined ? [] : [fact.owner])))]
        .map((owner) => ({ owner, linked: linked.get(owner) ?? 0, stamp: newestOf(owner) }))
        .filter((one) => one.stamp > one.linked)
        .slice(0, limit),
    async markLinked(owner, stamp) {
      linked.set(owner, Math.max(stamp, linked.get(owner) ?? 0))
    },
    vectorsAfter: async (owner, place, limit) =>
      [...current().facts.values()]
        .flatMap(({ rid, fact, vector }) => (vector === undefined || fact.owner !== owner ? [] : [{ rid, fact, stamp: fact.updatedAt }]))
        .filter((one) => one.stamp > place.stamp || (one.stamp === place.stamp && one.rid > place.rid))
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
    similarEntities: async (query, owner, least) =>
      entitiesOf(owner)
        .flatMap(({ id }) => {
          const known = vectors.get(id)
          const score = known === undefined ? Number.NEGATIVE_INFINITY : dot(query, known.vector)
          return score >= least ? [{ id, score }] : []
        })
        .sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1)),
  }
}
