import { findOwnerAccess, type Principal } from '../../core/access/access-filter.js'
import type { Fact, Scope } from '../../core/facts/fact.js'
import { refusal } from '../../core/input/refusal.js'
import { checkWeights } from '../../core/recall/statements/stages.js'
import { statementOf, type TypedValue } from '../../core/statements/statement.js'
import { normalUri } from '../../core/statements/uri.js'
import { sanitised } from '../../core/text/sanitiser.js'
import type { Context } from '../context.js'
import type { Card, Cards, PendingCard } from '../engine-services.js'
import type { Environment } from '../environment.js'
import { isCard } from './cards.js'
import { asRead, type ReadCard } from './read-card.js'
import { type RecalledStatement, recallStatements, type StatementAnswer, type StatementRecallQuery } from './recall-statements.js'
import { ownerOf } from './speaker.js'

const MAX_RECALL_DEPTH = 2

/** A recall request; owner and token budget are determined before the search. */
interface StatementRecallInput extends Omit<StatementRecallQuery, 'owner' | 'budget'> {
  readonly budget: number | undefined
  /** Tokens of the answer without its results and card. */
  readonly restCost: number
  /** Maximum number of results. */
  readonly most?: number | undefined
  /** Whether the card is rebuilt first. */
  readonly freshCard: boolean
  /** False limits the results to facts that match the query themselves. */
  readonly neighbours?: boolean
  /** Whom the delivery log names; without it, nothing is logged. */
  readonly reader?: { readonly client: string; readonly conversation: string | null }
}

/** A displayed result: text that looks like instructions is marked or removed. */
export interface RenderedStatementResult extends RecalledStatement {
  readonly value: TypedValue
  readonly warnings: readonly string[]
  /** True if the card of its entity does not contain it. */
  readonly cardStale: boolean
}

interface RenderedRecall extends Omit<StatementAnswer, 'results'> {
  readonly budget: number
  readonly results: readonly RenderedStatementResult[]
  readonly card: ReadCard | null
  /** True if rebuilding the card exceeded the wait. */
  readonly cardTimedOut: boolean
}

interface RecallRequest {
  readonly owner: string
  readonly principal: Principal
}

function checkQuestion({ budget, depth, weights }: StatementRecallInput): number {
  if (depth > MAX_RECALL_DEPTH)
    throw refusal('recall_depth_exceeded', `Invalid depth: ${depth}, at most ${MAX_RECALL_DEPTH} is allowed`, 'neighbors walks further.')
  if (budget === undefined || !(budget >= 1))
    throw refusal(
      'invalid_token_budget',
      'Invalid token_budget: must be 1 or more',
      'Say how many tokens the results may take, such as 2000.',
    )
  checkWeights(weights)
  return Math.floor(budget)
}

/** Statements that answer a query; for a single entity, with its card. Counts the returned facts as recalled. */
export function answerStatements(context: Context, question: StatementRecallInput): Promise<RenderedRecall> {
  return context.services.recalls.enter(() => answer(context, question), context.signal)
}

async function answer(context: Context, question: StatementRecallInput): Promise<RenderedRecall> {
  const { principal } = context
  const { cards, accesses } = context.services
  const owner = ownerOf(context, context)
  const budget = checkQuestion(question)
  const entity = question.entity === undefined ? undefined : normalUri(question.entity)
  const found = await recallStatements(context, {
    ...question,
    depth: question.neighbours === false ? 0 : question.depth,
    owner,
    budget: Math.max(0, budget - question.restCost),
    entity,
  })
  const read = entity === undefined ? null : await cardOf(entity, cards, { owner, principal }, question, found)
  const mode = context.settings.statements.sanitiser
  const results = found.results.slice(0, question.most).map((result) => shown(result, read, mode))
  accesses.note(results.map(({ fact }) => fact.id))
  if (question.reader !== undefined)
    context.services.deliveryLog.note({
      ...{ ...question.reader, owner, kind: 'recall', question: question.text, confidence: null },
      facts: results.map(({ fact, score }) => ({ id: fact.id, relevance: score })),
    })
  return { ...found, budget, results, card: isCard(read) ? asRead(read, mode) : null, cardTimedOut: read?.timedOut === true }
}

async function cardOf(
  entity: string,
  cards: Cards,
  { owner, principal }: RecallRequest,
  { relation, scope: requestedScope, freshCard }: StatementRecallInput,
  { results }: StatementAnswer,
): Promise<Card | PendingCard | null> {
  const into = findOwnerAccess(principal.reach, owner)
  const scope = requestedScope ?? scopeOf(results.map(({ fact }) => fact))
  // A query for one relation does not need the whole card.
  if (relation !== undefined || into === undefined || scope === undefined) return null
  return cards.read({ owner, entity, scope, garden: null }, into, { force: freshCard })
}

/** The scope of most results. */
function scopeOf(facts: readonly Fact[]): Scope | undefined {
  const counts = new Map<Scope, number>()
  for (const { scope, assertedConfidence } of facts) if (assertedConfidence !== null) counts.set(scope, (counts.get(scope) ?? 0) + 1)
  return [...counts].sort(([, a], [, b]) => b - a)[0]?.[0]
}

type Mode = Environment['settings']['statements']['sanitiser']

/** The last step, because stored text is data, whatever it contains. */
function shown(recalled: RecalledStatement, card: Card | PendingCard | null, mode: Mode): RenderedStatementResult {
  const { value } = statementOf(recalled.fact)
  const { text, warnings } = typeof value.v === 'string' ? sanitised(value.v, mode) : { text: value.v, warnings: [] }
  return { ...recalled, value: { ...value, v: text }, warnings, cardStale: isMissingFromCard(recalled.fact, card) }
}

/** True if the card omits a fact or lists it with another confidence. */
function isMissingFromCard({ id, confidence }: Fact, card: Card | PendingCard | null): boolean {
  if (card === null) return false
  if (!isCard(card)) return card.timedOut || (card.divergentFrom !== null && card.divergentFrom.get(id) !== confidence)
  return card.isStale && !card.facts.some((listed) => listed.id === id)
}
