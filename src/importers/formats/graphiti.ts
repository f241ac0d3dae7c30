import type { Importer, ImportRecord, ImportTree, RecordOrigin } from '../../ports/importer.js'
import { jsonItems } from '../json-items.js'
import { firstObjects, outlineJson } from '../json-outline.js'
import { readLines } from '../line-records.js'
import { isRow, objectOf, type Row, rowOf, rowsOf, Times, textOf, textsOf, toJsonObject } from '../values.js'
import { passagesOf } from './claude-ai.js'

/** Graphs of Graphiti and Zep: APOC exports of Neo4j, or nodes and edges as JSON. */
export const graphiti: Importer = {
  name: 'graphiti',
  title: 'Graphiti',
  describe:
    'Entities, edges as facts with their validity and as relations, episodes as sources. Embeddings, communities and sagas are left out.',
  async detect(tree) {
    const [entry] = tree.entries
    if (tree.kind !== 'file' || entry === undefined) return undefined
    const { text, whole } = await tree.head(entry.path)
    if (firstObjects(text, whole).some((row) => isNode(row) || isEdge(row))) return { what: 'APOC export' }
    const outline = outlineJson(text)
    if (outline?.root === 'array' && outline.keys.has('labels') && outline.keys.has('properties')) return { what: 'APOC export' }
    const node = outline?.root === 'object' ? outline.below.get('nodes') : undefined
    return outline?.keys.has('edges') === true && node?.has('uuid') === true ? { what: 'nodes and edges' } : undefined
  },
  async *read(tree, options) {
    const times = new Times(options.now)
    const nodes = new Map<string, { readonly name: string; readonly owner: string | undefined }>()
    const edges: { readonly row: Row; readonly from: RecordOrigin }[] = []
    for await (const part of parts(tree)) {
      if ('skipped' in part) yield part.skipped
      else if (part.isEdge) {
        if (edges.length < MAX_EDGES) edges.push(part)
        else yield { kind: 'skipped', reason: `more than ${MAX_EDGES} edges`, from: part.from, bad: true }
      } else yield* nodeRecords(part.row, part.from, nodes, times)
    }
    // Edges may precede the nodes they name.
    for (const { row, from } of edges) yield* edgeRecords(row, from, nodes, times)
    for (const note of times.notes()) yield { kind: 'note', text: note }
  },
}

/** Edges wait for their nodes in memory. */
const MAX_EDGES = 1_000_000

const isNode = (row: Row): boolean => row.type === 'node' && Array.isArray(row.labels) && isRow(row.properties) && 'uuid' in row.properties
const isEdge = (row: Row): boolean => row.type === 'relationship' && row.label === 'RELATES_TO' && isRow(row.start)

type Part =
  | { readonly row: Row; readonly from: RecordOrigin; readonly isEdge: boolean }
  | { readonly skipped: Extract<ImportRecord, { readonly kind: 'skipped' }> }

async function* parts(tree: ImportTree): AsyncGenerator<Part> {
  const [entry] = tree.entries
  if (entry === undefined) return
  const { text, whole } = await tree.head(entry.path)
  if (firstObjects(text, whole).some((row) => row.type === 'node' || row.type === 'relationship')) {
    for await (const line of readLines(tree, entry.path)) yield 'skipped' in line ? line : { ...flat(line.row), from: line.from }
    return
  }
  for await (const { key, index, value, problem } of jsonItems(tree.bytes(entry.path))) {
    const from = { file: entry.path, line: index + 1 }
    if (problem !== undefined) yield { skipped: { kind: 'skipped', reason: `a record cannot be read: ${problem}`, from, bad: true } }
    else for (const row of rowsOf([value])) yield { ...(key === '' ? flat(row) : { row: withLabels(row), isEdge: key === 'edges' }), from }
  }
}

/** Properties of a node or an edge as one object. */
function flat(row: Row): { readonly row: Row; readonly isEdge: boolean } {
  const properties = rowOf(row.properties)
  const isEdge = row.type === 'relationship'
  const ends = isEdge ? { start: rowOf(row.start).id, end: rowOf(row.end).id, label: row.label } : { labels: row.labels, nodeId: row.id }
  return { row: { ...properties, ...ends }, isEdge }
}

