/** The beginning of a JSON text: keys near the top, whether the text is complete or not. */
interface JsonOutline {
  readonly root: 'array' | 'object'
  /** Keys of the object at the top, or of the first object in the array at the top. */
  readonly keys: ReadonlySet<string>
  /** Keys of objects under those keys, or of the first object of arrays under them. */
  readonly below: ReadonlyMap<string, ReadonlySet<string>>
  /** Texts of short scalars under the keys. */
  readonly scalars: ReadonlyMap<string, string>
}

const MAX_SCALAR_CHARS = 200

/** Outlines the first characters of a document; undefined when they do not begin like JSON. */
export function outlineJson(text: string): JsonOutline | undefined {
  const start = text.search(/\S/)
  const first = text[start]
  if (first !== '[' && first !== '{') return undefined
  const keys = new Set<string>()
  const below = new Map<string, Set<string>>()
  const scalars = new Map<string, string>()
  /** Containers that are open: whether each is an object, and the key last read in it. */
  const open: { readonly isObject: boolean; key: string; expectsKey: boolean; objects: number }[] = []
  const base = first === '[' ? 1 : 0
  let at = start
  while (at < text.length) {
    const char = text[at] ?? ''
    const top = open[open.length - 1]
    if (char === '{' || char === '[') {
      if (top !== undefined) top.objects++
      open.push({ isObject: char === '{', key: '', expectsKey: char === '{', objects: 0 })
      at++
    } else if (char === '}' || char === ']') {
      if (top === undefined || top.isObject !== (char === '}')) return undefined
      open.pop()
      if (open.length === 0) break
      at++
    } else if (char === '"') {
      const end = endOfString(text, at)
      const value = end === undefined ? undefined : unquote(text.slice(at, end))
      if (end !== undefined && value === undefined) return undefined
      if (value === undefined || end === undefined) break
      if (top?.isObject === true && top.expectsKey) {
        top.key = value
        top.expectsKey = false
        note(value)
      } else scalar(value)
      at = end
    } else if (char === ',') {
      if (top !== undefined) top.expectsKey = top.isObject
      at++
    } else if (char === ':' || /\s/.test(char)) at++
    else {
      const word = /^[^\s,\]}:"[{]+/.exec(text.slice(at, at + 60))?.[0] ?? ''
      if (!/^(?:-?\d[\d.eE+-]*|true|false|null|-?Infinity|NaN)$/.test(word) && at + 60 < text.length) return undefined
      scalar(word)
      at += Math.max(1, word.length)
    }
  }
  return { root: first === '[' ? 'array' : 'object', keys, below, scalars }

  function note(key: string): void {
    if (open.length === base + 1 && (base === 0 || open[0]?.objects === 1)) keys.add(key)
    const parent = open[base]
    const inner =
      open.length === base + 2 || (open.length === base + 3 && open[base + 1]?.isObject === false && open[base + 1]?.objects === 1)
    if (parent?.isObject === true && inner) {
      const known = below.get(parent.key) ?? new Set()
      below.set(parent.key, known.add(key))
    }
  }

  function scalar(value: string): void {
    const parent = open[base]
    if (open.length === base + 1 && parent?.isObject === true && !scalars.has(parent.key))
      scalars.set(parent.key, value.slice(0, MAX_SCALAR_CHARS))
  }
}

/** The index after the closing quote; undefined when the text ends before it. */
function endOfString(text: string, start: number): number | undefined {
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === '\\') at++
    else if (text[at] === '"') return at + 1
  }
  return undefined
}

function unquote(text: string): string | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'string' ? value : undefined
  } catch {
    return undefined
  }
}

/** Whether all of these keys are among those of the outline. */
export const hasKeys = (outline: JsonOutline | undefined, ...keys: readonly string[]): outline is JsonOutline =>
  outline !== undefined && keys.every((key) => outline.keys.has(key))

/** Objects of the first lines that are JSON, for formats of one object per line. */
export function firstObjects(head: string, whole: boolean, most = 20): readonly Readonly<Record<string, unknown>>[] {
  const lines = head.split('\n')
  if (!whole) lines.pop()
  const found: Record<string, unknown>[] = []
  for (const line of lines.slice(0, 200)) {
    if (found.length >= most) break
    const plain = line.trim()
    if (!plain.startsWith('{')) continue
    try {
      const value: unknown = JSON.parse(plain)
      if (typeof value === 'object' && value !== null && !Array.isArray(value)) found.push({ ...value })
    } catch {
      // Damaged lines are named when the file is read.
    }
  }
  return found
}

/** Like `firstObjects`; of a first line longer than the head, the keys with their short values that come before its end. */
export function firstRows(head: string, whole: boolean, most = 20): readonly Readonly<Record<string, unknown>>[] {
  const found = firstObjects(head, whole, most)
  if (found.length > 0 || whole || head.trimStart().includes('\n')) return found
  const outline = outlineJson(head)
  return outline?.root === 'object' ? [Object.fromEntries([...outline.keys].map((key) => [key, outline.scalars.get(key) ?? null]))] : []
}
