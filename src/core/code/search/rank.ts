import type { CodeRecipe } from './recipe.js'
import { roleOf } from './role.js'

export interface CodeSignals {
  readonly rid: number
  readonly file: string
  readonly kind: string
  readonly bm25: number
  readonly rarity: number
  readonly cosine: number | null
  readonly rough: number | null
  readonly defines: readonly string[]
}

export interface RankedCode extends CodeSignals {
  score: number
  readonly vector: number
  readonly lexical: number
  /** Score received from a caller, 0 to 1. */
  graph: number
  via: { readonly rid: number; readonly name: string } | null
}

/** Combines lexical and vector scores, each from 0 to 1. The two kinds of vectors have different spaces and are scaled separately. */
export function rankCode(candidates: readonly CodeSignals[], cosineFloor: number, recipe: CodeRecipe): RankedCode[] {
  const cosines = scaleOf(
    candidates.map((candidate) => candidate.cosine),
    cosineFloor,
    MIN_COSINE_SPAN,
  )
  const roughVectors = scaleOf(
    candidates.map((candidate) => candidate.rough),
    0,
    MIN_ROUGH_SPAN,
  )
  const bestBm25 = candidates.reduce((best, signals) => Math.max(best, signals.bm25), 1e-9)
  const files = fileScores(candidates)
  const ranked = candidates.map((candidate) => {
    const lexical = candidate.bm25 / bestBm25
    const byModel = candidate.cosine !== null
    const rough = candidate.rough === null ? 0 : roughVectors(candidate.rough)
    const share = candidate.rough === null ? 0 : recipe.roughShare
    const vector = byModel ? (1 - share) * cosines(candidate.cosine) + share * rough : rough
    const dense = byModel ? recipe.denseWeight : candidate.rough === null ? 0 : recipe.roughWeight
    const named = candidate.defines.length > 0 ? recipe.nameBoost : 0
    const words = (1 - recipe.fileShare) * lexical + recipe.fileShare * (files.get(candidate.file) ?? 0)
    const kept = recipe.roles[roleOf(candidate)]
    return { ...candidate, score: kept * (dense * vector + (1 - dense) * words) + named, vector, lexical, graph: 0, via: null }
  })
  // Keeps scores between 0 and 1 after the boost for names.
  const best = ranked.reduce((max, entry) => Math.max(max, entry.score), 1)
  for (const entry of ranked) entry.score /= best
  return ranked
}

/** Combined score of the best three passages of a file, with decreasing weight, relative to the best file. */
function fileScores(candidates: readonly CodeSignals[]): ReadonlyMap<string, number> {
  const scores = new Map<string, number[]>()
  for (const { file, bm25 } of candidates) {
    const known = scores.get(file)
    if (known === undefined) scores.set(file, [bm25])
    else known.push(bm25)
  }
  const sums = new Map(
    [...scores].map(([file, list]) => [
      file,
      list
        .sort((a, b) => b - a)
        .slice(0, 3)
        .reduce((sum, score, i) => sum + score * 0.5 ** i, 0),
    ]),
  )
  const best = Math.max(1e-9, ...sums.values())
  return new Map([...sums].map(([file, sum]) => [file, sum / best]))
}

/** Minimum span of cosines. While few passages have the model's vector, the best of them may be a poor match. */
const MIN_COSINE_SPAN = 0.1
const MIN_ROUGH_SPAN = 0.3

function scaleOf(values: readonly (number | null)[], floor: number, span: number): (value: number | null) => number {
  const best = values.reduce<number>((max, value) => Math.max(max, value ?? floor), floor + span)
  return (value) => (value === null ? 0 : Math.max(0, (value - floor) / (best - floor)))
}

interface CallLink {
  readonly from: number
  readonly to: number
  readonly name: string
  readonly weight: number
}

/** Raises passages that a good match calls, at most to its score. */
export function liftCallees(ranked: readonly RankedCode[], links: readonly CallLink[], recipe: CodeRecipe): void {
  const base = new Map(ranked.map((code) => [code.rid, code.score]))
  const best = Math.max(1e-9, ...base.values())
  const strongest = new Map<number, { readonly strength: number; readonly link: CallLink }>()
  for (const link of links) {
    const strength = link.weight * ((base.get(link.from) ?? 0) / best) ** recipe.sharpness
    if (strength > (strongest.get(link.to)?.strength ?? 0)) strongest.set(link.to, { strength, link })
  }
  for (const code of ranked) {
    const lift = strongest.get(code.rid)
    if (lift === undefined) continue
    const own = base.get(code.rid) ?? 0
    const lifted = Math.min(own + recipe.linkGain * lift.strength, 0.999 * (base.get(lift.link.from) ?? 0))
    if (lifted <= own) continue
    code.score = lifted
    code.graph = lift.strength
    code.via = { rid: lift.link.from, name: lift.link.name }
  }
}

/** Best first, with a factor on the second and later passages of a file. */
export function rankInOrder(ranked: readonly RankedCode[], recipe: CodeRecipe): readonly RankedCode[] {
  const seen = new Map<string, number>()
  const spread = [...ranked].sort(byCodeScore).map((code) => {
    const before = seen.get(code.file) ?? 0
    seen.set(code.file, before + 1)
    return { ...code, score: code.score * recipe.crowding ** before }
  })
  return spread.sort(byCodeScore)
}

/** Best first, with a factor on repeats of a better passage. */
export function withoutCopies<T extends { readonly score: number; readonly rid: number }>(
  ordered: readonly T[],
  textOf: (entry: T) => string,
  recipe: CodeRecipe,
): readonly T[] {
  const seen = new Map<string, number>()
  const spread = ordered.map((entry) => {
    const text = textOf(entry)
    const before = seen.get(text) ?? 0
    seen.set(text, before + 1)
    return before === 0 ? entry : { ...entry, score: entry.score * recipe.copyShare ** before }
  })
  return spread.sort((a, b) => b.score - a.score || a.rid - b.rid)
}

export const byCodeScore = (a: RankedCode, b: RankedCode): number => b.score - a.score || a.rid - b.rid

/**
 * Names that a query spells out as code: identifiers of several words, names before a bracket or in backquotes, or a query that is a single
 * name. Plain words of a sentence are not names.
 */
export function namesInQuery(question: string): readonly string[] {
  const trimmed = question.trim()
  if (/^[\p{L}_$][\p{L}\p{N}_$]*(?:(?:\.|::|#|->)[\p{L}_$][\p{L}\p{N}_$]*)*(?:\(\))?$/u.test(trimmed)) return partsOf(trimmed)
  const found = new Set<string>()
  for (const [quoted] of question.matchAll(/`[^`\n]{1,80}`/g)) for (const part of partsOf(quoted)) found.add(part)
  // The bracket is part of the match; as a lookahead it would be tried from every end of every name.
  const named = [...question.matchAll(/([\p{L}_$][\p{L}\p{N}_$]*)(\(?)/gu)].map(([, name = '', bracket]) => ({
    name,
    called: bracket === '(',
  }))
  for (const { name, called } of named) if (called) found.add(name)
  for (const { name } of named) if (/[\p{Ll}\p{N}]\p{Lu}|\p{L}_\p{L}|^[_$]\p{L}/u.test(name)) found.add(name)
  return [...found].slice(0, 20)
}

const partsOf = (text: string): readonly string[] => text.match(/[\p{L}_$][\p{L}\p{N}_$]*/gu) ?? []
