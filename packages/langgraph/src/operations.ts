import type { Documents, MemoryClient, StoredDocument } from 'mneme/client'
import { matchesFilter } from './filter.js'
import { hasPrefix, type Namespaces, openNamespaces, type StoreOptions } from './namespaces.js'
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

/** Candidates of a search, of which a filter may remove some. */
const MIN_CANDIDATES = 50

/** Operations of a LangGraph store over a memory. */
export function createOperations(memory: MemoryClient, options: StoreOptions = {}) {
  const namespaces = openNamespaces(memory, options)
  /** Results in the order of the operations. Reads see the state before the batch; the last put of a key wins. */
  return async (operations: readonly StoreOperation[]): Promise<unknown[]> => {
    const results = await Promise.all(
      operations.map((operation) => {
        if ('value' in operation) return null
        if ('namespacePrefix' in operation) return search(namespaces, operation)
        return 'key' in operation ? get(namespaces, operation) : listNamespaces(namespaces, operation)
      }),
    )
    const puts = new Map(operations.flatMap((one) => ('value' in one ? [[keyOf(one), one] as const] : [])))
    for (const put of puts.values()) await store(namespaces, put)
    return results
  }
}

const keyOf = ({ namespace, key }: Get): string => JSON.stringify([...namespace, key])

async function get(namespaces: Namespaces, asked: Get): Promise<StoredItem | null> {
  const found = await namespaces.at(asked.namespace).get(keyOf(asked))
  return found === undefined ? null : (toItem(found) ?? null)
}

async function store(namespaces: Namespaces, put: Put): Promise<void> {
  if (put.value === null) {
    await namespaces.at(put.namespace).delete(keyOf(put))
    return
  }
  const text = put.index === false ? undefined : textAtPaths(put.value, put.index ?? ['$'])
  await (await namespaces.create(put.namespace)).put(keyOf(put), put.value, text)
}

/** Undefined for documents that are not items, such as names of namespaces. */
function toItem({ key, value, createdAt, updatedAt }: StoredDocument): StoredItem | undefined {
  const labels = labelsIn(key)
  if (labels === undefined || labels.length < 2) return undefined
  return { namespace: labels.slice(0, -1), key: labels.at(-1) ?? '', value: isValue(value) ? value : {}, createdAt, updatedAt }
}

function labelsIn(key: string): readonly string[] | undefined {
  if (!key.startsWith('["')) return undefined
  try {
    const labels: unknown = JSON.parse(key)
    return Array.isArray(labels) && labels.every((label) => typeof label === 'string') ? labels : undefined
  } catch {
    return undefined
  }
}

const isValue = (value: unknown): value is Value => typeof value === 'object' && value !== null && !Array.isArray(value)

async function search(namespaces: Namespaces, asked: Search): Promise<FoundItem[]> {
  const { namespacePrefix, filter = {}, limit = 10, offset = 0, query } = asked
  const fits = (item: StoredItem): boolean => hasPrefix(item.namespace, namespacePrefix) && matchesFilter(item.value, filter)
  // An unknown operator is an error also where no item is compared.
  matchesFilter({}, filter)
  const places = await namespaces.below(namespacePrefix)
  const ranked = query === undefined || query === '' ? [] : await rankedItems(places, query, offset + limit, fits)
  if (ranked.length >= offset + limit) return ranked.slice(offset, offset + limit)
  const rest = await allItems(places, ({ searchable }) => searchable || query === undefined || query === '')
  const seen = new Set(ranked.map(keyOf))
  return [...ranked, ...rest.filter((item) => fits(item) && !seen.has(keyOf(item)))].slice(offset, offset + limit)
}

async function rankedItems(
  places: readonly Documents[],
  query: string,
  wanted: number,
  fits: (item: StoredItem) => boolean,
): Promise<FoundItem[]> {
  const found: FoundItem[] = []
  for (const place of places) {
    for (const document of await place.search(query, Math.max(wanted, MIN_CANDIDATES))) {
      const item = toItem(document)
      if (item !== undefined && fits(item)) found.push({ ...item, score: document.score })
    }
  }
  return found.toSorted((a, b) => (b.score ?? 0) - (a.score ?? 0))
}

/** Last changed first. */
async function allItems(places: readonly Documents[], included: (document: StoredDocument) => boolean): Promise<StoredItem[]> {
  const items: StoredItem[] = []
  for (const place of places) {
    for await (const document of place.list()) {
      const item = included(document) ? toItem(document) : undefined
      if (item !== undefined) items.push(item)
    }
  }
  return items.toSorted((a, b) => b.updatedAt.getTime() - a.updatedAt.getTime())
}

async function listNamespaces(
  namespaces: Namespaces,
  { matchConditions = [], maxDepth, limit, offset }: ListNamespaces,
): Promise<string[][]> {
  const found = new Map<string, string[]>()
  for (const { namespace } of await allItems(await namespaces.below([]), () => true)) {
    if (!matchConditions.every(({ matchType, path }) => matchesPath(namespace, matchType, path))) continue
    const cut = maxDepth === undefined ? namespace : namespace.slice(0, maxDepth)
    found.set(JSON.stringify(cut), cut)
  }
  const sorted = [...found.values()].toSorted(compareNamespaces)
  return sorted.slice(offset, offset + limit)
}

/** By label; a namespace precedes those below it. */
function compareNamespaces(a: readonly string[], b: readonly string[]): number {
  const index = a.findIndex((label, position) => label !== b[position])
  const [first, second] = [a[index], b[index]]
  if (first === undefined || second === undefined) return a.length - b.length
  return first < second ? -1 : 1
}

function matchesPath(namespace: readonly string[], matchType: 'prefix' | 'suffix', path: readonly string[]): boolean {
  if (matchType !== 'prefix' && matchType !== 'suffix')
    throw new Error(`Unsupported match type: ${String(matchType)}. Use prefix or suffix.`)
  if (path.length > namespace.length) return false
  const part = matchType === 'prefix' ? namespace.slice(0, path.length) : namespace.slice(namespace.length - path.length)
  return path.every((label, index) => label === '*' || label === part[index])
}
