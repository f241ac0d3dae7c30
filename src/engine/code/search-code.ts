import { LANGUAGES } from '../../core/code/languages.js'
import {
  byCodeScore,
  liftCallees,
  namesInQuery,
  type RankedCode,
  rankCode,
  rankInOrder,
  withoutCopies,
} from '../../core/code/search/rank.js'
import type { CodeRecipe } from '../../core/code/search/recipe.js'
import { EQUAL_ROLES, forQuery, roleOfText } from '../../core/code/search/role.js'
import { definitionLine, withoutBlankEnd } from '../../core/code/text.js'
import type { Passage, Source } from '../../core/facts/source.js'
import { withoutSlashes } from '../../core/files/path-glob.js'
import { removeFunctionWords } from '../../core/language/content-words.js'
import { detectQueryLanguages } from '../../core/language/language-of.js'
import type { Weights } from '../../core/recall/recipe/recipe.js'
import { splitIdentifiers } from '../../core/text/identifiers.js'
import { clipQuery, hasWordCharacters, queryTerms } from '../../core/text/text.js'
import { MemoryError } from '../../errors.js'
import type { CodeAnswer as CodeCandidates, CodeFilter } from '../../ports/code-index.js'
import { embedQueryOrDegrade, NO_VECTOR } from '../embedding/query-vector.js'
import type { Environment } from '../environment.js'
import { glossToEnglish } from '../gloss.js'
import { walkCode } from './code-graph.js'
import { type LiteralLines, raiseLiterals } from './literal-hits.js'
import { projectsOf, requireProject } from './project-state.js'

interface CodeSearchQuery {
  readonly text: string
  readonly limit: number
  /** Owner of the searched projects; all owners without one. */
  readonly owner?: string | undefined
  readonly project?: string | undefined
  readonly language?: string | undefined
  /** A pattern such as `src/**` + `/*.ts`. */
  readonly path?: string | undefined
  readonly kind?: string | undefined
  readonly recipe?: CodeRecipe | undefined
  readonly signal: AbortSignal
}

export interface CodeHit extends Pick<RankedCode, 'rid' | 'score' | 'vector' | 'lexical' | 'graph'> {
  readonly passage: Passage
  readonly cosine: number | null
  /** The line that answers: that of a literal in the query, or the one on which the definition begins. */
  readonly line: number
  /** The passage whose reference raised this one, and the referenced name. */
  readonly via: { readonly passage: string; readonly name: string } | null
}

export interface CodeAnswer {
  readonly results: readonly CodeHit[]
  /** Why the model did not contribute although one is configured; null otherwise. */
  readonly degraded: string | null
}

/** Passages of code that answer a query, best first. Without a model it uses words and static vectors. */
export async function searchCode(env: Environment, query: CodeSearchQuery): Promise<CodeAnswer> {
  const recipe = forQuery(query.recipe ?? env.settings.codeRecipe, clipQuery(query.text))
  const pool = await poolOf(env, query)
  const text = clipQuery(query.text)
  const gloss = await glossToEnglish(env.languageData, text)
  // Names and most comments in code are English; some comments are in the language of the query.
  const own = removeFunctionWords(text, detectQueryLanguages(text, gloss !== undefined))
  const words = splitIdentifiers(gloss?.text ?? text)
  const { vector, degraded } = recipe.denseWeight > 0 ? await embedQueryOrDegrade(env, words, query.signal) : NO_VECTOR
  const answer = await env.code.search({
    terms: queryTerms(gloss === undefined ? own : `${own} ${gloss.words}`),
    fields: recipe.fields,
    vector,
    rough: env.roughEmbedder.query(words, vector),
    names: namesInQuery(text),
    pool,
    limit: recipe.candidates,
  })
  const ranked = await ranking(env, answer, recipe).finally(answer.close)
  const lines = await raiseLiterals(env, ranked, text, recipe)
  const ordered = rankInOrder(
    ranked.filter((hit) => hit.score > 0),
    recipe,
  )
  // More than the limit, so that results below it can replace copies of the same text.
  const found = await withPassages(env, ordered.slice(0, COPIES_SEEN * query.limit), lines)
  const shared = found.map((hit) => ({ ...hit, score: hit.score * factorOf(hit, lines, recipe) }))
  return { results: withoutCopies(shared, (hit) => hit.passage.hash, recipe).slice(0, query.limit), degraded }
}

/** A factor for roles that only the text shows. A literal of the query is wanted wherever it is. */
function factorOf({ rid, passage }: CodeHit, lines: LiteralLines, { roles }: CodeRecipe): number {
  const role = lines.has(rid) ? undefined : roleOfText(passage.text)
  return role === undefined ? 1 : roles[role]
}

/** Ranks the candidates together with the passages that the best of them call. */
async function ranking({ code, embedder }: Environment, answer: CodeCandidates, recipe: CodeRecipe): Promise<RankedCode[]> {
  const { floor } = embedder.model
  const ranked = rankCode(answer.candidates, floor, recipe)
  if (recipe.linkGain <= 0) return ranked
  const seeds = [...ranked].sort(byCodeScore).slice(0, recipe.seeds)
  const links = (
    await code.links(
      seeds.map((seed) => seed.rid),
      'outgoing',
    )
  ).filter((link) => link.kind !== 'imports')
  const known = new Set(ranked.map((hit) => hit.rid))
  const missing = [...new Set(links.map((link) => link.to))].filter((rid) => !known.has(rid))
  const all = missing.length > 0 ? rankCode([...answer.candidates, ...(await answer.also(missing))], floor, recipe) : ranked
  liftCallees(all, links, recipe)
  return all
}

