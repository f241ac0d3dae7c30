import type { Memory } from './memories.js'
import type { MemoryClient } from './memory-client.js'

/** A JSON value stored under a key, with the text by which it is found. */
export interface StoredDocument {
  readonly key: string
  readonly value: unknown
  readonly text: string
  /** False where it is found by its key alone. */
  readonly searchable: boolean
  readonly createdAt: Date
  readonly updatedAt: Date
  readonly version: number
}

export interface FoundDocument extends StoredDocument {
  readonly score: number
}

/** Documents of one owner by key: what stores and files of agent frameworks need. */
export interface Documents {
  get(key: string): Promise<StoredDocument | undefined>
  /** Stores or replaces. Without a text it is found by its key alone. */
  put(key: string, value: unknown, text?: string): Promise<void>
  delete(key: string): Promise<boolean>
  list(): AsyncIterableIterator<StoredDocument>
  /** The documents that answer a question, best first. */
  search(question: string, limit: number): Promise<readonly FoundDocument[]>
}

const FIELD = 'document'
const MOST_FOUND = 50

export function openDocuments(memory: MemoryClient, { owner }: { readonly owner: string }): Documents {
  const find = async (key: string): Promise<Memory | undefined> => {
    const mark = await markOf(key)
    const found = await memory.search(mark, { owner, by: 'words', limit: 5 })
    const memories = await Promise.all(found.map(({ id }) => memory.get(id, { owner })))
    return memories.filter((one) => one !== undefined && keyOf(one) === key).toSorted((a, b) => (b?.version ?? 0) - (a?.version ?? 0))[0]
  }
  return {
    async get(key) {
      const found = await find(key)
      return found === undefined ? undefined : toDocument(found)
    },
    async put(key, value, text) {
      const mark = await markOf(key)
      const searchable = text !== undefined && text.trim() !== ''
      const now = new Date().toISOString()
      const found = await find(key)
      const createdAt = found === undefined ? now : (toDocument(found)?.createdAt.toISOString() ?? now)
      const metadata = { title: mark, [FIELD]: { key, value, searchable, createdAt, updatedAt: now } }
      const content = searchable ? text : mark
      if (found === undefined) await memory.add(content, { owner, metadata })
      else await memory.update(found.id, { owner, text: content, metadata })
    },
    async delete(key) {
      const found = await find(key)
      return found !== undefined && memory.delete(found.id, { owner })
    },
    async *list() {
      for await (const one of memory.list({ owner })) {
        const document = toDocument(one)
        if (document !== undefined && !one.stale) yield document
      }
    },
    async search(question, limit) {
      const { results } = await memory.recall(question, { owner, limit: Math.min(limit, MOST_FOUND) })
      const found = await Promise.all(
        results.map(async ({ id, score }) => {
          const one = await memory.get(id, { owner })
          const document = one === undefined ? undefined : toDocument(one)
          return document?.searchable === true ? [{ ...document, score }] : []
        }),
      )
      return found.flat()
    },
  }
}

type Row = Readonly<Record<string, unknown>>

const isRow = (value: unknown): value is Row => typeof value === 'object' && value !== null && !Array.isArray(value)

function keyOf({ metadata }: Memory): string | undefined {
  const kept = metadata[FIELD]
  return isRow(kept) && typeof kept.key === 'string' ? kept.key : undefined
}

function toDocument(memory: Memory): StoredDocument | undefined {
  const kept = memory.metadata[FIELD]
  if (!isRow(kept) || typeof kept.key !== 'string') return undefined
  return {
    key: kept.key,
    value: kept.value,
    text: memory.text,
    searchable: kept.searchable === true,
    createdAt: new Date(String(kept.createdAt)),
    updatedAt: new Date(String(kept.updatedAt)),
    version: memory.version,
  }
}

const LETTERS = 'abcdefghijklmnopqrstuvwxyz'
const MARK_LETTERS = 24

/** One word that identifies a key: letters only, so that no index splits it. */
async function markOf(key: string): Promise<string> {
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(key)))
  return `q${[...hash.slice(0, MARK_LETTERS)].map((byte) => LETTERS[byte % LETTERS.length]).join('')}q`
}
