import type { Mode } from './server.js'
import type { EvalSet, Withheld } from './sets.js'

/** One configuration of the product: how it is asked, what of the recipe is off, what its caller does not say. */
export interface Rung {
  readonly name: string
  readonly mode: Mode
  readonly recipe: Readonly<Record<string, unknown>> | null
  readonly withheld: Withheld
  /** How many the reranker reads; the program's own number unless given. */
  readonly rerank: number | null
}

const everything: Withheld = {}

/** A part of the recipe is switched off by a weight of zero; the title keeps the weight of any other word. */
const noContext = { title: 1, near: 0, far: 0 }
const noAuthor = { authorBoost: 0 }
const noLinks = { linkGain: 0, graphGain: 0 }
const noSubject = { subjectBoost: 0 }
/** Any number of messages of one session. */
const noSpread = { spread: 0 }
/** One weight of the vector side for texts of any length and for any question. */
const oneWeight = { ...noSpread, longDenseWeight: 0.65, exactness: 0 }
const noSeats = { ...oneWeight, wordSeats: 0 }
/** Only words of the question itself. */
const noNear = { ...noSeats, nearWords: 0 }
/** Every match in words counts in full: so little rarity makes a full one. */
const noDoubt = { ...noNear, evidence: 1e-6, singleWord: 1 }

function rung(name: string, mode: Mode, recipe: Rung['recipe'], withheld: Withheld = everything, rerank: number | null = null): Rung {
  return { name, mode, recipe, withheld, rerank }
}

export const WHOLE = '+ reranker'

export const ladder: readonly Rung[] = [
  rung('lexical', 'lexical', null),
  rung('dense', 'vector', null),
  rung('fused', 'fast', { ...noDoubt, ...noContext, ...noAuthor, ...noLinks, ...noSubject }),
  rung('+ context', 'fast', { ...noDoubt, ...noAuthor, ...noLinks, ...noSubject }),
  rung('+ author', 'fast', { ...noDoubt, ...noLinks, ...noSubject }),
  rung('+ links', 'fast', { ...noDoubt, ...noSubject }),
  rung('+ named subject', 'fast', noDoubt),
  rung('+ trust in words', 'fast', noNear),
  rung('+ near words', 'fast', noSeats),
  rung('+ seats', 'fast', oneWeight),
  rung('+ long texts and codes', 'fast', noSpread),
  rung('+ spread (fast)', 'fast', null),
  rung(WHOLE, 'recall', null),
  rung('reranker reads 10', 'recall', null, everything, 10),
  rung('reranker reads 50', 'recall', null, everything, 50),
  rung('without session', 'recall', null, { session: true }),
  rung('without author', 'recall', null, { author: true }),
  rung('without title', 'recall', null, { title: true }),
]

/** A rung that withholds a field the set does not have would measure the same thing twice. */
export function rungsFor(set: EvalSet): readonly Rung[] {
  const has = (field: 'session' | 'author' | 'title') => set.memories.some((memory) => memory[field] !== null)
  return ladder.filter(({ withheld }) => {
    const fields = (['session', 'author', 'title'] as const).filter((field) => withheld[field])
    return fields.every(has)
  })
}
