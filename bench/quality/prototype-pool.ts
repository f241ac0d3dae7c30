import Database from 'better-sqlite3'
import { createNameTrie, type NameTrie, properNames, stopWords, subjectKey, words } from './names.js'
import type { EvalMemory, EvalQuestion, EvalSet } from './sets.js'
import type { VectorCache } from './vectors.js'

/** Everything the in-memory ranking needs about one pool. */
export interface Pool {
  readonly memories: readonly EvalMemory[]
  readonly positions: ReadonlyMap<string, number>
  readonly vectors: readonly Float32Array[]
  readonly subjects: readonly (string | null)[]
  readonly subjectHolders: ReadonlyMap<string, readonly number[]>
  readonly mentions: readonly ReadonlySet<string>[]
  readonly postings: ReadonlyMap<string, readonly number[]>
  readonly subjectTrie: NameTrie
  readonly authors: ReadonlyMap<string, string>
  lexical(query: string, weights: readonly number[], column?: string): Float32Array
}

/** Both scores of every memory of the pool for one question. */
export interface Scored {
  readonly question: EvalQuestion
  readonly queryVector: Float32Array
  readonly cosine: Float32Array
  readonly lexical: Float32Array
  readonly allowed: Uint8Array
}

export interface Window {
  readonly near: readonly number[]
  readonly far: readonly number[]
}

export const findingsWindow: Window = { near: [-1], far: [-2, -3, 1, 2] }

export function embeddedText(memory: EvalMemory, code: boolean): string {
  if (code) return splitIdentifiers(memory.content)
  if (memory.title !== null) return `${memory.title}\n${memory.content}`
  return memory.author === null ? memory.content : `${memory.author}: ${memory.content}`
}

export function splitIdentifiers(text: string): string {
  return text
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1 $2')
    .replace(/_+/g, ' ')
}

function neighbours(memories: readonly EvalMemory[], window: Window): { near: string; far: string }[] {
  const sessions = new Map<string, number[]>()
  memories.forEach((memory, index) => {
    if (memory.session === null) return
    const list = sessions.get(memory.session)
    if (list) list.push(index)
    else sessions.set(memory.session, [index])
  })
  const columns = memories.map(() => ({ near: '', far: '' }))
  for (const list of sessions.values()) {
    list.forEach((index, place) => {
      const gather = (offsets: readonly number[]) =>
        offsets
          .map((offset) => memories[list[place + offset] ?? -1]?.content)
          .filter((text) => text !== undefined)
          .join('\n')
      columns[index] = { near: gather(window.near), far: gather(window.far) }
    })
  }
  return columns
}

export function matchExpression(query: string): string | null {
  const terms = new Set(words(query).filter((word) => !stopWords.has(word)))
  return terms.size === 0 ? null : [...terms].map((term) => `"${term.replaceAll('"', '')}"`).join(' OR ')
}

function openLexical(memories: readonly EvalMemory[], window: Window, code: boolean) {
  const db = new Database(':memory:')
  db.exec("create virtual table f using fts5(title, body, near, far, tokenize = 'porter unicode61')")
  const insert = db.prepare('insert into f(rowid, title, body, near, far) values (?, ?, ?, ?, ?)')
  const columns = neighbours(memories, window)
  db.transaction(() => {
    memories.forEach((memory, index) => {
      const front = [memory.date, memory.author === null ? null : `${memory.author}:`].filter((part) => part !== null).join(' ')
      const text = code ? `${memory.content}\n${splitIdentifiers(memory.content)}` : memory.content
      insert.run(index, memory.title ?? '', front === '' ? text : `${front} ${text}`, columns[index]?.near ?? '', columns[index]?.far ?? '')
    })
  })()
  const select = db.prepare<[number, number, number, number, string], { rowid: number; score: number }>(
    'select rowid, -bm25(f, ?, ?, ?, ?) as score from f where f match ?',
  )
  return (query: string, weights: readonly number[], column?: string): Float32Array => {
    const scores = new Float32Array(memories.length)
    const expression = matchExpression(query)
    if (expression === null) return scores
    const [title = 3, body = 1, near = 0.5, far = 0.3] = weights
    const limited = column ? `${column} : (${expression})` : expression
    for (const row of select.iterate(title, body, near, far, limited)) scores[row.rowid] = row.score
    return scores
  }
}

export async function openPool(
  memories: readonly EvalMemory[],
  code: boolean,
  cache: VectorCache,
  window: Window = findingsWindow,
): Promise<Pool> {
  const vectors = await cache.embed(
    memories.map((memory) => embeddedText(memory, code)),
    'passage',
  )
  const subjects = memories.map((memory) => (memory.title === null ? null : subjectKey(memory.title)))
  const subjectTrie = createNameTrie()
  const holders = new Map<string, number[]>()
  subjects.forEach((key, index) => {
    if (key === null) return
    subjectTrie.add(key)
    const list = holders.get(key)
    if (list) list.push(index)
    else holders.set(key, [index])
  })
  const mentions = memories.map((memory, index) => {
    const own = subjects[index]
    const found = code ? [] : [...subjectTrie.find(words(memory.content)), ...properNames(memory.content)]
    return new Set(own ? [own, ...found] : found)
  })
  const postings = new Map<string, number[]>()
  mentions.forEach((names, index) => {
    for (const name of names) {
      const list = postings.get(name)
      if (list) list.push(index)
      else postings.set(name, [index])
    }
  })
  const authors = new Map<string, string>()
  for (const { author } of memories) {
    const first = author === null ? undefined : words(author)[0]
    if (author !== null && first) authors.set(first, author)
  }
  return {
    memories,
    positions: new Map(memories.map((memory, index) => [memory.id, index])),
    vectors,
    subjects,
    subjectHolders: holders,
    mentions,
    postings,
    subjectTrie,
    authors,
    lexical: openLexical(memories, window, code),
  }
}

export function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0
  for (let at = 0; at < a.length; at += 1) sum += (a[at] ?? 0) * (b[at] ?? 0)
  return sum
}

export const findingsColumns: readonly number[] = [3, 1, 0.5, 0.3]

export async function scoreQuestion(
  pool: Pool,
  question: EvalQuestion,
  cache: VectorCache,
  columns: readonly number[] = findingsColumns,
): Promise<Scored> {
  const [queryVector] = await cache.embed([question.query], 'query')
  if (!queryVector) throw new Error('No vector for the question')
  return {
    question,
    queryVector,
    cosine: Float32Array.from(pool.vectors, (vector) => dot(queryVector, vector)),
    lexical: pool.lexical(question.query, columns),
    allowed: Uint8Array.from(pool.memories, (memory) => (memory.sessionNo < question.before ? 1 : 0)),
  }
}

export function poolsOf(set: EvalSet): Map<string, EvalMemory[]> {
  const pools = new Map<string, EvalMemory[]>()
  for (const memory of set.memories) {
    const list = pools.get(memory.pool)
    if (list) list.push(memory)
    else pools.set(memory.pool, [memory])
  }
  return pools
}
