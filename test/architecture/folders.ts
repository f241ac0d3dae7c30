import { importsOf, isTest, resolve, type SourceFile } from './rules.js'

/** A folder, or a file next to folders: files at the top of a layer serve the folders below. */
function placeOf(path: string): string {
  const parts = path.replace(/\.[jt]s$/, '').split('/')
  return parts.length <= 3 ? parts.join('/') : parts.slice(0, -1).join('/')
}

/** One line per cycle of folders that import each other, including type imports. */
export function findCycles(files: readonly SourceFile[]): string[] {
  const reaches = new Map<string, Set<string>>()
  for (const { path, text } of files) {
    if (!path.startsWith('src/') || isTest(path)) continue
    const from = placeOf(path)
    const known = reaches.get(from) ?? new Set()
    reaches.set(from, known)
    for (const specifier of importsOf(text)) {
      const to = specifier.startsWith('.') ? placeOf(resolve(path, specifier)) : from
      if (to !== from) known.add(to)
    }
  }
  const circles = new Map<string, string>()
  for (const start of reaches.keys()) {
    const circle = wayBack(start, reaches)
    if (circle !== undefined) circles.set([...circle].sort().join(), `${[...circle, start].join(' -> ')}: folders import each other`)
  }
  return [...circles.values()]
}

/** The shortest path from a folder to itself. */
function wayBack(start: string, reaches: ReadonlyMap<string, ReadonlySet<string>>): readonly string[] | undefined {
  const seen = new Set<string>()
  let ways: (readonly string[])[] = [[start]]
  while (ways.length > 0) {
    const longer: (readonly string[])[] = []
    for (const way of ways) {
      for (const next of reaches.get(way[way.length - 1] ?? '') ?? []) {
        if (next === start) return way
        if (seen.has(next)) continue
        seen.add(next)
        longer.push([...way, next])
      }
    }
    ways = longer
  }
  return undefined
}
