import { CODE_ROLES, type CodeRecipe, type CodeRole } from './recipe.js'

const TEST_FILE =
  /(?:^|\/)(?:tests?|__tests__|specs?|e2e)\/|[._-](?:test|spec)\.[^/]+$|(?:^|\/)test_[^/]+$|(?:Test|Tests|Spec)\.(?:java|cs|kt|php)$/
const DECLARATION_FILE = /\.d\.[cm]?ts$|\.pyi$/
const PROSE_FILE = /\.(?:md|mdx|markdown|rst|txt|adoc)$|(?:^|\/)(?:LICEN[CS]E|NOTICE|CHANGELOG|README)[^/]*$/

/** Words of a query that ask for a role. */
const ROLE_WORDS: readonly (readonly [RegExp, readonly CodeRole[]])[] = [
  [/\b(?:tests?|testing|tested|specs?|mocks?|fixtures?|asserts?|assertions?)\b/i, ['test']],
  [
    /\b(?:interfaces?|typings?|typedefs?|type (?:alias(?:es)?|definitions?|declarations?)|types for|declarations?|d\.ts)\b/i,
    ['declarations', 'type'],
  ],
  [/\b(?:docs?|documentation|documented|readme|guides?|changelog|licen[cs]e|tutorials?)\b/i, ['prose']],
  [/\b(?:exports?|exported|re-?exports?|re-?exported|imports?|imported|index files?|barrel)\b/i, ['reExport', 'plain']],
  [/\b(?:class|classes|structs?|enums?|constants?|traits?)\b/i, ['definition', 'type']],
]

export const isTestFile = (path: string): boolean => TEST_FILE.test(path)

/** The role of a passage as far as its file and kind show it. */
export function roleOf({ file, kind }: { readonly file: string; readonly kind: string }): CodeRole {
  if (isTestFile(file)) return 'test'
  if (DECLARATION_FILE.test(file)) return 'declarations'
  if (PROSE_FILE.test(file)) return 'prose'
  if (kind === 'module') return 'plain'
  return kind === 'function' || kind === 'impl' ? 'function' : 'definition'
}

const RE_EXPORT_LINE =
  /^\s*(?:import\b|from\s+\S+\s+import\b|export\s*(?:\*|type\s*\{|\{)|export\s+default\s+[\w.]+;?$|(?:module\.)?exports[\w.]*\s*=\s*(?:require\(|[\w.]+;?$|\{$)|(?:const|let|var)\s+[\w{}, :]+\s*=\s*require\(|pub\s+use\b|use\s+[\w:{}, ]+;$|[\w$]+,?$|[})\]];?,?$)/
const TYPE_OPENING = /^\s*(?:export\s+)?(?:default\s+)?(?:declare\s+)?(?:interface|type)\s+[\w$]+/
const COMMENT_LINE = /^\s*(?:\/\/|\/?\*|#|$)/
const LOOKED_AT_LINES = 200
const LINE_CHARS = 300

/** The role of a passage as its text shows it; undefined if it shows none. */
export function roleOfText(text: string): Extract<CodeRole, 'reExport' | 'type'> | undefined {
  const lines = text
    .split('\n', LOOKED_AT_LINES)
    .map((line) => line.slice(0, LINE_CHARS))
    .filter((line) => !COMMENT_LINE.test(line))
  if (lines.length === 0) return undefined
  if (TYPE_OPENING.test(lines[0] ?? '')) return 'type'
  return lines.every((line) => RE_EXPORT_LINE.test(line)) ? 'reExport' : undefined
}

export const EQUAL_ROLES = Object.fromEntries(CODE_ROLES.map((role) => [role, 1])) as Record<CodeRole, number>

/** The recipe without factors for roles that the query asks for. */
export function forQuery(recipe: CodeRecipe, query: string): CodeRecipe {
  const text = query.replaceAll('_', ' ')
  const requested = new Set(ROLE_WORDS.flatMap(([words, roles]) => (words.test(text) ? roles : [])))
  if (requested.size === 0) return recipe
  const roles = Object.fromEntries(CODE_ROLES.map((role) => [role, requested.has(role) ? 1 : recipe.roles[role]])) as Record<
    CodeRole,
    number
  >
  return { ...recipe, roles }
}
