import type { Fact, Instant } from '../../core/facts/fact.js'
import { isValidAt } from '../../core/facts/validity.js'
import { formatInstant } from '../../core/input/input.js'
import { cutTail } from '../../core/recall/relevance.js'
import { resolveAsOf } from '../as-of.js'
import type { Context } from '../context.js'
import type { RecalledFact } from '../recall/recall.js'
import { type MixedQuery, type MixedResult, recallWithCode } from '../recall/recall-with-code.js'
import { unknownFact } from './corrections.js'

/** Number of results searched for the fact. */
const LOOKED_THROUGH = 50

export interface Stage {
  readonly stage: 'owner' | 'validity' | 'candidates' | 'floor' | 'limit'
  /** Null after the stage that dropped it. */
  readonly passed: boolean | null
  readonly detail: string
}

export interface WhyNotVerdict {
  readonly fact: Fact
  /** The stage that dropped it; null if it is among the results. */
  readonly dropped: Stage['stage'] | null
  readonly stages: readonly Stage[]
  /** Rank in the results, from 1; null if it was not ranked. */
  readonly rank: number | null
  readonly found: RecalledFact | undefined
  /** An instant at which it was valid; null if it was valid at the requested one. */
  readonly heldAt: Instant | null
}

interface WhyNotQuery extends Omit<MixedQuery, 'asOf' | 'memories' | 'code'> {
  readonly asOf?: Instant | undefined
  readonly fact: string
}

/** Finds the stage at which a query drops a fact. Each stage is evaluated as if the earlier ones had passed. */
export async function whyNot(context: Context, { fact: id, ...query }: WhyNotQuery): Promise<WhyNotVerdict> {
  const [fact] = await context.store.facts([id])
  if (fact === undefined) throw unknownFact(id)
  const instant = resolveAsOf(context.clock, query.asOf)
  const isOwned = query.owner === undefined || query.owner === fact.owner
  const isValid = isValidAt(fact, instant)
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
    { stage: 'validity', passed: isValid, detail: validityOf(fact, instant.at, isValid) },
    {
      stage: 'candidates',
      passed: ranked !== undefined,
      detail:
        ranked === undefined
          ? `not among the best ${LOOKED_THROUGH} by meaning, words and links`
          : `found, with a score of ${ranked.found.score.toFixed(2)}`,
    },
    {
      stage: 'floor',
      passed: ranked?.isShown ?? false,
      detail: ranked === undefined ? 'it has no relevance' : floorOf(ranked),
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
    stages: stages.map((stage, index) => (stop >= 0 && index > stop ? { ...stage, passed: null } : stage)),
    rank: ranked?.rank ?? null,
    found: ranked?.found,
    heldAt: isValid ? null : instantOf(fact),
  }
}

const percent = (share: number): string => `${(share * 100).toFixed(share < 0.1 ? 1 : 0)} %`

const floorOf = ({ found, isShown: isTold, best }: ResultRank): string =>
  isTold
    ? `${percent(found.relevance)} likely to be wanted`
    : `${percent(found.relevance)} likely to be wanted, where the best is ${percent(best)}: the answer ends before it`

/** An instant at which the fact was valid. */
const instantOf = ({ validFrom, validUntil }: Fact): Instant => (validUntil === null ? validFrom : Math.max(validFrom, validUntil - 1))

function validityOf(fact: Fact, asOf: Instant, isValid: boolean): string {
  if (isValid) return 'it held then'
  if (fact.validFrom > asOf) return `it begins ${formatInstant(fact.validFrom)}`
  const end = fact.validUntil ?? fact.expiresAt
  return end === null ? `it is ${fact.status}` : `it ended ${formatInstant(end)}`
}

interface ResultRank {
  readonly rank: number
  readonly found: RecalledFact
  /** Whether its relevance is above the floor at which answers end. */
  readonly isShown: boolean
  /** The relevance of the first result. */
  readonly best: number
}

async function rankOf(context: Context, query: Omit<MixedQuery, 'memories'>, id: string): Promise<ResultRank | undefined> {
  const answered = await resultsOf(context, query)
  const among = indexOfFact(answered, id)
  const results = among >= 0 || query.limit >= LOOKED_THROUGH ? answered : await resultsOf(context, { ...query, limit: LOOKED_THROUGH })
  const at = among >= 0 ? among : indexOfFact(results, id)
  const result = results[at]
  if (result?.memory === undefined) return undefined
  const rank = among >= 0 ? among + 1 : Math.max(query.limit + 1, rankBeforeCut(results, at))
  return { rank, found: result.memory, isShown: cutTail(results, undefined).includes(result), best: results[0]?.relevance ?? 0 }
}

const resultsOf = async (context: Context, query: Omit<MixedQuery, 'memories'>): Promise<readonly MixedResult[]> =>
  (await recallWithCode(context, { documents: context.settings.recallDocuments, ...query, memories: true })).results

const indexOfFact = (results: readonly MixedResult[], id: string): number =>
  results.findIndex(({ memory }) => memory?.fact.id === id || memory?.repeats.some((repeat) => repeat.id === id) === true)

/** Undecided facts are placed last among the results only after the limit has cut them: the rank that the limit sees is without that. */
function rankBeforeCut(results: readonly MixedResult[], index: number): number {
  const before = results.map(({ score, memory }) => score - (memory?.contributions.find(({ name }) => name === 'provisional')?.value ?? 0))
  const own = before[index] ?? 0
  return 1 + before.filter((score, place) => score > own || (score === own && place < index)).length
}
