import { STOP_WORDS } from '../../text/text.js'

interface SynonymRule {
  /** Words that select the rule, in several languages. */
  readonly triggers: readonly string[]
  readonly types: readonly string[]
  readonly kinds?: readonly string[]
  readonly statuses?: readonly string[]
}

const RULES: readonly SynonymRule[] = [
  {
    triggers: ['待办', '待办项', '任务', 'todo', 'to-do', 'task', 'tasks', 'work_item'],
    types: ['work_item'],
    statuses: ['open', 'in_progress', 'blocked', 'pending'],
  },
  { triggers: ['决策', 'decision', 'decisions'], types: ['knowledge'], kinds: ['decision'] },
  { triggers: ['偏好', 'preference', 'preferences'], types: ['knowledge'], kinds: ['preference'] },
  { triggers: ['流程', 'procedure', 'procedures'], types: ['knowledge'], kinds: ['procedure'] },
  { triggers: ['证据', 'evidence', 'source', 'sources'], types: ['source', 'knowledge'] },
  {
    triggers: ['架构', '源码', '代码', 'architecture', 'codebase', 'repo', 'repository', 'module', 'modules'],
    types: ['source', 'node'],
  },
]

/** Kinds that a query probably requests. They raise matching objects and exclude none. */
interface InferredFilters {
  readonly types: readonly string[]
  readonly kinds: readonly string[]
  readonly statuses: readonly string[]
}

export interface QueryPlan {
  /** The whole query, its words, character pairs, and the words of matching rules. */
  readonly normalizedTerms: readonly string[]
  /** Units of scoring: the query's own words, with character pairs instead of longer runs without spaces. */
  readonly tokens: readonly string[]
  readonly inferred: InferredFilters | null
  /** True if the query contains only words that ask for a kind of object. */
  readonly asksForKindAlone: boolean
}

const CJK = '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}'
const CJK_RUN = new RegExp(`[${CJK}]+`, 'gu')
/** Ids, paths and identifiers are one word. */
const TOKEN = new RegExp(`[${CJK}]+|(?:(?![${CJK}])[\\p{L}\\p{N}_])(?:(?:(?![${CJK}])[\\p{L}\\p{N}_])|[-:./#](?=[\\p{L}\\p{N}_]))*`, 'gu')
const MIN_TOKEN = 2
const MAX_TOKENS = 64
/** Words that precede the object of a request. */
const ASKING_WORDS = new Set('list show find which what all open my our any current recent 列出 有哪些 哪些'.split(' '))

/** Character pairs of longer runs, so that parts of words match in scripts without spaces. */
const pairs = (text: string): readonly string[] =>
  (text.match(CJK_RUN) ?? []).flatMap((run) => {
    const characters = [...run]
    return characters.length <= 2 ? [] : characters.slice(1).map((character, index) => `${characters[index]}${character}`)
  })

export function planQuery(text: string): QueryPlan {
  const whole = text.toLowerCase()
  const spoken = whole.match(TOKEN) ?? []
  const tokens = [...new Set(spoken)].filter((token) => token.length >= MIN_TOKEN && !STOP_WORDS.has(token)).slice(0, MAX_TOKENS)
  const met = RULES.filter((rule) => asksFor(rule, tokens, spoken))
  const triggers = new Set(met.flatMap((rule) => rule.triggers))
  const merge = (field: 'types' | 'kinds' | 'statuses'): readonly string[] => [...new Set(met.flatMap((rule) => rule[field] ?? []))]
  return {
    normalizedTerms: [...new Set([whole, ...tokens, ...pairs(whole), ...triggers])].filter((term) => term !== ''),
    tokens: [...new Set(tokens.flatMap((token) => (pairs(token).length > 0 ? pairs(token) : [token])))],
    inferred: met.length === 0 ? null : { types: merge('types'), kinds: merge('kinds'), statuses: merge('statuses') },
    asksForKindAlone: met.length > 0 && tokens.every((token) => triggers.has(token) || ASKING_WORDS.has(token)),
  }
}

/** True if a word of the rule is the topic of the query: alone, first or last, or after a word of a request. */
function asksFor({ triggers }: SynonymRule, tokens: readonly string[], spoken: readonly string[]): boolean {
  return triggers.some((trigger) => {
    if (/^\P{ASCII}/u.test(trigger)) return spoken.some((token) => token.includes(trigger))
    const offset = tokens.indexOf(trigger)
    return offset >= 0 && (offset === 0 || offset === tokens.length - 1 || spoken.some((word) => ASKING_WORDS.has(word)))
  })
}
