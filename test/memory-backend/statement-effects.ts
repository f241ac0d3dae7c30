import type { Fact, Instant } from '../../src/core/facts/fact.js'
import { isCurrentStatus, isValidAt } from '../../src/core/facts/validity.js'
import { sameClaim } from '../../src/core/statements/contradiction.js'
import { CARD_RELATION, isStatement, isSystemForm } from '../../src/core/statements/statement.js'
import { edgeOf, type LookupPlan, type StatementLookup, strongestOther } from '../../src/core/statements/statement-effects.js'
import type { State } from './state.js'
import { cardKey } from './statements.js'

function answer(state: State, question: StatementLookup, now: Instant): readonly Fact[] {
  const facts = [...state.facts.values()].map((row) => row.fact)
  switch (question.about) {
    case 'ids':
      return facts.filter(({ id }) => question.ids.includes(id))
    case 'hashes':
      return facts.filter(({ owner, hash }) => owner === question.owner && hash !== null && question.hashes.includes(hash))
    case 'derived':
      return facts.filter(({ owner, derivedFrom }) => owner === question.owner && derivedFrom.includes(question.hash)).slice(0, 1)
    case 'claim': {
      const { fact, which } = question
      const live = facts.filter(
        (entry) =>
          entry.id !== fact.id && entry.form === null && entry.assertedConfidence !== null && isValidAt(entry, { at: now, present: true }),
      )
      if (which !== 'same source') return strongestOther(fact, live, which === 'other value here')
      return live.filter((entry) => sameClaim(entry, fact) && entry.source === fact.source)
    }
  }
}

export function answering<T>(state: State, asking: LookupPlan<T>, now: Instant): T {
  for (let step = asking.next([]); ; ) {
    if (step.done === true) return step.value
    step = asking.next(answer(state, step.value, now))
  }
}

/** Maintains what depends on a statement. */
export function followStatement(state: State, before: Fact | undefined, fact: Fact, now: Instant): void {
  if (!isStatement(fact) || isSystemForm(fact.form)) return
  const edge = edgeOf(fact)
  if (edge !== undefined) state.edges.set(edge.id, { edge, derived: true, stated: true })
  if (before !== undefined && isCurrentStatus(before.status) && fact.status === 'retracted') state.retractions.set(fact.id, now)
  const hasCard = [...state.facts.values()].some(
    (row) => row.fact.form === 'card' && row.fact.predicate === CARD_RELATION && sameClaim(row.fact, { ...fact, predicate: CARD_RELATION }),
  )
  if (!hasCard || fact.subject === null) return
  const card = { owner: fact.owner, entity: fact.subject, scope: fact.scope, garden: fact.garden }
  const known = state.staleCards.get(cardKey(card))
  state.staleCards.set(cardKey(card), { ...card, mark: (known?.mark ?? 0) + 1 })
}
