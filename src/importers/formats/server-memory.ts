import type { Importer, ImportRecord, ImportTree, ReadOptions, RecordOrigin } from '../../ports/importer.js'
import { jsonItems } from '../json-items.js'
import { firstRows, hasKeys, outlineJson } from '../json-outline.js'
import { readLines } from '../line-records.js'
import { numberOf, type Row, rowsOf, storable, Times, textOf, toJsonObject, withoutKeys } from '../values.js'

/** The knowledge graph of @modelcontextprotocol/server-memory, as its file or as the answer of `read_graph`. */
export const serverMemory: Importer = {
  name: 'server-memory',
  title: 'Knowledge graph of server-memory',
  describe: 'Entities, their observations as facts, and relations. Forks with dates and confidence keep them.',
  async detect(tree) {
    const [entry] = tree.entries
    if (tree.kind !== 'file' || entry === undefined) return undefined
    const { text, whole } = await tree.head(entry.path)
    const outline = outlineJson(text)
    if (hasKeys(outline, 'entities', 'relations') && outline.root === 'object') {
      const entity = outline.below.get('entities')
      const relation = outline.below.get('relations')
      return entity?.has('observations') === true || relation?.has('relationType') === true ? { what: 'graph of read_graph' } : undefined
    }
    const objects = firstRows(text, whole)
    return objects.some(isGraphLine) ? { what: 'memory file' } : undefined
  },
  async *read(tree, options) {
    for (const { path } of tree.entries) yield* readGraph(tree, path, options)
  },
}

const isGraphLine = (row: Row): boolean =>
  (row.type === 'entity' && (Array.isArray(row.observations) || 'entityType' in row) && nameOf(row) !== undefined) ||
  (row.type === 'relation' && ('relationType' in row || 'relation_type' in row))

const nameOf = (row: Row): string | undefined => textOf(row.name) ?? textOf(row.entityName) ?? textOf(row.id)

async function* readGraph(tree: ImportTree, path: string, options: ReadOptions): AsyncGenerator<ImportRecord> {
  const times = new Times(options.now)
  const { text } = await tree.head(path)
  if (hasKeys(outlineJson(text), 'entities', 'relations'))
    for await (const { key, index, value, problem } of jsonItems(tree.bytes(path))) {
      const from = { file: path }
      if (problem !== undefined) yield { kind: 'skipped', reason: `${key} ${index}: ${problem}`, from, bad: true }
      else for (const row of rowsOf([value])) yield* toRecords({ type: key === 'entities' ? 'entity' : 'relation', ...row }, from, times)
    }
  else
    for await (const line of readLines(tree, path)) {
      if ('skipped' in line) yield line.skipped
      else yield* toRecords(line.row, line.from, times)
    }
  for (const note of times.notes()) yield { kind: 'note', text: note }
}

function* toRecords(row: Row, from: RecordOrigin, times: Times): Generator<ImportRecord> {
  const createdAt = times.read(row.createdAt)
  if (row.type === 'entity') {
    const name = nameOf(row)
    if (name === undefined) {
      yield { kind: 'skipped', reason: 'an entity has no name', from, bad: true }
      return
    }
    const type = textOf(row.entityType)
    yield { kind: 'entity', name, type, from, createdAt, metadata: toJsonObject(withoutKeys(row, ...ENTITY_KEYS)) }
    const seen = new Map<string, number>()
    for (const observation of observationsOf(row)) {
      const nth = seen.get(observation) ?? 0
      seen.set(observation, nth + 1)
      if (nth > 0) yield { kind: 'skipped', reason: 'an observation is repeated', from, bad: false }
      else
        yield {
          ...{ kind: 'fact', key: `${name}\0${observation}`, text: observation, from, subject: name, title: name, createdAt },
          ...{ validFrom: times.read(row.validFrom), validUntil: times.read(row.validTo, { mayLieAhead: true }) },
          confidence: fraction(row.confidence),
        }
    }
  } else if (row.type === 'relation') {
    const [subject, predicate, object] = [
      textOf(row.from) ?? textOf(row.from_id),
      textOf(row.relationType) ?? textOf(row.relation_type),
      textOf(row.to) ?? textOf(row.to_id),
    ]
    if (subject === undefined || predicate === undefined || object === undefined)
      yield { kind: 'skipped', reason: 'a relation needs from, to and relationType', from, bad: true }
    else
      yield {
        ...{ kind: 'relation', subject, predicate, object, from, createdAt, confidence: fraction(row.confidence) },
        validUntil: times.read(row.validTo, { mayLieAhead: true }),
      }
  } else yield { kind: 'skipped', reason: `records of type ${textOf(row.type) ?? 'none'} are not part of a graph`, from, bad: true }
}

const ENTITY_KEYS = [
  'type',
  'name',
  'entityName',
  'id',
  'entityType',
  'observations',
  'createdAt',
  'updatedAt',
  'validFrom',
  'validTo',
  'confidence',
  'embedding',
]

/** Some forks write observations as objects with a text. */
const observationsOf = (row: Row): readonly string[] => [
  ...(Array.isArray(row.observations) ? row.observations : []).flatMap((observation: unknown) =>
    textOf(observation) === undefined ? [] : typeof observation === 'string' ? storable(observation) : String(observation),
  ),
  ...rowsOf(row.observations).flatMap((row) => textOf(row.content) ?? textOf(row.text) ?? []),
]

export function fraction(value: unknown): number | undefined {
  const number = numberOf(value)
  return number === undefined || number < 0 || number > 1 ? undefined : number
}
