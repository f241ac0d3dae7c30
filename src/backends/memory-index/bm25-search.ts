import {
  computeIdf,
  LENGTH_NORMALISATION,
  maxContextTermFrequency,
  maxQueryTermFrequency,
  SATURATION,
} from '../../core/recall/lexical/bm25.js'
import { computeMinContextWeight, type LexicalFields } from '../../core/recall/lexical/fields.js'
import { termHash } from '../../core/text/text.js'
import type { LexicalHit } from '../../ports/view.js'
import { type Hit, TopHits } from '../vector/top-hits.js'
import type { InvertedIndex, TermWeights } from './inverted-index.js'

/** A shard that is searched. */
interface LexicalShard {
  readonly words: InvertedIndex
  /** 1 for every document that may be read; absent if all may. A subset of them passes the filter. */
  readonly readable?: Uint8Array | undefined
  passes(slot: number): boolean
  /** The row number of a document, by which ties are ordered. */
  rowAt(slot: number): number
}

interface WordAnswer {
  readonly hits: readonly Hit[]
  /** Documents in all shards. */
  readonly documents: number
  /** Sum of the IDFs of all terms, including unmatched ones. */
  readonly rarity: number
  /** The score of a document, 0 without a match, and the matched part of the query. */
  scoreAt(shard: number, slot: number): Omit<LexicalHit, 'rid'>
}

/** Corpus statistics of an owner of whom only some documents are in memory. */
export interface CorpusStats {
  readonly documents: number
  frequency(hash: number): number
  /** The mean length, estimated from the documents in memory and their context. */
  average(own: number, context: number): number
  /** The document frequency of a term, estimated from the documents in memory. */
  holding(hash: number, here: number, own: number): number
}

/** Fixes the statistics on first use, so that scores of later queries are comparable. */
export function createWhole(documents: number, tokensEach: number, frequencies: ReadonlyMap<number, number>): CorpusStats {
  const settled = new Map<number, number>()
  let average: number | undefined
  return {
    documents,
    frequency: (hash) => frequencies.get(hash) ?? 0,
    average(own, context) {
      average ??= Math.max(1, tokensEach * (own === 0 ? 1 : 1 + context / own))
      return average
    },
    holding(hash, here, own) {
      const known = settled.get(hash)
      const made = known ?? Math.min(documents, (frequencies.get(hash) ?? 0) * (own === 0 ? 1 : Math.max(1, here / own)))
      settled.set(hash, made)
      return made
    },
  }
}

/** Accumulated scores of one shard. */
interface Tally {
  readonly shard: LexicalShard
  readonly reached: TermWeights
  readonly scores: Float32Array
  readonly terms: Uint16Array
  readonly rarity: Float32Array
  /** Documents that any term matched. */
  readonly found: Int32Array
  size: number
}

const tallyOf = (shard: LexicalShard): Tally => {
  const { size } = shard.words.slots
  return {
    shard,
    ...shard.words.workspace(),
    scores: new Float32Array(size),
    terms: new Uint16Array(size),
    rarity: new Float32Array(size),
    size: 0,
  }
}

/**
 * Okapi BM25 over title, text and context, over one or several shards. Several are scored with common totals, as if they were one; a single
 * one with its own documents only. `everything` means that no owner was named.
 */
