import type { Memory } from './memories.js'
import type { MemoryClient } from './memory-client.js'

/** A JSON value stored under a key, with the text that searches match. */
export interface StoredDocument {
  readonly key: string
  readonly value: unknown
  readonly text: string
  /** False if only its key finds it. */
  readonly searchable: boolean
  readonly createdAt: Date
  readonly updatedAt: Date
  readonly version: number
}

export interface FoundDocument extends StoredDocument {
  readonly score: number
}

/** Documents of one owner by key, for stores and files of agent frameworks. */
export interface Documents {
  get(key: string): Promise<StoredDocument | undefined>
  /** Stores or replaces. Without a text, only the key finds it. */
  put(key: string, value: unknown, text?: string): Promise<void>
  delete(key: string): Promise<boolean>
  list(): AsyncIterableIterator<StoredDocument>
  /** The best matching documents, at most 50; the score is the relevance. Documents with the same text are one result. */
  search(question: string, limit: number): Promise<readonly FoundDocument[]>
}

const DOCUMENT_FIELD = 'document'
/** Largest `limit` of recall. */
const MAX_RESULTS = 50
/** Documents of one key that concurrent writers may have created. */
const MAX_COPIES = 5

export function openDocuments(memory: MemoryClient, { owner }: { readonly owner: string }): Documents {
  /** Newest first: concurrent writers may have created the same key twice. */
  const findAll = async (key: string): Promise<readonly Memory[]> => {
    const found = await memory.search(await markOf(key), { owner, by: 'words', limit: MAX_COPIES })
    const memories = await Promise.all(found.map(({ id }) => memory.get(id, { owner })))
    return memories
      .filter((stored) => stored !== undefined)
      .filter((stored) => keyOf(stored) === key)
      .toSorted((a, b) => updatedAtOf(b) - updatedAtOf(a))
  }
  return {
    async get(key) {
      const [found] = await findAll(key)
      return found === undefined ? undefined : toDocument(found)
    },
    async put(key, value, text) {
      const mark = await markOf(key)
      const searchable = text !== undefined && text.trim() !== ''
      const now = new Date().toISOString()
      const [found, ...copies] = await findAll(key)
      const createdAt = found === undefined ? now : (toDocument(found)?.createdAt.toISOString() ?? now)
      const metadata = { title: mark, [DOCUMENT_FIELD]: { key, value, searchable, createdAt, updatedAt: now } }
      const content = searchable ? text : mark
      if (found === undefined) await memory.add(content, { owner, metadata })
      else await memory.update(found.id, { owner, text: content, metadata })
      for (const { id } of copies) await memory.delete(id, { owner })
    },
    async delete(key) {
      const found = await findAll(key)
      for (const { id } of found) await memory.delete(id, { owner })
      return found.length > 0
    },
    async *list() {
      for await (const listed of memory.list({ owner })) {
        const document = toDocument(listed)
        if (document !== undefined && !listed.stale) yield document
      }
    },
    async search(question, limit) {
      const { results } = await memory.recall(question, { owner, limit: Math.min(limit, MAX_RESULTS), minRelevance: 0 })
      const found = await Promise.all(
        results.map(async ({ id, score, relevance }) => {
          const stored = await memory.get(id, { owner })
          const document = stored === undefined ? undefined : toDocument(stored)
          return document?.searchable === true ? [{ ...document, score: relevance ?? score }] : []
        }),
      )
      return found.flat()
    },
  }
}

type Row = Readonly<Record<string, unknown>>

const isRow = (value: unknown): value is Row => typeof value === 'object' && value !== null && !Array.isArray(value)

function keyOf({ metadata }: Memory): string | undefined {
  const kept = metadata[DOCUMENT_FIELD]
  return isRow(kept) && typeof kept.key === 'string' ? kept.key : undefined
}

const updatedAtOf = (memory: Memory): number => toDocument(memory)?.updatedAt.getTime() ?? 0

function toDocument(memory: Memory): StoredDocument | undefined {
  const kept = memory.metadata[DOCUMENT_FIELD]
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
