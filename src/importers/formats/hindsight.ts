import type { Importer, ImportRecord, PassageRecord } from '../../ports/importer.js'
import { parseLoose } from '../json-items.js'
import { hasKeys, outlineJson } from '../json-outline.js'
import { wholeText } from '../text-lines.js'
import { objectOf, type Row, rowOf, rowsOf, Times, textOf, textsOf, toJsonObject } from '../values.js'
import { passagesOf } from './claude-ai.js'

const MAX_DOCUMENT_BYTES = 32 * 1024 * 1024
const DOCUMENT = /(?:^|\/)documents\/[^/]+\.json$/
const OBSERVATIONS = /(?:^|\/)observations\.json$/

/** The transfer archive of Hindsight. */
export const hindsight: Importer = {
  name: 'hindsight',
  title: 'Hindsight transfer archive',
  describe:
    'Documents as sources, their facts with event time, entities and tags, and observations. Histories and knowledge pages are left out.',
  async detect(tree) {
    const manifest = tree.kind === 'file' ? undefined : tree.entries.find(({ path }) => /(?:^|\/)manifest\.json$/.test(path))
    if (manifest === undefined) return undefined
    const outline = outlineJson((await tree.head(manifest.path)).text)
    return hasKeys(outline, 'source_bank_id') ? { what: 'archive', version: outline.scalars.get('schema_version') } : undefined
  },
  async *read(tree, options) {
    const times = new Times(options.now)
    const manifest = tree.entries.find(({ path }) => /(?:^|\/)manifest\.json$/.test(path))
    const owner =
      manifest === undefined ? undefined : textOf(rowOf(parseLoose((await tree.head(manifest.path)).text)?.value).source_bank_id)
    for (const { path } of tree.entries) {
      if (!DOCUMENT.test(path) && !OBSERVATIONS.test(path)) continue
      const text = await wholeText(tree.bytes(path), MAX_DOCUMENT_BYTES)
      const parsed = text === undefined ? undefined : parseLoose(text)
      if (parsed === undefined) yield { kind: 'skipped', reason: 'a document is damaged or too large', from: { file: path }, bad: true }
      else if (DOCUMENT.test(path)) yield* documentRecords(rowOf(parsed.value), path, owner, times)
      else yield* observationRecords(rowsOf(parsed.value), path, owner, times)
    }
    for (const note of times.notes()) yield { kind: 'note', text: note }
  },
}

function* documentRecords(row: Row, file: string, owner: string | undefined, times: Times): Generator<ImportRecord> {
  const id = textOf(row.id) ?? file
  const from = { file }
  const chunks = rowsOf(row.chunks).flatMap((chunk): readonly PassageRecord[] => {
    const text = textOf(chunk.chunk_text)
    return text === undefined ? [] : [{ text }]
  })
  const original = textOf(row.original_text)
  const passages = chunks.length > 0 ? chunks : original === undefined ? [] : passagesOf(original)
  if (passages.length > 0)
    yield {
      kind: 'source',
      key: id,
      sourceKind: 'document',
      title: textOf(objectOf(row.retain_params).title) ?? id,
      owner,
      from,
      createdAt: times.read(row.created_at),
      passages,
    }
  const facts = rowsOf(row.facts)
  for (const [index, fact] of facts.entries()) {
    const text = textOf(fact.text)
    if (text === undefined) {
      yield { kind: 'skipped', reason: 'a fact has no text', from, bad: true }
      continue
    }
    const occurred = times.read(fact.occurred_start) ?? times.read(fact.event_date)
    yield {
      ...{ kind: 'fact', key: `${id}\0${index}\0${text}`, text, owner, from, derivedFrom: passages.length > 0 ? [id] : [] },
      ...{
        memoryType: fact.fact_type === 'experience' ? 'episodic' : 'semantic',
        createdAt: times.read(fact.created_at ?? fact.mentioned_at),
        eventAt: occurred,
      },
      ...{ tags: textsOf(fact.tags), subject: textsOf(fact.entities)[0] },
      metadata: toJsonObject({
        ...rowOf(fact.metadata),
        context: fact.context,
        fact_type: fact.fact_type,
        occurred_end: fact.occurred_end,
        entities: fact.entities,
      }),
    }
    for (const name of textsOf(fact.entities)) yield { kind: 'entity', name, owner, from }
  }
}

function* observationRecords(rows: readonly Row[], file: string, owner: string | undefined, times: Times): Generator<ImportRecord> {
  for (const row of rows) {
    const text = textOf(row.text)
    const from = { file }
    if (text === undefined) yield { kind: 'skipped', reason: 'an observation has no text', from, bad: true }
    else
      yield {
        kind: 'fact',
        key: `observation\0${text}`,
        text,
        owner,
        from,
        tags: textsOf(row.tags),
        createdAt: times.read(row.created_at),
        metadata: toJsonObject({ proof_count: row.proof_count }),
      }
  }
}
