import { readsAsEnglish } from '../../core/language/language-of.js'
import { isForeignNote } from '../../core/language/note-language.js'
import type { ScoredCandidate } from '../../core/recall/candidate.js'
import { selectRerankWindow } from '../../core/recall/rerank/excerpt.js'
import { combineLogOdds, estimateTokens, formatForReranker, RERANK } from '../../core/recall/rerank/rerank.js'
import { findUndecided } from '../../core/recall/rerank/undecided.js'
import { toMemoryError } from '../../errors.js'
import type { PairText, Reranker } from '../../ports/reranker.js'
import type { Turn, TurnContext } from '../../ports/view.js'
import { createBackoff } from '../backoff.js'
import type { EngineLog, ExcerptedText, RerankInput, RerankOutcome, RerankResult, RerankStage } from '../environment.js'
import { createYieldPoint } from '../event-loop.js'

interface RerankStageOptions {
  readonly reranker: Reranker | null
  readonly log: EngineLog
  /** Number of candidates that are read; 0 disables the stage. */
  readonly candidates: number
  /** Time limit of one query. */
  readonly withinMs: number
  /** The text of a note as the model reads it; by default unchanged. */
  readonly readAs?: (text: string) => Promise<string>
}

const RERANK_OFF: RerankOutcome = { state: 'off', reason: null }
const RERANK_UNNEEDED: RerankOutcome = { state: 'unneeded', reason: null }
/** More characters than the model reads of any part. */
const CHARACTERS = 2000
/** Candidates of the first round beyond the number of results: fewer do not predict the scores of the rest. */
const FIRST_MARGIN = 2
/** Candidates of each later round; a round costs a ranking and a message to every thread. */
const ROUND_SIZE = 4

