import type { Fact, Instant } from '../../core/facts/fact.js'
import { isValidAt } from '../../core/facts/validity.js'
import { formatInstant } from '../../core/input/input.js'
import { resolveAsOf } from '../as-of.js'
import type { Context } from '../context.js'
import type { RecalledFact } from '../recall/recall.js'
import { type MixedQuery, recallWithCode } from '../recall/recall-with-code.js'
import { unknownFact } from './corrections.js'

/** Number of results searched for the fact. */
const LOOKED_THROUGH = 50

export interface Stage {
  readonly stage: 'owner' | 'validity' | 'candidates' | 'limit'
  /** Null after the stage that dropped it. */
  readonly passed: boolean | null
  readonly detail: string
}

export interface Verdict {
  readonly fact: Fact
  /** The stage that dropped it; null if it is among the results. */
  readonly dropped: Stage['stage'] | null
  readonly stages: readonly Stage[]
  /** Rank in the results, from 1; null if it was not ranked. */
  readonly rank: number | null
  readonly found: RecalledFact | undefined
}

export interface WhyNotQuery extends Omit<MixedQuery, 'asOf' | 'memories' | 'code'> {
  readonly asOf?: Instant | undefined
  readonly fact: string
}

/** Finds the stage at which a query drops a fact. Each stage is evaluated as if the earlier ones had passed. */
export async function whyNot(context: Context, { fact: id, ...query }: WhyNotQuery): Promise<Verdict> {
  const [fact] = await context.store.facts([id])
  if (fact === undefined) throw unknownFact(id)
  const asked = resolveAsOf(context.clock, query.asOf)
  const isOwned = query.owner === undefined || query.owner === fact.owner
  const isValid = isValidAt(fact, asked)
  const ranked = await rankOf(
    context,
    { ...query, owner: isOwned ? query.owner : fact.owner, asOf: isValid ? query.asOf : instantOf(fact) },
    id,
  )
  const stages: readonly Stage[] = [
    {
      stage: 'owner',
      passed: isOwned,
      detail: isOwned ? `${fact.owner}, which was asked` : `${fact.owner}, and only ${query.owner} was asked`,
    },
    { stage: 'validity', passed: isValid, detail: validityOf(fact, asked.at, isValid) },
    {
      stage: 'candidates',
      passed: ranked !== undefined,
      detail:
        ranked === undefined
          ? `not among the best ${LOOKED_THROUGH} by meaning, words and links`
          : `found, with a score of ${ranked.found.score.toFixed(2)}`,
    },
    {
      stage: 'limit',
      passed: ranked !== undefined && ranked.rank <= query.limit,
      detail: ranked === undefined ? 'it has no rank' : `rank ${ranked.rank} of the ${query.limit} that are answered`,
    },
  ]
  const stop = stages.findIndex(({ passed }) => passed === false)
  return {
    fact,
    dropped: stop < 0 ? null : (stages[stop]?.stage ?? null),
    stages: stages.map((one, at) => (stop >= 0 && at > stop ? { ...one, passed: null } : one)),
    rank: ranked?.rank ?? null,
    found: ranked?.found,
  }
}

/** An instant at which the fact was valid. */
const instantOf = ({ validFrom, validUntil }: Fact): Instant => (validUntil === null ? validFrom : Math.max(validFrom, validUntil - 1))

function validityOf(fact: Fact, at: Instant, isValid: boolean): string {
  if (isValid) return 'it held then'
  if (fact.validFrom > at) return `it begins ${formatInstant(fact.validFrom)}`
  const end = fact.validUntil ?? fact.expiresAt
  return end === null ? `it is ${fact.status}` : `it ended ${formatInstant(end)}`
}

async function rankOf(
  context: Context,
  query: Omit<MixedQuery, 'memories'>,
  id: string,
): Promise<{ readonly rank: number; readonly found: RecalledFact } | undefined> {
  const { results } = await recallWithCode(context, { ...query, limit: Math.max(query.limit, LOOKED_THROUGH), memories: true })
  const at = results.findIndex(({ memory }) => memory?.fact.id === id || memory?.repeats.some((one) => one.id === id) === true)
  const found = results[at]?.memory
  return found === undefined ? undefined : { rank: at + 1, found }
}