const withLabels = (row: Row): Row =>
  Array.isArray(row.labels) && row.labels.length > 0 ? row : { ...row, labels: 'content' in row ? ['Episodic'] : ['Entity'] }

function* nodeRecords(
  row: Row,
  from: RecordOrigin,
  nodes: Map<string, { name: string; owner: string | undefined }>,
  times: Times,
): Generator<ImportRecord> {
  const uuid = textOf(row.uuid)
  const labels = textsOf(row.labels)
  const owner = textOf(row.group_id)
  const createdAt = times.read(row.created_at)
  if (labels.includes('Entity')) {
    const name = textOf(row.name)
    if (name === undefined || uuid === undefined) {
      yield { kind: 'skipped', reason: 'an entity has no name or no uuid', from, bad: true }
      return
    }
    for (const id of [uuid, textOf(row.nodeId)]) if (id !== undefined) nodes.set(id, { name, owner })
    const type = labels.find((label) => label !== 'Entity')?.toLowerCase()
    yield {
      kind: 'entity',
      name,
      owner,
      type,
      description: textOf(row.summary),
      from,
      createdAt,
      metadata: toJsonObject(objectOf(row.attributes)),
    }
  } else if (labels.includes('Episodic')) {
    const text = textOf(row.content)
    if (text === undefined || uuid === undefined) yield { kind: 'skipped', reason: 'an episode has no content', from, bad: true }
    else
      yield {
        ...{ kind: 'source', key: uuid, sourceKind: 'episode', title: textOf(row.name) ?? 'episode', owner, from },
        ...{
          createdAt: times.read(row.valid_at) ?? createdAt,
          passages: passagesOf(text),
          metadata: toJsonObject({ source: row.source, description: row.source_description }),
        },
      }
  } else yield { kind: 'skipped', reason: `nodes of the kind ${labels[0] ?? 'none'} are left out`, from, bad: false }
}

function* edgeRecords(
  row: Row,
  from: RecordOrigin,
  nodes: ReadonlyMap<string, { name: string; owner: string | undefined }>,
  times: Times,
): Generator<ImportRecord> {
  if (row.label !== undefined && row.label !== 'RELATES_TO') {
    yield { kind: 'skipped', reason: `edges of the kind ${textOf(row.label) ?? 'none'} are left out`, from, bad: false }
    return
  }
  const end = (uuid: unknown, id: unknown) => nodes.get(textOf(uuid) ?? '') ?? nodes.get(textOf(id) ?? '')
  const [subject, object] = [end(row.source_node_uuid, row.start), end(row.target_node_uuid, row.end)]
  const predicate = textOf(row.name)
  const fact = textOf(row.fact)
  if (subject === undefined || object === undefined || predicate === undefined) {
    yield { kind: 'skipped', reason: 'an edge leads to a node that is not in the file', from, bad: true }
    return
  }
  const key = textOf(row.uuid) ?? `${subject.name}\0${predicate}\0${object.name}`
  const about = { owner: textOf(row.group_id) ?? subject.owner, from, createdAt: times.read(row.created_at) }
  const expired = times.read(row.expired_at)
  const validUntil = times.read(row.invalid_at, { mayLieAhead: true }) ?? expired
  if (fact !== undefined)
    yield {
      ...{ kind: 'fact', key, text: fact, subject: subject.name, predicate, value: object.name, ...about },
      ...{
        validFrom: times.read(row.valid_at),
        validUntil,
        status: expired === undefined ? undefined : 'superseded',
        derivedFrom: textsOf(row.episodes),
      },
      metadata: toJsonObject(objectOf(row.attributes)),
    }
  yield {
    kind: 'relation',
    subject: subject.name,
    predicate,
    object: object.name,
    ...about,
    validUntil,
    factKey: fact === undefined ? undefined : key,
  }
}
