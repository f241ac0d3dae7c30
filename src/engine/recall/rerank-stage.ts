import { readsAsEnglish } from '../../core/language/language-of.js'
import { isForeignNote } from '../../core/language/note-language.js'
import type { ScoredCandidate } from '../../core/recall/candidate.js'
import { selectRerankWindow } from '../../core/recall/excerpt.js'
import { byScore, longShare } from '../../core/recall/fuse.js'
import { combineLogOdds, computeRerankShares, formatForReranker, leastTokens, RERANK, rerankWeight } from '../../core/recall/rerank.js'
import { toMemoryError } from '../../errors.js'
import type { PairText, Reranker, RerankScores } from '../../ports/reranker.js'
import type { Turn, TurnContext } from '../../ports/view.js'
import { createBackoff } from '../backoff.js'
import type { EngineLog, ExcerptedText, RerankOutcome, RerankStage } from '../environment.js'
import { createYieldPoint } from '../event-loop.js'

export interface RerankStageOptions {
  readonly reranker: Reranker | null
  readonly log: EngineLog
  /** How many are looked at again; 0 is off. */
  readonly candidates: number
  /** Longer than this nobody waits for it. */
  readonly withinMs: number
}

const OFF: RerankOutcome = { state: 'off', reason: null }
const UNNEEDED: RerankOutcome = { state: 'unneeded', reason: null }
/** More characters than the model reads of any part. */
const CHARACTERS = 2000

export function createRerankStage({ reranker, log, candidates, withinMs }: RerankStageOptions): RerankStage {
  const pause = createBackoff()
  let said: string | undefined

  /** The answer comes without; what is broken is said once, and left alone for a while. */
  const miss = (error: unknown, from: Reranker): RerankOutcome => {
    const failure = toMemoryError(error)
    if (from.status().state === 'error') {
      pause.recordFailure(failure)
      if (said !== failure.message) log.warn('answers come without the reranker', { failure: failure.message, hint: failure.hint })
      said = failure.message
    }
    return { state: 'missed', reason: failure.message }
  }

  const ask = async (
    from: Reranker,
    question: string,
    pairs: readonly PairText[],
    signal: AbortSignal,
  ): Promise<RerankScores | RerankOutcome> => {
    const late = AbortSignal.timeout(withinMs)
    try {
      const judgement = await from.scorePairs(question, pairs, {
        tooLong: RERANK.noneFrom,
        withinMs,
        signal: AbortSignal.any([signal, late]),
      })
      pause.recordSuccess()
      said = undefined
      return judgement
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
          tooLong: RERANK.noneFrom,
          withinMs: Number.POSITIVE_INFINITY,
          signal,
        })
        return undefined
      } catch (error) {
        signal.throwIfAborted()
        return toMemoryError(error).message
      }
    },
    async rerankTop(question, { scored, told, terms, languages, links, excerpts }, signal) {
      if (reranker === null || candidates === 0) return OFF
      const best = scored.slice(0, candidates)
      if (best.length < 2 || leastTokens(question) >= RERANK.noneFrom || !readsAsEnglish(question)) return UNNEEDED
      const around = await links.surroundings(
        best.map((one) => one.sketch.rid),
        CHARACTERS,
      )
      const plain = best.filter((one) => !one.sketch.isCode && around.get(one.sketch.rid)?.title === null).length / best.length
      const alone = best.filter((one) => one.sketch.session === null).length / best.length
      const shares = { plain, alone, long: longShare(best) }
      if (rerankWeight(0, shares) === 0) return UNNEEDED
      // Of notes in other languages the model says that they answer nothing, whatever they say.
      const isRead = ({ sketch }: ScoredCandidate): boolean =>
        sketch.isCode || !isForeignNote(around.get(sketch.rid)?.text ?? '', languages)
      const legible = best.filter(isRead)
      if (legible.length < 2 || 2 * legible.length < best.length) return UNNEEDED
      const broken = pause.failure()
      if (broken !== undefined) return { state: 'missed', reason: broken.message }
      const shown = await excerpts(legible, RERANK.readings)
      const readings: (readonly PairText[])[] = []
      const breath = createYieldPoint()
      for (const { sketch } of legible) {
        // Long texts take a while to be looked through for the question's words.
        await breath()
        readings.push(toPairs(around.get(sketch.rid), terms, shown.get(sketch.rid)))
      }
      const answer = await ask(reranker, question, readings.flat(), signal)
      if ('state' in answer) return answer
      const weight = rerankWeight(answer.tokens, shares)
      if (weight === 0) return UNNEEDED
      const judged = joinedOf(readings, answer.scores)
      const raw = new Map(legible.map(({ sketch }, i) => [sketch.rid, judged[i] ?? 0]))
      blend(
        scored,
        told,
        best.map(({ sketch }) => raw.get(sketch.rid) ?? null),
        weight,
      )
      return { state: 'used', reason: null }
    },
  }
}

const turn = (said: Turn | null): string | null => (said === null ? null : formatForReranker({ ...said, title: null }))

/** A fact that was deleted since is judged as nothing, and left out when the facts are read. */
function toPairs(found: TurnContext | undefined, terms: readonly string[], long?: ExcerptedText): readonly PairText[] {
  if (found === undefined) return [{ memory: '', before: null, after: null }]
  const { text, spans } = long ?? { text: found.text, spans: [{ start: 0, end: found.text.length }] }
  return spans.map((span, place) => {
    const read = selectRerankWindow(text, span, terms)
    const memory = formatForReranker({ ...found, text: read.text })
    // What stands around is read of the best place alone: it takes most of the time.
    if (place > 0) return { memory, before: null, after: null }
    return { memory, before: read.before ?? turn(found.before), after: read.after ?? turn(found.after) }
  })
}

/** What was read in several places, each as one. */
function joinedOf(readings: readonly (readonly PairText[])[], scores: readonly number[]): readonly number[] {
  let next = 0
  return readings.map(({ length }) => {
    const own = scores.slice(next, next + length)
    next += length
    return combineLogOdds(own)
  })
}

/**
 * Only adds, so that nobody falls behind those that were not looked at; the best becomes 1. A relation that someone made is
 * nothing the model can see: what it tells keeps its share whatever the model says.
 */
function blend(scored: ScoredCandidate[], told: ReadonlySet<string>, raw: readonly (number | null)[], weight: number): void {
  computeRerankShares(raw, weight).forEach((seen, i) => {
    const one = scored[i]
    if (one === undefined) return
    const share = told.has(one.sketch.id) ? Math.max(seen, weight * one.graph) : seen
    one.score += share
    one.reranked = { raw: raw[i] ?? null, share }
  })
  scored.sort(byScore)
  const best = scored[0]?.score ?? 0
  if (best > 1) for (const one of scored) one.score /= best
}
