import type { SourceFile } from './rules.js'

/** Words of the private language that docs/vocabulary.md replaces. */
const BANNED = /\b(?:whoever|nobody|anew|so many|told|beside|stands|dear)\b/i

/** Published names and texts, and data of tests, that contain such a word: the path and a part of the string. Empty for comments. */
const ALLOWED_STRINGS: readonly (readonly [path: string, part: string])[] = [
  ['test/architecture', ''],
  ['src/contracts/memory/recall.ts', 'nothing stands out as an answer'],
  ['src/contracts/console/ask.ts', 'Nothing stands out as an answer'],
  ['test/recall/bad-input.test.ts', 'nothing stands out as an answer'],
  ['test/docs/examples.test.ts', 'You told me: '],
  ['examples/chat-loop.ts', 'You told me: '],
  ['test/hooks/', ''],
  // The name of a console operation.
  ...['console/', 'src/contracts/console/', 'test/console/', 'bench/console/'].flatMap((folder) =>
    ['told', 'Told'].map((name) => [folder, name] as const),
  ),
  // An owner, an entity and a key that do not exist.
  ...['src/surfaces/http/', 'test/http-access/'].map((folder) => [folder, 'nobody'] as const),
  // Patterns of English statements.
  ['src/core/hooks/statements.ts', ''],
  ['src/engine/edges/walk.ts', 'beside'],
]

const TOKEN =
  /(?<comment>\/\/[^\n]*|\/\*[\s\S]*?\*\/)|(?<string>'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\[\s\S]|[^`\\])*`)|(?<=(?:[(,=:[!&|?{};\n]|\breturn)\s*)\/(?![/*])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])+\/[a-z]*/g

/** One line for each banned word in a comment or string. Code between backticks counts as a string. */
export function findWording(files: readonly SourceFile[]): string[] {
  return files.flatMap(({ path, text }) =>
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
