import { computeIdf, LENGTH_SHARE, mostThatSpread, mostThatTell, SATURATION } from '../../core/recall/bm25.js'
import { computeMinContextWeight, type LexicalFields } from '../../core/recall/fields.js'
import { termHash } from '../../core/text/text.js'
import type { LexicalHit } from '../../ports/view.js'
import { type Hit, TopHits } from '../vector/top-hits.js'
import type { InvertedIndex, TermWeights } from './inverted-index.js'

/** One of the units that a question is put to. */
export interface LexicalShard {
  readonly words: InvertedIndex
  /** 1 at every document that counts; all do unless given. What passes is among them. */
  readonly readable?: Uint8Array | undefined
  passes(slot: number): boolean
  /** The number of a document in the answer, by which equal ones are put in order. */
  rowAt(slot: number): number
}

export interface WordAnswer {
  readonly hits: readonly Hit[]
  /** Documents in all units together. */
  readonly documents: number
  /** Sum of the rarities of all terms, of those that nobody holds too. */
  readonly rarity: number
  /** The score of a document of one of the units, 0 where no term matches, and what of the question it holds. */
  scoreAt(unit: number, slot: number): Omit<LexicalHit, 'rid'>
}

/** What is known of all documents of an owner where only some of them are here. */
export interface CorpusStats {
  readonly documents: number
  frequency(hash: number): number
  /** The mean length, given that of the documents themselves and of their context as far as they are here. */
  average(own: number, context: number): number
  /** How many hold or borrow a term, given how many do here and how many of these hold it themselves. */
  holding(hash: number, here: number, own: number): number
}

/** What the documents that are here tell of all is settled once: scores of later questions compare with those of the first. */
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

/** What a search adds up for the documents of one unit. */
interface Tally {
  readonly unit: LexicalShard
  readonly reached: TermWeights
  readonly scores: Float32Array
  readonly terms: Uint16Array
  readonly rarity: Float32Array
  /** Documents that any term has reached. */
  readonly found: Int32Array
  size: number
}

const tallyOf = (unit: LexicalShard): Tally => {
  const { size } = unit.words.slots
  return {
    unit,
    ...unit.words.workspace(),
    scores: new Float32Array(size),
    terms: new Uint16Array(size),
    rarity: new Float32Array(size),
    size: 0,
  }
}

/**
 * Okapi BM25 over title, text and context, over one unit or several. Several are scored with common totals, as if they
 * were one; of one, nothing but its own documents counts. `everything` says that no owner was named.
 */
export function searchBm25(
  units: readonly LexicalShard[],
  asked: readonly string[],
  limit: number,
  fields: LexicalFields,
  everything: boolean,
  whole?: CorpusStats,
): WordAnswer {
  const tallies = units.map(tallyOf)
  const context = fields.near > 0 || fields.far > 0
  let here = 0
  let own = 0
  let lent = 0
  for (const { words, readable } of units) {
    const totals = words.totals(readable)
    here += totals.documents
    own += totals.own
    lent += context ? totals.context : 0
  }
  const documents = whole?.documents ?? here
  const average = whole?.average(own, lent) ?? Math.max(1, (own + lent) / Math.max(1, documents))
  const hashes = asked.map(termHash)
  const least = computeMinContextWeight(fields)
  const telling = mostThatTell(documents)
  const spreading = mostThatSpread(documents)
  const frequencies = hashes.map((hash) => whole?.frequency(hash) ?? frequencyIn(units, hash, [0, telling, spreading]))
  const hasRarer = frequencies.some((count) => count > 0 && count <= telling)
  let rarity = 0
  hashes.forEach((hash, i) => {
    const frequency = frequencies[i] ?? 0
    // Every second document of a large store has it: little weight for much work, where other words tell more.
    if (everything && hasRarer && frequency > telling) return
    let holding = 0
    const spreads = context && frequency <= spreading
    for (const { unit, reached } of tallies) {
      unit.words.accumulate(hash, fields, spreads, reached, unit.readable)
      holding += spreads ? holders(reached, least) : reached.size
    }
    const held = whole === undefined ? holding : whole.holding(hash, holding, frequencyIn(units, hash, []))
    const idf = computeIdf(held, documents)
    rarity += idf
    for (const tally of tallies) weigh(tally, idf, average, context)
  })
  return {
    hits: best(tallies, limit),
    documents,
    rarity,
    scoreAt(unit, slot) {
      const tally = tallies[unit]
      return {
        score: tally?.scores[slot] ?? 0,
        terms: tally?.terms[slot] ?? 0,
        rarity: tally?.rarity[slot] ?? 0,
        length: tally?.unit.words.lengths.own[slot] ?? 0,
      }
    },
  }
}

/** Exact where it matters: on which side of the limits it lies. Counting a common term one by one takes as long as scoring it. */
function frequencyIn(units: readonly LexicalShard[], hash: number, limits: readonly number[]): number {
  let least = 0
  let most = 0
  for (const { words, readable } of units) {
    const bounds = words.bounds(hash, readable)
    least += bounds.least
    most += bounds.most
  }
  if (limits.every((limit) => most <= limit || least > limit)) return most
  let live = 0
  for (const { words, readable } of units) live += words.frequency(hash, readable)
  return live
}

/** Whoever only borrows a term counts by what is left of the loan: neighbours of long messages must not make it common. */
function holders({ weights, slots, size }: TermWeights, least: number): number {
  let sum = 0
  for (let i = 0; i < size; i++) {
    const weight = weights[slots[i] as number] as number
    sum += weight < least ? weight / least : 1
  }
  return sum
}

/** Turns the weights of one term into scores, and leaves the work space zeroed. */
function weigh(tally: Tally, idf: number, average: number, context: boolean): void {
  const { unit, reached, scores, terms, rarity, found } = tally
  const { weights, slots } = reached
  const gain = idf * (SATURATION + 1)
  const fixed = SATURATION * (1 - LENGTH_SHARE)
  const perToken = (SATURATION * LENGTH_SHARE) / average
  const { own, lent } = unit.words.lengths
  for (let i = 0; i < reached.size; i++) {
    const slot = slots[i] as number
    const weight = weights[slot] as number
    weights[slot] = 0
    const length = (own[slot] as number) + (context ? (lent[slot] as number) : 0)
    if (scores[slot] === 0) found[tally.size++] = slot
    terms[slot] = (terms[slot] as number) + 1
    rarity[slot] = (rarity[slot] as number) + idf
    scores[slot] = (scores[slot] as number) + (gain * weight) / (weight + fixed + perToken * length)
  }
  reached.size = 0
}

function best(tallies: readonly Tally[], limit: number): readonly Hit[] {
  const top = new TopHits(limit)
  for (const { unit, scores, found, size } of tallies) {
    let threshold = top.threshold
    for (let i = 0; i < size; i++) {
      const slot = found[i] as number
      const score = scores[slot] as number
      if (score < threshold) continue
      const rid = unit.rowAt(slot)
      if (!top.takes(score, rid) || !unit.passes(slot)) continue
      top.offer({ score, rid, slot })
      threshold = top.threshold
    }
  }
  return top.best()
}
