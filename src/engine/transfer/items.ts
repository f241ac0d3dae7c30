import type { ControlRecord } from '../../core/access/control-record.js'
import { sha256 } from '../../core/encoding/hash.js'
import { canonicalJson, depthExceeds, type Json, type JsonObject } from '../../core/encoding/json.js'
import type { Fact, Instant, NewFact } from '../../core/facts/fact.js'
import type { Source } from '../../core/facts/source.js'
import { isCurrentStatus, repairValidity, withStatus } from '../../core/facts/validity.js'
import type { Edge } from '../../core/graph/edge.js'
import type { Entity } from '../../core/graph/entity.js'
import { checkKeys, checkMetadata, checkString, checkText, parseInstant } from '../../core/input/input.js'
import type { Change } from '../../core/journal/change.js'
import { clampToNow, noLaterThan } from '../../core/time/instants.js'
import { MemoryError } from '../../errors.js'
import type { Environment } from '../environment.js'
import { beginningOf, checkNewFact, checkOwner, toFact } from '../facts/remember.js'
import { toMaskedText } from '../masking.js'
import { checkControlRecord } from './control-records.js'
import { type FileLine, type Line, MAX_LINE_DEPTH, type PlainMemory, readLine } from './lines.js'

/** What one line of an import stores. */
export type Item =
  | {
      readonly kind: 'fact'
      readonly id: string
      readonly owner: string
      readonly vector: Float32Array | undefined
      change(now: Instant): Change & { readonly op: 'fact.put' }
      /** Returns the changed fact, or undefined to keep the stored one. */
      revise?(stored: Fact, now: Instant): Fact | undefined
    }
  | { readonly kind: 'entity'; readonly id: string; readonly entity: Entity }
  | { readonly kind: 'edge'; readonly id: string; readonly edge: Edge; readonly line: number }
  | { readonly kind: 'source'; readonly id: string; readonly source: Source }
  | { readonly kind: 'arrangement'; readonly id: string; readonly arrangement: ControlRecord }
  | { readonly kind: 'file'; readonly id: string; readonly file: FileLine }

/** Owners of an item; parts of a source follow their source. */
export function ownersOf(item: Item): readonly string[] {
  switch (item.kind) {
    case 'fact':
      return [item.owner]
    case 'entity':
      return [item.entity.owner]
    case 'edge':
      return [item.edge.owner]
    default:
      return []
  }
}

/** Occurrences of each memory without an id within one import. */
export type Repeats = Map<string, number>

/** Parses a line; undefined for the header and the history of a file. Errors name the line. */
export async function takeLine(env: Environment, text: string, number: number, repeats: Repeats): Promise<Item | undefined> {
  const read = readLine(parseLine(text, number))
  if ('problem' in read) {
    throw new MemoryError('invalid_input', `Line ${number} ${read.problem}`, {
      hint: [read.hint ?? [], 'Nothing of this batch was stored; lines before it may have been. Importing again skips what is there.']
        .flat()
        .join(' '),
    })
  }
  const { line } = read
  if ('mneme' in line) {
    if (line.mneme.model) await env.embedding.prepare()
    return undefined
  }
  if ('entry' in line) return undefined
  try {
    return toItem(env, line, number, repeats)
  } catch (error) {
    if (!(error instanceof MemoryError)) throw error
    throw new MemoryError(error.code, `Line ${number}: ${error.message}`, {
      ...(error.hint === undefined ? {} : { hint: error.hint }),
      cause: error,
    })
  }
}

/** Suggests the likely format of a file that is not JSON lines. */
function notJson(text: string, number: number): string {
  if (number > 1) return 'A line that breaks off is what is left of a file that was not written or copied to its end.'
  if (text.startsWith('\u001f')) return 'This file is compressed: unpack it first (gunzip).'
  return text.trimStart().startsWith('[') ? 'Of a list in one piece `jq -c .[]` makes such lines.' : ''
}

function parseLine(text: string, number: number): unknown {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new MemoryError('invalid_input', `Line ${number} is not JSON.`, {
      hint: `Each line must hold one JSON object. ${notJson(text, number)}`.trim(),
    })
  }
  if (depthExceeds(value, MAX_LINE_DEPTH))
    throw new MemoryError('invalid_input', `Line ${number} is nested more than ${MAX_LINE_DEPTH} levels deep.`)
  checkKeys(value, `line ${number}`)
  return value
}

function toItem(
  env: Environment,
  line: Exclude<Line, { readonly mneme: unknown } | { readonly entry: unknown }>,
  number: number,
  repeats: Repeats,
): Item {
  const { maxContentBytes, maxMetadataBytes } = env.settings
  if ('fact' in line) {
    const { fact } = line
    checkText(fact.text, 'text', maxContentBytes)
    checkNoun(fact, fact.metadata, maxMetadataBytes)
    checkMetadata({ value: fact.value }, 'value', Number.POSITIVE_INFINITY)
    // An ended fact is excluded from recall by its validity window.
    if (!isCurrentStatus(fact.status) && fact.validUntil === null)
      throw new MemoryError('invalid_input', `a fact that is ${fact.status} needs validUntil, the instant it ended`)
    if (fact.validUntil !== null && fact.validUntil < fact.validFrom)
      throw new MemoryError('invalid_input', 'a fact cannot end (validUntil) before it begins (validFrom)')
    return {
      kind: 'fact',
      id: fact.id,
      owner: fact.owner,
      vector: vectorOf(env, line.vector, fact.text),
      // An ended fact without an end date ended with its last change.
      change: (now) => ({ op: 'fact.put', fact: clampToNow(repairValidity(fact, now), now), imported: true }),
    }
  }
  if ('entity' in line) {
    const { entity } = line
    checkText(entity.name, 'name', maxContentBytes)
    checkNoun(entity, entity.metadata, maxMetadataBytes)
    return { kind: 'entity', id: entity.id, entity }
  }
  if ('edge' in line) {
    const { edge } = line
    checkNoun(edge, edge.properties, maxMetadataBytes)
    return { kind: 'edge', id: edge.id, edge, line: number }
  }
  if ('source' in line) {
    const { source } = line
    checkNoun(source, source.metadata, maxMetadataBytes)
    return { kind: 'source', id: source.id, source }
  }
  if ('arrangement' in line) {
    const { arrangement } = line
    checkOwner(arrangement.owner)
    checkMetadata(arrangement.data, 'data', maxMetadataBytes)
    checkStrings({ ...arrangement })
    checkControlRecord(arrangement)
    return { kind: 'arrangement', id: `${arrangement.kind} ${arrangement.id}`, arrangement }
  }
  if ('file' in line) {
    const { file } = line
    checkString(file.path, 'path')
    for (const { text } of file.passages) checkString(text, 'text')
    return { kind: 'file', id: `${file.source}\0${file.path}`, file }
  }
  return toPlainItem(env, line.memory, repeats)
}

