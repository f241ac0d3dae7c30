import { z } from 'zod'
import type { Segment } from '../../core/evidence/segments.js'
import type { Source } from '../../core/facts/source.js'
import { repoMap } from '../../engine/substrate/evidence/repo-map.js'
import { segmentsOf, textOfDocument } from '../../engine/substrate/evidence/segments.js'
import { evidenceWithState } from '../../engine/substrate/knowledge/evidence.js'
import { findReferrers, type ObjectNeighbourhood } from '../../engine/substrate/objects/around.js'
import { headOf, loadObjects, type MemoryObject } from '../../engine/substrate/objects/objects.js'
import { findAround } from '../../engine/substrate/query/find-around.js'
import type { Answer, Call } from '../operation.js'
import { optional, toolMode } from './envelope.js'
import { toObject, type WireObject } from './objects.js'
import { atLeastOne, clip, graphBackend, ownerOf, toHead } from './shapes.js'

const MAX_LISTED_ITEMS = 10
const SNIPPET_CHARS = 360
const FULL_SEGMENTS = 100
const PREVIEW_CHARS = 360
/** Larger documents are read from their source, by locators. */
const MAX_FULL_CHARS = 1_000_000

const snippetChars = z.int().min(40, 'Input should be greater than or equal to 40').max(4000, 'Input should be less than or equal to 4000')
const reading = { max_items: optional(atLeastOne), include_segments: optional(z.boolean()), snippet_chars: optional(snippetChars) }
const byId = z.strictObject({ id: z.string() })

const notFound = (type: string, id: string, data: unknown): Answer => ({
  result_type: type,
  data,
  warnings: [`Object not found: ${id.slice(0, 200)}`],
})

const find = async (call: Call, id: string): Promise<MemoryObject | undefined> =>
  (await loadObjects(call.context, [id], ownerOf(call))).get(id)

const toSegment = ({ segmentId, locator, excerpt, hash }: Segment, chars: number) => ({
  segment_id: segmentId,
  locator,
  excerpt: clip(excerpt, chars),
  hash,
})

interface PageRequest {
  readonly max: number
  readonly chars: number
  readonly segments: boolean
}

interface ShownPage {
  readonly object: WireObject
  readonly truncated: boolean
}

const isLong = (value: unknown, most: number): boolean => Array.isArray(value) && value.length > most

/** Truncates lists; the index of a repository is never returned completely. */
function bounded(object: WireObject, most: number): ShownPage {
  let truncated = false
  const cut = (members: WireObject): WireObject =>
    Object.fromEntries(
      Object.entries(members).map(([name, value]) => {
        if (!isLong(value, most)) return [name, value]
        truncated = true
        return [name, Array.isArray(value) ? value.slice(0, most) : value]
      }),
    )
  const payload = z.record(z.string(), z.unknown()).safeParse(object.payload)
  return { object: { ...cut(object), ...(payload.success ? { payload: cut(payload.data) } : {}) }, truncated }
}

async function withEvidence(call: Call, object: MemoryObject, shown: WireObject): Promise<WireObject> {
  if (object.type !== 'knowledge') return shown
  const evidence = await evidenceWithState(call.context, object.fact)
  return { ...shown, evidence_refs: evidence.map(({ segment: _, ...ref }) => ref) }
}

const charsOf = (object: MemoryObject): number => {
  const payload = object.type === 'source' ? z.object({ char_count: z.number() }).safeParse(object.source.metadata.payload) : undefined
  return payload?.success ? payload.data.char_count : 0
}

async function compactPage(call: Call, object: MemoryObject, { max, chars, segments }: PageRequest): Promise<ShownPage> {
  const whole = await withEvidence(call, object, toObject(object))
  const shown = bounded(whole, max)
  if (object.type !== 'source') return shown
  const first = await segmentsOf(call.context, object.source, { from: 0, limit: segments ? max + 1 : 1 })
  const preview = first[0] === undefined ? {} : { text_preview: clip(first[0].excerpt, PREVIEW_CHARS), text_char_count: charsOf(object) }
  const payload = z.record(z.string(), z.unknown()).parse(shown.object.payload)
  const map = object.source.kind === 'repo' ? await repoLists(call, object.source, max) : undefined
  return {
    truncated: shown.truncated || (segments && first.length > max) || map?.truncated === true,
    object: {
      ...shown.object,
      payload: { ...payload, ...(map?.lists ?? preview) },
      ...(segments ? { segments: first.slice(0, max).map((segment) => toSegment(segment, chars)) } : {}),
    },
  }
}

/** The first entries of each kind in a repository, read from its index. */
async function repoLists(call: Call, source: Source, max: number) {
  const map = await repoMap(call.context, source, max + 1)
  const lists = {
    code_index: map.codeIndex,
    code_modules: map.codeModules,
    doc_index: map.docIndex,
    document_sections: map.documentSections,
  }
  const shown = Object.entries(lists).map(([name, rows]): [string, readonly unknown[]] => [name, rows.slice(0, max)])
  return { lists: Object.fromEntries(shown), truncated: Object.values(lists).some((rows) => rows.length > max) }
}

async function fullPage(call: Call, object: MemoryObject, max: number | undefined): Promise<ShownPage> {
  const shown = await withEvidence(call, object, toObject(object))
  if (object.type !== 'source') return { object: shown, truncated: false }
  const most = max ?? FULL_SEGMENTS
  const segments = await segmentsOf(call.context, object.source, { from: 0, limit: most + 1 })
  const payload = z.record(z.string(), z.unknown()).parse(shown.payload)
  return {
    truncated: segments.length > most,
    object: {
      ...shown,
      payload: { ...payload, text: await textOfDocument(call.context, object.source) },
      segments: segments.slice(0, most).map((segment) => toSegment(segment, segment.excerpt.length)),
    },
  }
}