export function createRerankStage({
  reranker,
  log,
  candidates,
  withinMs,
  readAs = (text) => Promise.resolve(text),
}: RerankStageOptions): RerankStage {
  const pause = createBackoff()
  let reported: string | undefined

  /** The answer is not reranked. A failure is logged once and starts a backoff. */
  const miss = (error: unknown, from: Reranker): RerankOutcome => {
    const failure = toMemoryError(error)
    if (from.status().state === 'error') {
      pause.recordFailure(failure)
      if (reported !== failure.message) log.warn('answers come without the reranker', { failure: failure.message, hint: failure.hint })
      reported = failure.message
    }
    return { state: 'missed', reason: failure.message }
  }

  /** Raw scores of the candidates that can be among the results, or why there are none. */
  const readUndecided = async (
    from: Reranker,
    query: string,
    legible: readonly ScoredCandidate[],
    around: ReadonlyMap<number, TurnContext>,
    { limit, gain, order, terms, excerpts }: Pick<RerankInput, 'limit' | 'gain' | 'order' | 'terms' | 'excerpts'>,
    signal: AbortSignal,
  ): Promise<ReadonlyMap<number, number> | RerankOutcome> => {
    const scores = new Map<number, number>()
    const breath = createYieldPoint()
    let next = legible.slice(0, limit + FIRST_MARGIN)
    while (next.length > 0) {
      const shown = await excerpts(next, RERANK.readings)
      const readings: (readonly PairText[])[] = []
      for (const { header } of next) {
        // Long texts take a while to be searched for the words of the query.
        await breath()
        readings.push(toPairs(around.get(header.rid), terms, shown.get(header.rid)))
      }
      const answer = await from.scorePairs(query, readings.flat(), { tooLong: RERANK.maxTokens, withinMs, signal })
      if (answer.length === 0) return RERANK_UNNEEDED
      combineReadings(readings, answer).forEach((raw, i) => {
        scores.set(next[i]?.header.rid ?? 0, raw)
      })
      if (scores.size === legible.length) break
      const lowest = Math.min(0, ...scores.values())
      const known = new Map(order(scores).map(({ header, score }) => [header.rid, score]))
      const prospects = legible.map(({ header: { rid } }) => {
        const raw = scores.get(rid) ?? null
        return { rid, raw, score: (known.get(rid) ?? 0) - (raw === null ? gain * lowest : 0), key: around.get(rid)?.text ?? '' }
      })
      const undecided = new Set(findUndecided(prospects, limit, gain).slice(0, ROUND_SIZE))
      next = legible.filter(({ header }) => undecided.has(header.rid))
    }
    return scores
  }

  const ask = async (
    from: Reranker,
    signal: AbortSignal,
    read: (signal: AbortSignal) => Promise<ReadonlyMap<number, number> | RerankOutcome>,
  ): Promise<ReadonlyMap<number, number> | RerankOutcome> => {
    const late = AbortSignal.timeout(withinMs)
    try {
      const scores = await read(AbortSignal.any([signal, late]))
      pause.recordSuccess()
      reported = undefined
      return scores
    } catch (error) {
      signal.throwIfAborted()
      return late.aborted ? { state: 'missed', reason: `The reranker did not answer within ${withinMs} ms.` } : miss(error, from)
    }
  }

  return {
    status: () => reranker?.status() ?? null,
    close: async () => reranker?.close(),
    async diagnose(signal) {
      try {
        await reranker?.scorePairs('check', toPairs(undefined, []), {
          tooLong: RERANK.maxTokens,
          withinMs: Number.POSITIVE_INFINITY,
          signal,
          fresh: true,
        })
        return undefined
      } catch (error) {
        signal.throwIfAborted()
        return toMemoryError(error).message
      }
    },
    async rerankTop(query, input, signal) {
      const none = (outcome: RerankOutcome): RerankResult => ({ outcome, scores: new Map() })
      if (reranker === null || candidates === 0) return none(RERANK_OFF)
      const best = input.ranked.slice(0, candidates)
      if (best.length === 0 || estimateTokens(query) >= RERANK.maxTokens || !readsAsEnglish(query)) return none(RERANK_UNNEEDED)
      const written = await input.links.surroundings(
        best.map(({ header }) => header.rid),
        CHARACTERS,
      )
      const breath = createYieldPoint()
      const around = new Map<number, TurnContext>()
      for (const [rid, found] of written) {
        await breath()
        around.set(rid, { ...found, text: await readAs(found.text) })
      }
      // A place of the text as written is no place of its gloss.
      const excerpts: RerankInput['excerpts'] = async (best, most) =>
        new Map([...(await input.excerpts(best, most))].filter(([rid]) => around.get(rid)?.text === written.get(rid)?.text))
      // The judge scores notes in languages without a glossary as irrelevant whatever they contain, and was not trained on code.
      const legible = best.filter(({ header }) => !header.isCode && !isForeignNote(around.get(header.rid)?.text ?? '', input.languages))
      if (2 * legible.length < best.length) return none(RERANK_UNNEEDED)
      const broken = pause.failure()
      if (broken !== undefined) return none({ state: 'missed', reason: broken.message })
      const scores = await ask(reranker, signal, (within) =>
        readUndecided(reranker, query, legible, around, { ...input, excerpts }, within),
      )
      return 'state' in scores ? none(scores) : { outcome: { state: 'used', reason: null }, scores }
    },
  }
}

const formatTurn = (turn: Turn | null): string | null => (turn === null ? null : formatForReranker({ ...turn, title: null }))

/** A fact deleted in the meantime is scored as an empty text, and excluded when the facts are loaded. */
function toPairs(found: TurnContext | undefined, terms: readonly string[], long?: ExcerptedText): readonly PairText[] {
  if (found === undefined) return [{ memory: '', before: null, after: null }]
  const { text, spans } = long ?? { text: found.text, spans: [{ start: 0, end: found.text.length }] }
  return spans.map((span, place) => {
    const read = selectRerankWindow(text, span, terms)
    const memory = formatForReranker({ ...found, text: read.text })
    // Neighbours are read for the best place only: they take most of the time.
    if (place > 0) return { memory, before: null, after: null }
    return { memory, before: read.before ?? formatTurn(found.before), after: read.after ?? formatTurn(found.after) }
  })
}

/** One score per text, from all its places that were read. */
function combineReadings(readings: readonly (readonly PairText[])[], scores: readonly number[]): readonly number[] {
  let next = 0
  return readings.map(({ length }) => {
    const own = scores.slice(next, next + length)
    next += length
    return combineLogOdds(own)
  })
}
