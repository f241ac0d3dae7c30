import type { SourceFile } from './rules.js'

/** Words of the private language that docs/vocabulary.md replaces. */
const BANNED = /\b(?:whoever|nobody|anew|so many|told|beside|stands|dear)\b/i

/** Published texts and data that contain such a word: the path and a part of the string. Empty for comments. */
const ALLOWED_STRINGS: readonly (readonly [path: string, part: string])[] = [
  ['test/architecture', ''],
  ['src/contracts/memory/recall.ts', 'nothing stands out as an answer'],
  ['test/recall/bad-input.test.ts', 'nothing stands out as an answer'],
  ['test/docs/examples.test.ts', 'You told me: '],
]

/** Folders whose wording is not revised yet. Entries are only ever removed. */
const PENDING: readonly string[] = [
  ...['access', 'federation', 'hooks', 'recall', 'secrets'].map((topic) => `src/core/${topic}/`),
  ...['clients', 'config', 'contracts', 'engine', 'open', 'surfaces'].map((layer) => `src/${layer}/`),
  ...['src/config.ts', 'src/config.test.ts'],
  ...['clients', 'console', 'hooks', 'http-access', 'surfaces'].map((capability) => `test/${capability}/`),
]

const TOKEN =
  /(?<comment>\/\/[^\n]*|\/\*[\s\S]*?\*\/)|(?<string>'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\[\s\S]|[^`\\])*`)|(?<=(?:[(,=:[!&|?{};\n]|\breturn)\s*)\/(?![/*])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])+\/[a-z]*/g

/** One line for each banned word in a comment or string. Code between backticks counts as a string. */
export function findWording(files: readonly SourceFile[]): string[] {
  const revised = files.filter(({ path }) => !PENDING.some((folder) => path.startsWith(folder)))
  return revised.flatMap(({ path, text }) =>
    [...text.matchAll(TOKEN)].flatMap(({ groups, index }) => {
      const { comment, string } = groups ?? {}
      const found = BANNED.exec(comment ?? string ?? '')
      if (found === null || isAllowed(path, string)) return []
      const line = text.slice(0, index + found.index).split('\n').length
      return [`${path}:${line}: "${found[0]}" in a ${comment === undefined ? 'string' : 'comment'}; see docs/vocabulary.md`]
    }),
  )
}

const isAllowed = (path: string, string: string | undefined): boolean =>
  string !== undefined && ALLOWED_STRINGS.some(([place, part]) => path.startsWith(place) && string.includes(part))
