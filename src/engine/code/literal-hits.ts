import { boostLiterals } from '../../core/code/search/literal-boost.js'
import { literalsInQuery } from '../../core/code/search/literals.js'
import type { RankedCode } from '../../core/code/search/rank.js'
import type { CodeRecipe, CodeRole } from '../../core/code/search/recipe.js'
import { roleOf } from '../../core/code/search/role.js'
import type { Environment } from '../environment.js'
import { createYieldPoint } from '../event-loop.js'

/** Rows whose literal decides the order, with its line counted from 0 in the passage; undefined for prose. */
export type LiteralLines = ReadonlyMap<number, number | undefined>

/** Plain lines and constants hold literals as often as functions do. */
const FILE_ROLES: ReadonlySet<CodeRole> = new Set(['test', 'declarations', 'prose'])
const NO_LINES: LiteralLines = new Map()

/** Raises passages that hold a literal of the query, and rescales the scores to at most 1. Returns the matched lines. */
export async function raiseLiterals(
  env: Environment,
  ranked: readonly RankedCode[],
  query: string,
  { literals: weights, roles }: CodeRecipe,
): Promise<LiteralLines> {
  const literals = weights.candidates === 0 ? [] : literalsInQuery(query)
  if (literals.length === 0) return NO_LINES
  const likely = ranked
    .filter(({ rarity }) => rarity > 0)
    .sort((a, b) => b.rarity - a.rarity || b.score - a.score)
    .slice(0, weights.candidates)
  const texts = new Map((await env.code.passages(likely.map(({ rid }) => rid))).map(({ rid, passage }) => [rid, passage.text]))
  const lines = new Map<number, number | undefined>()
  const turn = createYieldPoint()
  for (const code of likely) {
    await turn()
    const boost = boostLiterals(literals, texts.get(code.rid) ?? '', weights)
    if (boost === undefined) continue
    code.score += boost.value * (FILE_ROLES.has(roleOf(code)) ? roles[roleOf(code)] : 1)
    if (boost.decides) lines.set(code.rid, boost.line)
  }
  const best = ranked.reduce((most, { score }) => Math.max(most, score), 1)
  for (const code of ranked) code.score /= best
  return lines
}