const COPIES_SEEN = 4

const poolOfProjects = async (env: Environment, { project, owner }: CodeSearchQuery): Promise<readonly Source[]> =>
  project === undefined ? projectsOf(env, owner) : [await requireProject(env, project, owner)]

async function poolOf(env: Environment, query: CodeSearchQuery): Promise<CodeFilter> {
  const projects = await poolOfProjects(env, query)
  const { source, pattern } = placeOf(projects, query.path)
  const sources = source === undefined ? projects : [source]
  return {
    sourceKinds: ['repo'],
    sources: source === undefined && query.owner === undefined && query.project === undefined ? undefined : sources.map(({ id }) => id),
    language: query.language === undefined ? undefined : languageOf(query.language),
    kind: query.kind?.toLowerCase(),
    path: pattern,
  }
}

/** An absolute path selects the project that contains it; its remainder is the pattern. */
function placeOf(
  projects: readonly Source[],
  path: string | undefined,
): { readonly source: Source | undefined; readonly pattern: string | undefined } {
  const wanted = path?.trim().replaceAll('\\', '/')
  if (wanted === undefined || !/^(?:\/|[A-Za-z]:\/)/.test(wanted)) return { source: undefined, pattern: path }
  const slashed = (source: Source): string => source.origin.replaceAll('\\', '/')
  const [nearest] = projects
    .filter((source) => `${wanted}/`.startsWith(`${slashed(source)}/`))
    .sort((a, b) => b.origin.length - a.origin.length)
  if (nearest === undefined) return { source: undefined, pattern: path }
  const rest = withoutSlashes(wanted.slice(slashed(nearest).length))
  return { source: nearest, pattern: rest === '' ? undefined : rest }
}

/** Alternative names of indexed languages. */
const OTHER_NAMES: ReadonlyMap<string, string> = new Map([
  ['ts', 'typescript'],
  ['js', 'javascript'],
  ['py', 'python'],
  ['rs', 'rust'],
  ['golang', 'go'],
  ['rb', 'ruby'],
  ['c++', 'cpp'],
  ['cs', 'csharp'],
  ['c#', 'csharp'],
  ['sh', 'bash'],
  ['shell', 'bash'],
  ['md', 'markdown'],
])

function languageOf(name: string): string {
  const wanted = name.trim().toLowerCase()
  const language = OTHER_NAMES.get(wanted) ?? wanted
  if (!LANGUAGES.includes(language)) throw new MemoryError('invalid_input', `Invalid language: must be one of ${LANGUAGES.join(', ')}`)
  return language
}

async function withPassages(env: Environment, best: readonly RankedCode[], lines: LiteralLines): Promise<readonly CodeHit[]> {
  const rids = new Set(best.flatMap((hit) => (hit.via === null ? [hit.rid] : [hit.rid, hit.via.rid])))
  const passages = new Map((await env.code.passages([...rids])).map((placed) => [placed.rid, placed.passage]))
  return best.flatMap((hit) => {
    const passage = passages.get(hit.rid)
    if (passage === undefined) return []
    const lifting = hit.via === null ? undefined : passages.get(hit.via.rid)
    const via = hit.via === null || lifting === undefined ? null : { passage: lifting.id, name: hit.via.name }
    return [
      {
        rid: hit.rid,
        score: hit.score,
        vector: hit.vector,
        lexical: hit.lexical,
        graph: hit.graph,
        cosine: hit.cosine ?? hit.rough,
        passage: withoutBlankEnd(passage),
        line: passage.startLine + (lines.get(hit.rid) ?? definitionLine(passage)),
        via,
      },
    ]
  })
}

const WALK_SEEDS = 20
const MAX_WEIGHED = 50

/** Code results of `recall`: the same search with the walk over code links as an additional signal. */
export async function recallCode(
  env: Environment,
  query: CodeSearchQuery,
  weights: Weights | null,
): Promise<CodeAnswer & { readonly nodes: number }> {
  const weighed =
    weights === null
      ? query
      : { ...query, limit: Math.max(query.limit, MAX_WEIGHED), recipe: withWeights(env.settings.codeRecipe, weights) }
  const { results: near, degraded } = await searchCode(env, weighed)
  const found = hasWordCharacters(query.text) ? near : near.filter(({ lexical }) => lexical > 0)
  const top = found[0]?.score ?? 0
  const seeds = found.slice(0, WALK_SEEDS).map((hit): [number, number] => [hit.rid, top > 0 ? hit.score / top : 0])
  const walk = weights?.ppr === 0 ? { scores: new Map<number, number>(), nodes: 0 } : await walkCode(env, new Map(seeds))
  const results = found.map((hit) => {
    const share = walk.scores.get(hit.rid) ?? 0
    const graph = Math.max(hit.graph, share)
    return weights === null
      ? { ...hit, graph }
      : { ...hit, graph, score: weights.vector * hit.vector + weights.bm25 * hit.lexical + weights.ppr * share }
  })
  return { results: results.sort((a, b) => b.score - a.score || a.rid - b.rid).slice(0, query.limit), degraded, nodes: walk.nodes }
}

/** With weights of the caller, the tuned additions to the order do not apply. */
function withWeights(recipe: CodeRecipe, { vector, bm25 }: Weights): CodeRecipe {
  const dense = vector + bm25 === 0 ? 0.5 : vector / (vector + bm25)
  return {
    ...recipe,
    denseWeight: dense,
    roughWeight: dense,
    nameBoost: 0,
    linkGain: 0,
    copyShare: 1,
    roles: EQUAL_ROLES,
    literals: { ...recipe.literals, candidates: 0 },
  }
}
