import { setImmediate } from 'node:timers/promises'
import { type ConceptCandidate, type Concepts, type ConceptText, createConceptCounter } from '../../../core/concepts/candidates.js'
import { termKey } from '../../../core/concepts/terms.js'
import type { DocumentChunk } from '../../../core/evidence/chunks.js'
import { isDocument, sectionId } from '../../../core/evidence/repo-files.js'
import { PART_SIZE, partPath, segmentOf } from '../../../core/evidence/segments.js'
import type { Source } from '../../../core/facts/source.js'
import { nameWords } from '../../../core/graph/names.js'
import type { Environment } from '../../environment.js'
import { withView } from '../../with-view.js'
import { indexedFiles, sectionsOf } from '../evidence/repo-map.js'

/** Segments processed before yielding to other calls. */
const AT_ONCE = 50
/** Limit of examined segments. */
const MAX_SEGMENTS = 20_000
/** Limit of candidates compared with stored concepts; more are never shown. */
const MAX_COMPARED = 40
const PAGE_SIZE = 500

/** Terms that occur repeatedly in captured evidence and are not concepts of its owner yet. */
export async function conceptsOfSource(env: Environment, source: Source): Promise<Concepts> {
  return countConcepts(env, source.owner, textsOf(env, source))
}

/** The same over all sources of an owner. */
export async function conceptsOfOwner(env: Environment, owner: string): Promise<Concepts> {
  return countConcepts(env, owner, textsOfOwner(env, owner))
}

async function countConcepts(env: Environment, owner: string, texts: AsyncIterable<ConceptText>): Promise<Concepts> {
  const counter = createConceptCounter()
  let seen = 0
  for await (const text of texts) {
    counter.add(text)
    if (++seen % AT_ONCE === 0) await setImmediate()
    if (seen >= MAX_SEGMENTS) break
  }
  const finishing = counter.finish()
  let step = finishing.next()
  for (; step.done !== true; step = finishing.next()) await setImmediate()
  const { candidates, skipped } = step.value
  const known = await knownConcepts(env, owner, candidates.slice(0, MAX_COMPARED))
  return { candidates: candidates.filter(({ key }) => !known.has(key)), skipped }
}

async function* textsOfOwner(env: Environment, owner: string): AsyncGenerator<ConceptText> {
  const { store } = env
  let page = await store.pageSources({ owner, limit: PAGE_SIZE })
  for (;;) {
    for (const source of page.items) if (source.status === 'active') yield* textsOf(env, source)
    if (page.next === null) return
    page = await store.pageSources({ owner, limit: PAGE_SIZE, after: page.next })
  }
}

const objectsOf = (source: Source): readonly string[] => [
  source.id,
  ...(typeof source.metadata.node_id === 'string' ? [source.metadata.node_id] : []),
]

const textsOf = (env: Environment, source: Source): AsyncGenerator<ConceptText> =>
  source.kind === 'repo' ? textsOfRepo(env, source) : textsOfDocument(env, source)

async function* textsOfDocument(env: Environment, source: Source): AsyncGenerator<ConceptText> {
  const objects = objectsOf(source)
  for (let part = 0; ; part++) {
    const passages = await env.store.passages(source.id, { path: partPath(part), from: 0, limit: PART_SIZE })
    for (const passage of passages) {
      const heading = headingOf({ ...passage, title: passage.name ?? '' }, source)
      yield { sourceId: source.id, segmentId: segmentOf(passage).segmentId, text: passage.text, heading, objects }
    }
    if (passages.length < PART_SIZE) return
  }
}

async function* textsOfRepo(env: Environment, source: Source): AsyncGenerator<ConceptText> {
  const objects = objectsOf(source)
  for (const { path } of await indexedFiles(env, source)) {
    if (!isDocument(path)) continue
    for (const chunk of await sectionsOf(env, source, path))
      yield { sourceId: source.id, segmentId: sectionId(path, chunk), text: chunk.text, heading: headingOf(chunk, source), objects }
  }
}

/** The heading of a section; the title of the document is excluded. */
function headingOf(chunk: Pick<DocumentChunk, 'title' | 'startLine' | 'text'> & { readonly kind: string }, source: Source): string | null {
  const own = chunk.kind === 'section' && chunk.text.startsWith('#')
  return own && chunk.startLine > 1 && termKey(chunk.title) !== termKey(source.title) ? chunk.title : null
}

/** Keys of candidates that are concepts of the owner already. */
async function knownConcepts(env: Environment, owner: string, candidates: readonly ConceptCandidate[]): Promise<ReadonlySet<string>> {
  const ids = await withView(env, owner, async (view) => {
    const rids = new Set<number>()
    for (const { title } of candidates) {
      const words = nameWords(title)
      if (words.length > 0) for (const rid of await view.words.phrase(words, PAGE_SIZE)) rids.add(rid)
    }
    return [...(await view.rows.idsOf([...rids])).values()]
  })
  const facts = ids.length === 0 ? [] : await env.store.facts(ids)
  const ended = new Set(['superseded', 'archived', 'outdated', 'retracted'])
  return new Set(
    facts.flatMap(({ kind, title, status }) => (kind === 'concept' && title !== null && !ended.has(status) ? [termKey(title)] : [])),
  )
}