/** Explains what to do if a document cannot be returned completely. */
const unavailable = (object: MemoryObject, detail: string, why: string, next: readonly string[]): Answer => ({
  result_type: 'page_unavailable',
  status: 'unsupported',
  data: {
    object_type: object.type,
    object_id: object.id,
    kind: headOf(object).kind,
    requested_detail: 'full',
    unsupported_detail: detail,
    supported_details: ['compact'],
    reason: why,
    next_actions: next,
  },
  warnings: [],
})

export const page = toolMode({
  effect: 'read',
  input: byId,
  options: z.strictObject({ ...reading, detail: optional(z.enum(['compact', 'full'])) }),
  async run(call, { id }, { max_items, include_segments = false, snippet_chars = SNIPPET_CHARS, detail = 'compact' }) {
    const object = await find(call, id)
    if (object === undefined) return notFound('page', id, null)
    if (detail === 'full' && object.type === 'source' && object.source.kind === 'repo')
      return unavailable(object, 'repo_source_full', 'The files of a repository are read where they are.', [
        'query_page_with_detail_compact',
        'read_local_files_by_locator',
      ])
    if (detail === 'full' && charsOf(object) > MAX_FULL_CHARS)
      return unavailable(
        object,
        'source_too_large',
        `The source has ${charsOf(object)} characters; at most ${MAX_FULL_CHARS} are given whole.`,
        ['query_page_with_include_segments_and_max_items', 'read_the_original_by_locator'],
      )
    const shown =
      detail === 'full'
        ? await fullPage(call, object, max_items)
        : await compactPage(call, object, { max: max_items ?? MAX_LISTED_ITEMS, chars: snippet_chars, segments: include_segments })
    return {
      result_type: 'page',
      data: { object_type: object.type, object: shown.object, detail, truncated: shown.truncated },
      warnings: [],
    }
  },
})

const STUB = { kind: 'stub', status: 'missing' } as const

const UNRESOLVED_OBJECT = { kind: 'unresolved', status: 'missing' } as const

const nodesOf = (rootId: string, { relations, objects }: Pick<ObjectNeighbourhood, 'relations' | 'objects'>): readonly Answer[] => {
  const ids = [...new Set([rootId, ...relations.flatMap(({ from, to }) => [from, to])])]
  return ids.map((id) => {
    const object = objects.get(id)
    if (object === undefined) return { object_type: 'node', id, title: id, ...(id === rootId ? UNRESOLVED_OBJECT : STUB) }
    const { type, kind, title, status } = headOf(object)
    return { object_type: type, id, kind, title, status }
  })
}

export const graph = toolMode({
  effect: 'read',
  input: byId,
  options: z.strictObject({ max_items: optional(atLeastOne), graph_backend: optional(graphBackend) }),
  async run(call, { id }, { max_items = MAX_LISTED_ITEMS, graph_backend }) {
    const around =
      (await findAround(call.context, id, ownerOf(call), max_items, graph_backend)) ??
      (await findReferrers(call.context, id, ownerOf(call), max_items))
    if (around === undefined) return notFound('graph', id, { root_id: id, nodes: [], edges: [] })
    const edges = around.relations.map((relation) => ({
      id: relation.id,
      source_id: relation.from,
      target_id: relation.to,
      relation: relation.relation,
      payload: relation.payload,
    }))
    return { result_type: 'graph', data: { root_id: id, nodes: nodesOf(id, around), edges }, warnings: [] }
  },
})

/** Segments that an object cites or consists of. */
async function shownSegments(call: Call, root: MemoryObject, max: number, chars: number): Promise<readonly Answer[]> {
  const describeSegment = (sourceId: string, segment: Segment) => {
    const { hash: _, ...shown } = toSegment(segment, chars)
    return { source_id: sourceId, ...shown }
  }
  if (root.type === 'source')
    return (await segmentsOf(call.context, root.source, { from: 0, limit: max })).map((segment) => describeSegment(root.id, segment))
  if (root.type !== 'knowledge') return []
  const evidence = (await evidenceWithState(call.context, root.fact)).slice(0, max)
  return evidence.map(({ source_id, segment_id, state, segment }) =>
    segment === undefined
      ? { source_id, segment_id, locator: null, excerpt: null, state }
      : { ...describeSegment(source_id, segment), state },
  )
}

export const expand = toolMode({
  effect: 'read',
  input: byId,
  options: z.strictObject(reading),
  async run(call, { id }, { max_items = MAX_LISTED_ITEMS, include_segments = true, snippet_chars = SNIPPET_CHARS }) {
    const around = await findAround(call.context, id, ownerOf(call), max_items)
    if (around === undefined) return notFound('expanded_context', id, { root_id: id, items: [], source_segments: [] })
    const { root, relations, objects } = around
    const near = [...new Set(relations.flatMap(({ from, to }) => [from, to]))].filter((node) => node !== id)
    const items = [root, ...near.flatMap((node) => objects.get(node) ?? [])]
      .slice(0, max_items)
      .map((object) => toHead(object, snippet_chars))
    const source_segments = include_segments ? await shownSegments(call, root, max_items, snippet_chars) : []
    return { result_type: 'expanded_context', data: { root_id: id, items, source_segments }, warnings: [] }
  },
})
