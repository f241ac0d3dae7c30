import { sha256 } from '../encoding/hash.js'
import { isJsonObject, type Json } from '../encoding/json.js'
import { isoInstant } from '../evidence/iso-instant.js'
import type { Fact } from '../facts/fact.js'
import type { Source } from '../facts/source.js'
import type { Entity } from '../graph/entity.js'
import { claimEnds } from '../substrate/objects/claim-ends.js'
import { factTypeOf, objectStatus, titleOf } from '../substrate/objects/objects.js'
import { evidenceOf, referenceFieldsOf, referencesOf } from '../substrate/objects/references.js'

/** A Markdown page of one object. */
export interface ObjectPage {
  readonly type: string
  readonly id: string
  readonly version: number
  readonly text: string
}

const PLAIN_ID = /^[A-Za-z0-9][A-Za-z0-9:_.-]{0,119}$/

/** The id with dashes for colons, or a hash of it if that is not a valid file name. */
export const pageName = (id: string): string => (PLAIN_ID.test(id) ? id.replaceAll(':', '-') : `x-${sha256(id).slice(0, 32)}`)

const link = (id: string): string => `[[${pageName(id)}]]`

/** JSON is valid YAML. */
function frontMatter(fields: Readonly<Record<string, Json | undefined>>): string {
  const lines = Object.entries(fields).flatMap(([name, value]) =>
    value === undefined || value === null ? [] : [`${name}: ${JSON.stringify(value)}`],
  )
  return `---\n${lines.join('\n')}\n---\n`
}

const section = (title: string, lines: readonly string[]): string => (lines.length === 0 ? '' : `\n## ${title}\n\n${lines.join('\n')}\n`)

/** One line without Markdown marks. */
const heading = (title: string): string => `\n# ${title.replace(/\s+/g, ' ').trim()}\n`

const paragraph = (text: string): string => (text.trim() === '' ? '' : `\n${text.trim()}\n`)

export function factPage(fact: Fact): ObjectPage {
  const type = factTypeOf(fact)
  const title = titleOf(fact)
  const references = referenceFieldsOf(type).flatMap((field) => referencesOf(fact, field).map((id) => `- ${field}: ${link(id)}`))
  const evidence = evidenceOf(fact).map(({ source_id, segment_id }) => `- ${link(source_id)} segment ${code(segment_id)}`)
  const others = [...(fact.conflicts ?? []).map((id) => `- conflicts with ${link(id)}`)]
  if (fact.supersededBy !== null) others.push(`- superseded by ${link(fact.supersededBy)}`)
  const text = [
    frontMatter({
      id: fact.id,
      type,
      kind: fact.kind,
      aliases: [title],
      status: objectStatus(fact),
      confidence: fact.confidence,
      memory_source: fact.origin,
      scope_refs: fact.scopes === null ? undefined : [...fact.scopes],
      created: isoInstant(fact.recordedAt),
      updated: isoInstant(fact.updatedAt),
      version: fact.version,
    }),
    heading(title),
    paragraph(fact.text),
    section('Claim', claimLines(fact)),
    section('Evidence', evidence),
    section('References', [...references, ...others]),
    section('Reason', fact.reason === null ? [] : [fact.reason]),
  ].join('')
  return { type, id: fact.id, version: fact.version, text }
}

const code = (text: string): string => `\`${text.replaceAll('`', "'")}\``

function claimLines(fact: Fact): readonly string[] {
  if (fact.subject === null || fact.predicate === null) return []
  const { value, object } = claimEnds(fact)
  const named = (value: Json): string => (typeof value === 'string' && /^[a-z]+:/.test(value) ? link(value) : code(JSON.stringify(value)))
  const ends = [value, object].filter((end) => end !== null).map(named)
  return [`- subject: ${named(fact.subject)}`, `- predicate: ${code(fact.predicate)}`, ...ends.map((end) => `- value: ${end}`)]
}

export function entityPage(entity: Entity): ObjectPage {
  const source = entity.metadata.source_id
  const text = [
    frontMatter({
      id: entity.id,
      type: 'node',
      kind: entity.type,
      aliases: [entity.name, ...entity.aliases],
      status: entity.status,
      uri: entity.uri,
      created: isoInstant(entity.createdAt),
      updated: isoInstant(entity.updatedAt),
      version: entity.version,
    }),
    heading(entity.name),
    paragraph(entity.description ?? ''),
    section('References', typeof source === 'string' ? [`- source: ${link(source)}`] : []),
  ].join('')
  return { type: 'node', id: entity.id, version: entity.version, text }
}

const counts = (payload: Json | undefined): readonly string[] =>
  isJsonObject(payload)
    ? Object.entries(payload).flatMap(([name, value]) => (typeof value === 'object' ? [] : [`- ${name}: ${String(value)}`]))
    : []

export function sourcePage(source: Source): ObjectPage {
  const { metadata } = source
  const node = metadata.node_id
  const text = [
    frontMatter({
      id: source.id,
      type: 'source',
      kind: source.kind,
      aliases: [source.title],
      status: source.status,
      origin: source.origin,
      fingerprint: source.fingerprint,
      created: isoInstant(source.createdAt),
      updated: isoInstant(source.updatedAt),
      version: source.version,
    }),
    heading(source.title),
    paragraph(typeof metadata.summary === 'string' ? metadata.summary : ''),
    section('Content', counts(metadata.payload)),
    section('References', typeof node === 'string' ? [`- node: ${link(node)}`] : []),
  ].join('')
  return { type: 'source', id: source.id, version: source.version, text }
}