/** The checks that contracts apply before they store anything. */
function checkNoun(noun: Fact | Entity | Edge | Source, metadata: JsonObject, maxMetadataBytes: number): void {
  checkOwner(noun.owner)
  checkMetadata(metadata, 'metadata', maxMetadataBytes)
  checkStrings({ ...noun })
}

function checkStrings(members: Readonly<Record<string, unknown>>): void {
  for (const [field, member] of Object.entries(members)) {
    for (const text of Array.isArray(member) ? member : [member]) if (typeof text === 'string') checkString(text, field)
  }
}

const ID_LENGTH = 20
const ID_COUNT = 36n ** BigInt(ID_LENGTH)

/** An id derived from a text. */
export const toLastingId = (text: string): string => (BigInt(`0x${sha256(text)}`) % ID_COUNT).toString(36).padStart(ID_LENGTH, '0')

/** The same line of the same file always has the same id, so an interrupted import can be repeated. */
function lastingId(env: Environment, memory: PlainMemory, repeats: Repeats): string {
  const members: Record<string, Json> = { user_id: env.settings.defaultOwner }
  for (const [key, value] of Object.entries(memory)) if (value !== undefined && value !== null && key !== 'vector') members[key] = value
  const content = canonicalJson(members)
  const nth = repeats.get(content) ?? 0
  repeats.set(content, nth + 1)
  return toLastingId(`${nth}\0${content}`)
}

const IMPORT_AUTHOR = { actor: 'import', connection: null }

function toPlainItem(env: Environment, memory: PlainMemory, repeats: Repeats): Item {
  checkStrings(memory)
  const input = toNewFact(memory)
  checkNewFact(env, input)
  const recordedAt = timeOf(memory, 'ingestion_time')
  const validFrom = beginningOf(input, recordedAt ?? env.clock.now())
  const id = memory.id ?? lastingId(env, memory, repeats)
  // Start and end were compared just now, so the commit time must not move the start past the end.
  const dated: NewFact = input.validUntil === undefined ? input : { ...input, validFrom }
  return {
    kind: 'fact',
    id,
    owner: input.owner ?? env.settings.defaultOwner,
    vector: vectorOf(env, memory.vector ?? undefined, memory.content),
    change(now) {
      const fact = toFact(env, dated, noLaterThan(recordedAt ?? now, now), IMPORT_AUTHOR)
      return { op: 'fact.put', fact: { ...withEnding(fact, memory, now), id, version: memory.version ?? 1 }, imported: true }
    },
  }
}

const toNewFact = (memory: PlainMemory): NewFact => ({
  text: memory.content,
  owner: memory.user_id ?? undefined,
  kind: memory.memory_type ?? undefined,
  metadata: memory.metadata ?? undefined,
  subject: memory.subject ?? undefined,
  predicate: memory.predicate ?? undefined,
  importance: memory.importance_score ?? undefined,
  eventAt: timeOf(memory, 'event_time'),
  validFrom: timeOf(memory, 'valid_from'),
  validUntil: timeOf(memory, 'valid_until'),
})

function timeOf(memory: PlainMemory, field: 'event_time' | 'ingestion_time' | 'valid_from' | 'valid_until'): Instant | undefined {
  const text = memory[field]
  return text === null || text === undefined ? undefined : parseInstant(text, `Invalid ${field}: use ISO 8601`)
}

/** Applies the reason or the successor of an ended memory. */
function withEnding(fact: Fact, { superseded_by, invalidation_reason }: PlainMemory, now: Instant): Fact {
  const supersededBy = superseded_by ?? null
  const reason = invalidation_reason ?? null
  if (supersededBy === null && reason === null) return fact
  return { ...withStatus(fact, supersededBy === null ? 'outdated' : 'superseded', now), supersededBy, reason }
}

/** The vector of an imported fact. A vector of a masked text is recomputed. */
function vectorOf(env: Environment, encoded: string | undefined, text: string): Float32Array | undefined {
  if (encoded === undefined) return undefined
  const { dimensions } = env.embedder.model
  const raw = Buffer.from(encoded, 'base64')
  if (raw.byteLength !== dimensions * 4)
    throw new MemoryError('invalid_input', `the vector has ${raw.byteLength / 4} dimensions, the model ${dimensions}.`)
  if (toMaskedText(env, text) !== text) return undefined
  return new Float32Array(raw.buffer.slice(raw.byteOffset, raw.byteOffset + raw.byteLength))
}
