import { type SourceFile, withoutText } from './rules.js'

const DECLARED = /^export (?:abstract )?(?:async )?(?:const|let|function\*?|class|interface|type) (\w+)/gm

/** What users of the package import. */
const PUBLISHED = ['src/library.ts', 'src/library/', 'src/client/']

const isChecked = ({ path }: SourceFile): boolean =>
  /^(?:src|console)\//.test(path) && !/\.test\.ts$/.test(path) && !PUBLISHED.some((place) => path.startsWith(place))

/** One line for each exported name that no other file contains. */
export function findUnusedExports(files: readonly SourceFile[]): string[] {
  const users = new Map<string, Set<string>>()
  for (const { path, text } of files)
    for (const [word] of text.matchAll(/\w+/g)) {
      const known = users.get(word)
      if (known === undefined) users.set(word, new Set([path]))
      else known.add(path)
    }
  return files
    .filter(isChecked)
    .flatMap(({ path, text }) =>
      [...withoutText(text, { strings: true }).matchAll(DECLARED)].flatMap(([, name = '']) =>
        (users.get(name)?.size ?? 0) > 1 ? [] : [`${path}: no other file uses ${name}`],
      ),
    )
}
