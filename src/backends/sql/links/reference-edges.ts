import { canReadFact } from '../../../core/access/access-filter.js'
import type { Fact, Instant } from '../../../core/facts/fact.js'
import { CURRENT_STATUSES } from '../../../core/facts/validity.js'
import { EDGE_ORIGINS } from '../../../core/graph/linking.js'
import type { Claimants } from '../../../core/journal/change.js'
import { claimKey } from '../../../core/substrate/objects/claims.js'
import { factTypeOf } from '../../../core/substrate/objects/objects.js'
import { fieldEdges, findUnresolvedEndpoints, type KnownEnd, sameRelations } from '../../../core/substrate/objects/references.js'
import { MemoryError } from '../../../errors.js'
import { inSlices, number, type Plan, type Row, run, text, textOrNull } from '../plan/plan.js'
import { putDerived } from './links.js'

/** Resolves ids of one owner's objects whose form does not determine their kind. */
function* endsOf(owner: string, ids: readonly string[]): Plan<ReadonlyMap<string, KnownEnd>> {
  const known = new Map<string, KnownEnd>()
  if (ids.length === 0) return known
  for (const row of yield* inSlices(ids, (marks) => `SELECT id, form FROM facts WHERE owner = ? AND id IN (${marks})`, owner))
    known.set(text(row, 'id'), { kind: 'fact', type: factTypeOf({ form: textOrNull(row, 'form') }) })
  for (const row of yield* inSlices(ids, (marks) => `SELECT id FROM sources WHERE owner = ? AND id IN (${marks})`, owner))
    known.set(text(row, 'id'), { kind: 'source', type: 'source' })
  return known
}

/** Writes the edges of a fact's reference fields and removes the previous ones. */
export function* linkFields(fact: Fact, before: Fact | undefined, now: Instant): Plan<void> {
  if (before !== undefined && sameRelations(before, fact)) return
  const edges = fieldEdges(fact, now, yield* endsOf(fact.owner, findUnresolvedEndpoints(fact)))
  if (before !== undefined) {
    const stay = new Set(edges.map(({ id }) => id))
    for (const row of yield* run(
      `SELECT id, scope FROM entity_edges WHERE fact_id = ? AND +owner = ? AND +derived = ?`,
      fact.id,
      fact.owner,
      EDGE_ORIGINS.fromFields,
    ))
      if (!stay.has(text(row, 'id')) || text(row, 'scope') !== fact.scope)
        yield* run(`DELETE FROM entity_edges WHERE id = ? AND owner = ?`, text(row, 'id'), fact.owner)
  }
  for (const edge of edges) yield* putDerived(edge, EDGE_ORIGINS.fromFields)
}

/** The same for an unchanged fact, when all links are rebuilt. */
export function* relinkFields(fact: Fact, now: Instant): Plan<void> {
  yield* run(`DELETE FROM entity_edges WHERE fact_id = ? AND +owner = ? AND +derived = ?`, fact.id, fact.owner, EDGE_ORIGINS.fromFields)
  yield* linkFields(fact, undefined, now)
}

/** The writer must have seen every current fact of the same claim in its current version. */
export function* checkClaimants(fact: Fact, { seen, reach = 'everything' }: Claimants): Plan<void> {
  const claim = claimKey(fact)
  if (claim === null) return
  const rows = yield* run(
    `SELECT id, version, owner, scope, garden, received_from FROM facts WHERE owner = ? AND claim = ? AND id <> ? AND status IN (${CURRENT_STATUSES.map((value) => `'${value}'`).join(', ')})`,
    fact.owner,
    claim,
    fact.id,
  )
  const known = new Map(seen.map(({ id, version }) => [id, version]))
  const isOpen = (row: Row): boolean =>
    canReadFact(reach, {
      owner: text(row, 'owner'),
      scope: text(row, 'scope'),
      garden: textOrNull(row, 'garden'),
      receivedFrom: textOrNull(row, 'received_from'),
    })
  if (rows.some((row) => isOpen(row) && known.get(text(row, 'id')) !== number(row, 'version')))
    throw new MemoryError('conflict', `Another writer changed a claim about the subject of ${fact.id}; nothing was stored.`, {
      hint: 'Read it again and retry.',
    })
}