export function searchBm25(
  shards: readonly LexicalShard[],
  requested: readonly string[],
  limit: number,
  fields: LexicalFields,
  everything: boolean,
  whole?: CorpusStats,
): WordAnswer {
  const tallies = shards.map(tallyOf)
  const context = fields.near > 0 || fields.far > 0
  let here = 0
  let own = 0
  let contextTotal = 0
  for (const { words, readable } of shards) {
    const totals = words.totals(readable)
    here += totals.documents
    own += totals.own
    contextTotal += context ? totals.context : 0
  }
  const documents = whole?.documents ?? here
  const average = whole?.average(own, contextTotal) ?? Math.max(1, (own + contextTotal) / Math.max(1, documents))
  const hashes = requested.map(termHash)
  const min = computeMinContextWeight(fields)
  const telling = maxQueryTermFrequency(documents)
  const spreading = maxContextTermFrequency(documents)
  const frequencies = hashes.map((hash) => whole?.frequency(hash) ?? frequencyIn(shards, hash, [0, telling, spreading]))
  const hasRarer = frequencies.some((count) => count > 0 && count <= telling)
  let rarity = 0
  hashes.forEach((hash, i) => {
    const frequency = frequencies[i] ?? 0
    // A term in half of the documents of a large store has little weight and a high cost; skip it if other terms match.
    if (everything && hasRarer && frequency > telling) return
    let holding = 0
    const spreads = context && frequency <= spreading
    for (const { shard, reached } of tallies) {
      shard.words.accumulate(hash, fields, spreads, reached, shard.readable)
      holding += spreads ? holders(reached, min) : reached.size
    }
    const held = whole === undefined ? holding : whole.holding(hash, holding, frequencyIn(shards, hash, []))
    const idf = computeIdf(held, documents)
    rarity += idf
    for (const tally of tallies) weigh(tally, idf, average, context)
  })
  return {
    hits: best(tallies, limit),
    documents,
    rarity,
    scoreAt(shard, slot) {
      const tally = tallies[shard]
      return {
        score: tally?.scores[slot] ?? 0,
        terms: tally?.terms[slot] ?? 0,
        rarity: tally?.rarity[slot] ?? 0,
        length: tally?.shard.words.lengths.own[slot] ?? 0,
      }
    },
  }
}

/** Exact only near the limits: counting a common term takes as long as scoring it. */
function frequencyIn(shards: readonly LexicalShard[], hash: number, limits: readonly number[]): number {
  let min = 0
  let max = 0
  for (const { words, readable } of shards) {
    const bounds = words.bounds(hash, readable)
    min += bounds.least
    max += bounds.most
  }
  if (limits.every((limit) => max <= limit || min > limit)) return max
  let live = 0
  for (const { words, readable } of shards) live += words.frequency(hash, readable)
  return live
}

/** A document that has a term only from context counts fractionally, so that neighbours of long messages do not make it common. */
function holders({ weights, slots, size }: TermWeights, min: number): number {
  let sum = 0
  for (let i = 0; i < size; i++) {
    const weight = weights[slots[i] as number] as number
    sum += weight < min ? weight / min : 1
  }
  return sum
}

/** Converts the weights of one term to scores and resets the work space. */
function weigh(tally: Tally, idf: number, average: number, context: boolean): void {
  const { shard, reached, scores, terms, rarity, found } = tally
  const { weights, slots } = reached
  const gain = idf * (SATURATION + 1)
  const fixed = SATURATION * (1 - LENGTH_NORMALISATION)
  const perToken = (SATURATION * LENGTH_NORMALISATION) / average
  const { own, context: contextLengths } = shard.words.lengths
  for (let i = 0; i < reached.size; i++) {
    const slot = slots[i] as number
    const weight = weights[slot] as number
    weights[slot] = 0
    const length = (own[slot] as number) + (context ? (contextLengths[slot] as number) : 0)
    if (scores[slot] === 0) found[tally.size++] = slot
    terms[slot] = (terms[slot] as number) + 1
    rarity[slot] = (rarity[slot] as number) + idf
    scores[slot] = (scores[slot] as number) + (gain * weight) / (weight + fixed + perToken * length)
  }
  reached.size = 0
}

function best(tallies: readonly Tally[], limit: number): readonly Hit[] {
  const top = new TopHits(limit)
  for (const { shard, scores, found, size } of tallies) {
    let threshold = top.threshold
    for (let i = 0; i < size; i++) {
      const slot = found[i] as number
      const score = scores[slot] as number
      if (score < threshold) continue
      const rid = shard.rowAt(slot)
      if (!top.takes(score, rid) || !shard.passes(slot)) continue
      top.offer({ score, rid, slot })
      threshold = top.threshold
    }
  }
  return top.best()
}
