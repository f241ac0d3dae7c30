/** Words that carry no meaning for matching; used on the question side only. */
export const stopWords: ReadonlySet<string> = new Set(
  (
    'a about all also am an and any are as at be because been being but by can could did do does for from had has have he her him his ' +
    'how i if in into is it its just me my no not of on or our she so some than that the their them then there these they this those ' +
    'to up us was we were what when where which who whom whose why will with would you your'
  ).split(' '),
)

const connectors = new Set(['of', 'the', 'de', 'van', 'von', 'and', 'for'])
const wordPattern = /[\p{L}\p{N}]+(?:['’][\p{L}]+)?/gu

export function words(text: string): string[] {
  return (text.toLowerCase().match(wordPattern) ?? []).map((word) => word.replace(/['’]s$/, ''))
}

/** The name by which a title is mentioned elsewhere: without a bracketed part, in lower case. */
export function subjectKey(title: string): string | null {
  const key = words(title.replace(/\s*\([^)]*\)/g, ' ')).join(' ')
  return key.length > 0 ? key : null
}

/** Runs of capitalised words, as keys. Single words that only open a sentence are kept: hub limits deal with them. */
export function properNames(text: string): string[] {
  const found: string[] = []
  let run: string[] = []
  let pending: string[] = []
  let end = 0
  const flush = () => {
    while (run.length > 0 && stopWords.has(run[0] ?? '')) run.shift()
    if (run.length > 0 && run.join('').length > 1) found.push(run.join(' '))
    run = []
    pending = []
  }
  for (const match of text.matchAll(wordPattern)) {
    const raw = match[0]
    const gap = text.slice(end, match.index)
    end = match.index + raw.length
    if (!/^[\s\-&]*$/.test(gap)) flush()
    const key = raw.toLowerCase().replace(/['’]s$/, '')
    if (/^\p{Lu}/u.test(raw) || (run.length > 0 && /^\p{N}+$/u.test(raw))) {
      run.push(...pending, key)
      pending = []
    } else if (run.length > 0 && connectors.has(key)) {
      pending.push(key)
    } else flush()
    if (/['’]s$/.test(raw)) flush()
  }
  flush()
  return found
}

interface TrieNode {
  readonly next: Map<string, TrieNode>
  key: string | null
}

export interface NameTrie {
  add(key: string): void
  /** Known names in the words, longest match first, without overlaps. */
  find(inWords: readonly string[]): string[]
}

export function createNameTrie(longest = 7): NameTrie {
  const root: TrieNode = { next: new Map(), key: null }
  return {
    add(key) {
      const parts = key.split(' ')
      if (parts.length > longest) return
      let node = root
      for (const part of parts) {
        let child = node.next.get(part)
        if (!child) {
          child = { next: new Map(), key: null }
          node.next.set(part, child)
        }
        node = child
      }
      node.key = key
    },
    find(inWords) {
      const found: string[] = []
      let start = 0
      while (start < inWords.length) {
        let node: TrieNode | undefined = root
        let best: string | null = null
        let bestEnd = start + 1
        for (let at = start; at < inWords.length && node; at += 1) {
          node = node.next.get(inWords[at] ?? '')
          if (node?.key) {
            best = node.key
            bestEnd = at + 1
          }
        }
        if (best !== null) found.push(best)
        start = bestEnd
      }
      return found
    },
  }
}
