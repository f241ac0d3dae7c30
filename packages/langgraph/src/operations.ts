import { type Documents, type MemoryClient, openDocuments } from 'mneme/client'
import { matchesFilter } from './filter.js'
import { textAtPaths } from './paths.js'

export type Value = Record<string, unknown>

export interface StoredItem {
  value: Value
  key: string
  namespace: string[]
  createdAt: Date
  updatedAt: Date
}

export interface FoundItem extends StoredItem {
  score?: number
}

interface Get {
  readonly namespace: readonly string[]
  readonly key: string
}
interface Put extends Get {
  readonly value: Value | null
  readonly index?: false | readonly string[] | undefined
}
interface Search {
  readonly namespacePrefix: readonly string[]
  readonly filter?: Value | undefined
  readonly limit?: number | undefined
  readonly offset?: number | undefined
  readonly query?: string | undefined
}
interface ListNamespaces {
  readonly matchConditions?: readonly { readonly matchType: 'prefix' | 'suffix'; readonly path: readonly string[] }[] | undefined
  readonly maxDepth?: number | undefined
  readonly limit: number
  readonly offset: number
}
export type StoreOperation = Get | Put | Search | ListNamespaces

export interface StoreOptions {
  /** The owner of all items; `langgraph` unless given. */
  readonly owner?: string
}

const SEPARATOR = '\u001f'
const MOST_FOUND = 50

/** The operations of a LangGraph store over one owner of a memory. */
export function createOperations(memory: MemoryClient, { owner = 'langgraph' }: StoreOptions = {}) {
  const documents = openDocuments(memory, { owner })
  /** Results in the order of the operations; of several puts of one key the last one counts; reads see what was before. */
  return async (operations: readonly StoreOperation[]): Promise<unknown[]> => {
    const results = await Promise.all(
      operations.map((operation) => {
        if ('value' in operation) return null
        if ('namespacePrefix' in operation) return search(documents, operation)
        return 'key' in operation ? get(documents, operation) : listNamespaces(documents, operation)
      }),
    )
    const puts = new Map(operations.flatMap((one) => ('value' in one ? [[address(one), one] as const] : [])))
    for (const put of puts.values()) await store(documents, put)
    return results
  }
}

const address = ({ namespace, key }: Get): string => [...namespace, key].join(SEPARATOR)

async function get(documents: Documents, asked: Get): Promise<StoredItem | null> {
  const found = await documents.get(address(asked))
  return found === undefined ? null : toItem(found)
}

async function store(documents: Documents, put: Put): Promise<void> {
  if (put.value === null) await documents.delete(address(put))
  else await documents.put(address(put), put.value, put.index === false ? undefined : textAtPaths(put.value, put.index ?? ['$']))
}

function toItem({ key, value, createdAt, updatedAt }: { key: string; value: unknown; createdAt: Date; updatedAt: Date }): StoredItem {
  const labels = key.split(SEPARATOR)
  return { namespace: labels.slice(0, -1), key: labels.at(-1) ?? '', value: isValue(value) ? value : {}, createdAt, updatedAt }
}

const isValue = (value: unknown): value is Value => typeof value === 'object' && value !== null && !Array.isArray(value)

const isBelow = (namespace: readonly string[], prefix: readonly string[]): boolean =>
  prefix.every((label, index) => namespace[index] === label)

async function search(documents: Documents, { namespacePrefix, filter = {}, limit = 10, offset = 0, query }: Search): Promise<FoundItem[]> {
  const fits = (item: StoredItem): boolean => isBelow(item.namespace, namespacePrefix) && matchesFilter(item.value, filter)
  if (query !== undefined && query !== '') {
    const found = await documents.search(query, MOST_FOUND)
    return found
      .map((one) => ({ ...toItem(one), score: one.score }))
      .filter(fits)
      .slice(offset, offset + limit)
  }
  const items: StoredItem[] = []
  for await (const one of documents.list()) {
    const item = toItem(one)
    if (fits(item)) items.push(item)
  }
  return items.slice(offset, offset + limit)
}

async function listNamespaces(
  documents: Documents,
  { matchConditions = [], maxDepth, limit, offset }: ListNamespaces,
): Promise<string[][]> {
  const found = new Map<string, string[]>()
  for await (const one of documents.list()) {
    const { namespace } = toItem(one)
    if (!matchConditions.every(({ matchType, path }) => matchesPath(namespace, matchType, path))) continue
    const cut = maxDepth === undefined ? namespace : namespace.slice(0, maxDepth)
    found.set(cut.join(SEPARATOR), cut)
  }
  const sorted = [...found.entries()].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, namespace]) => namespace)
  return sorted.slice(offset, offset + limit)
}

function matchesPath(namespace: readonly string[], matchType: 'prefix' | 'suffix', path: readonly string[]): boolean {
  if (path.length > namespace.length) return false
  const part = matchType === 'prefix' ? namespace.slice(0, path.length) : namespace.slice(namespace.length - path.length)
  return path.every((label, index) => label === '*' || label === part[index])
}
