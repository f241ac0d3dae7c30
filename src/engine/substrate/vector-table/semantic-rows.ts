import { embedText } from '../../../core/embedding/fact-text.js'
import { sha256 } from '../../../core/encoding/hash.js'
import type { Fact } from '../../../core/facts/fact.js'
import type { Source } from '../../../core/facts/source.js'
import type { SemanticRow } from '../../../ports/derived-index.js'
import type { Page, PageCursor, PageQuery } from '../../../ports/store.js'
import type { Environment } from '../../environment.js'
import { withView } from '../../with-view.js'

const PAGE_SIZE = 500
const MAX_PASSAGES = 100_000
/** The chunk id of the object itself. */
export const OBJECT_CHUNK = 'object'

const chunkOf = (objectId: string, part: string): string => `${objectId}#${part}`

/** Digest of a fact's embedded text, whether its vector exists or not. */
const factHash = (fact: Fact): string => sha256(embedText(fact))

/** Rows of facts with vectors, and the ids of facts without. */
async function factRows(env: Environment, owner: string, facts: readonly Fact[]): Promise<EmbeddedRows> {
  const vectors = await withView(env, owner, async (view) => {
    const rids = await view.rows.ridsOf(facts.map(({ id }) => id))
    const byRid = await view.vectors.vectors([...rids.values()])
    return new Map([...rids].flatMap(([id, rid]) => [[id, byRid.get(rid)] as const]))
  })
  const rows: SemanticRow[] = []
  const waiting: string[] = []
  for (const fact of facts) {
    const vector = vectors.get(fact.id)
    if (vector === undefined) waiting.push(fact.id)
    else rows.push({ chunkId: chunkOf(fact.id, OBJECT_CHUNK), objectId: fact.id, owner, hash: factHash(fact), vector })
  }
  return { rows, waiting }
}

interface EmbeddedRows {
  readonly rows: readonly SemanticRow[]
  /** Objects with texts that have no vector yet. */
  readonly waiting: readonly string[]
}

async function* sourceRows(env: Environment, source: Source): AsyncGenerator<EmbeddedRows> {
  for (const path of (await env.code.files(source.id)).keys()) {
    const passages = await env.store.passages(source.id, { path, from: 0, limit: MAX_PASSAGES })
    const vectors = await env.code.vectors(source.id, path)
    const rows = passages.flatMap(({ id, hash }): readonly SemanticRow[] => {
      const vector = vectors.get(id)
      return vector === undefined ? [] : [{ chunkId: chunkOf(source.id, id), objectId: source.id, owner: source.owner, hash, vector }]
    })
    yield { rows, waiting: rows.length < passages.length ? [source.id] : [] }
  }
}

/** Rows of these objects of an owner. */
export async function rowsOf(env: Environment, owner: string, ids: readonly string[]): Promise<EmbeddedRows> {
  const { store } = env
  const facts = (await store.facts(ids, owner)).filter((fact) => fact.owner === owner)
  const made = [facts.length === 0 ? { rows: [], waiting: [] } : await factRows(env, owner, facts)]
  const rest = ids.filter((id) => !facts.some((fact) => fact.id === id))
  const sources = rest.length === 0 ? [] : (await store.sources(rest, owner)).filter((source) => source.owner === owner)
  for (const source of sources) for await (const part of sourceRows(env, source)) made.push(part)
  return { rows: made.flatMap(({ rows }) => rows), waiting: [...new Set(made.flatMap(({ waiting }) => waiting))] }
}

async function* everyPage<T>(owner: string, read: (query: PageQuery) => Promise<Page<T>>): AsyncGenerator<readonly T[]> {
  for (let after: PageCursor | null | undefined; after !== null; ) {
    const page: Page<T> = await read({ owner, limit: PAGE_SIZE, ...(after === undefined ? {} : { after }) })
    yield page.items
    after = page.next
  }
}

/** Every row of an owner. */
export async function* allRows(env: Environment, owner: string): AsyncGenerator<readonly SemanticRow[]> {
  const { store } = env
  for await (const facts of everyPage(owner, store.pageFacts)) yield (await factRows(env, owner, facts)).rows
  for await (const sources of everyPage(owner, store.pageSources))
    for (const source of sources) for await (const { rows } of sourceRows(env, source)) yield rows
}

/** Every expected chunk of an owner with its digest, whether it has a vector or not. */
export async function* allChunks(
  env: Environment,
  owner: string,
): AsyncGenerator<{ readonly chunkId: string; readonly objectId: string; readonly hash: string }> {
  const { store } = env
  for await (const facts of everyPage(owner, store.pageFacts))
    for (const fact of facts) yield { chunkId: chunkOf(fact.id, OBJECT_CHUNK), objectId: fact.id, hash: factHash(fact) }
  for await (const sources of everyPage(owner, store.pageSources))
    for (const source of sources)
      for (const path of (await env.code.files(source.id)).keys())
        for (const { id, hash } of await store.passages(source.id, { path, from: 0, limit: MAX_PASSAGES }))
          yield { chunkId: chunkOf(source.id, id), objectId: source.id, hash }
}
