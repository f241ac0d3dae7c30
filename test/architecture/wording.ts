import type { SourceFile } from './rules.js'

/** Words of the private language that docs/vocabulary.md replaces. */
const BANNED = /\b(?:whoever|nobody|anew|so many|told|beside|stands|dear)\b/i

/** Published texts that contain such a word: the path and the string, exactly. */
export const ALLOWED_STRINGS: ReadonlySet<string> = new Set([])

const TOKEN =
  /(?<comment>\/\/[^\n]*|\/\*[\s\S]*?\*\/)|(?<string>'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\[\s\S]|[^`\\])*`)|(?<=(?:[(,=:[!&|?{};\n]|\breturn)\s*)\/(?![/*])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])+\/[a-z]*/g

/** One line for each banned word in a comment or string. Code between backticks counts as a string. */
export function findWording(files: readonly SourceFile[]): string[] {
  return files.flatMap(({ path, text }) =>
    [...text.matchAll(TOKEN)].flatMap(({ groups, index }) => {
      const { comment, string } = groups ?? {}
      const found = BANNED.exec(comment ?? string ?? '')
      if (found === null || ALLOWED_STRINGS.has(`${path}: ${string}`)) return []
      const line = text.slice(0, index + found.index).split('\n').length
      return [`${path}:${line}: "${found[0]}" in a ${comment === undefined ? 'string' : 'comment'}; see docs/vocabulary.md`]
    }),
  )
}
