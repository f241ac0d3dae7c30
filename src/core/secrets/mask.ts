import { isJsonObject, type Json, type JsonObject } from '../encoding/json.js'
import { type Fact, FIELDS } from '../facts/fact.js'
import type { Edge } from '../graph/edge.js'
import type { Entity } from '../graph/entity.js'
import type { Change } from '../journal/change.js'
import { isStatement, statementOf, toStatementText } from '../statements/statement.js'
import { isSecretOf } from './assignments.js'
import { secretsIn } from './scan.js'

/** The mark that replaces a secret; it names the kind. */
const markOf = (kind: string): string => `[masked ${kind}]`

/** Masks secrets in a text and adds their kinds to `kinds`. The number of lines stays the same, so line numbers stay valid. */
export function maskText(text: string, kinds: string[]): string {
  const spans = secretsIn(text)
  if (spans.length === 0) return text
  const parts: string[] = []
  let at = 0
  for (const { from, to, kind } of spans) {
    parts.push(text.slice(at, from), markOf(kind), '\n'.repeat(text.slice(from, to).split('\n').length - 1))
    kinds.push(kind)
    at = to
  }
  return parts.join('') + text.slice(at)
}

/** Masks a value; the name next to it counts. Returns the same value if nothing was masked. */
function maskValue(value: Json, name: string, kinds: string[]): Json {
  if (typeof value === 'string') {
    const masked = maskText(value, kinds)
    const kind = masked === value ? isSecretOf(name, value) : undefined
    if (kind === undefined) return masked
    kinds.push(kind)
    return markOf(kind)
  }
  if (Array.isArray(value)) {
    const known = kinds.length
    const items = value.map((item) => maskValue(item, name, kinds))
    return kinds.length === known ? value : items
  }
  return isJsonObject(value) ? maskObject(value, kinds) : value
}

/** Returns the same object if nothing was masked. */
export function maskObject(object: JsonObject, kinds: string[]): JsonObject {
  const known = kinds.length
  const members: [string, Json][] = []
  for (const key of Object.keys(object)) members.push([maskText(key, kinds), maskValue(object[key] ?? null, key, kinds)])
  return kinds.length === known ? object : Object.fromEntries(members)
}

const maskNote = (text: string | null, kinds: string[]): string | null => (text === null ? null : maskText(text, kinds))

const WRITTEN_FIELDS = FIELDS.filter(([, { written }]) => written)

function maskFact(fact: Fact, kinds: string[]): Fact {
  const fields: Readonly<Record<string, Json>> = fact
  const changed: Record<string, Json> = {}
  const known = kinds.length
  for (const [name, { kind }] of WRITTEN_FIELDS) {
    const member = fields[name] ?? null
    if (member === null) continue
    // The predicate names the value.
    const hint = name === 'value' ? (fact.predicate ?? '') : ''
    const masked = typeof member === 'string' && kind !== 'json' ? maskText(member, kinds) : maskValue(member, hint, kinds)
    if (masked !== member) changed[name] = masked
  }
  if (kinds.length === known) return fact
  const masked: Fact = { ...fact, ...changed }
  // The text repeats the value without the name of the secret.
  return isStatement(fact) && masked.value !== fact.value ? { ...masked, text: toStatementText(statementOf(masked)) } : masked
}

function maskEntity(entity: Entity, kinds: string[]): Entity {
  return {
    ...entity,
    name: maskText(entity.name, kinds),
    type: maskText(entity.type, kinds),
    description: maskNote(entity.description, kinds),
    aliases: entity.aliases.map((alias) => maskText(alias, kinds)),
    uri: maskNote(entity.uri, kinds),
    source: maskText(entity.source, kinds),
    metadata: maskObject(entity.metadata, kinds),
  }
}

const maskEdge = (edge: Edge, kinds: string[]): Edge => ({
  ...edge,
  type: maskText(edge.type, kinds),
  properties: maskObject(edge.properties, kinds),
})

/**
 * Masks the secrets in a change and adds their kinds to `kinds`; returns the same value if there are none. Sources are not
 * changed, because their texts are masked before they are cut into passages.
 */
export function maskChange(change: Change, kinds: string[]): Change {
  const found: string[] = []
  const masked = maskedPut(change, found)
  const reason = change.reason === undefined ? undefined : maskText(change.reason, found)
  if (found.length === 0) return change
  kinds.push(...found)
  return reason === undefined ? masked : { ...masked, reason }
}

function maskedPut(change: Change, kinds: string[]): Change {
  if (change.op === 'fact.put') return { ...change, fact: maskFact(change.fact, kinds) }
  if (change.op === 'entity.put') return { ...change, entity: maskEntity(change.entity, kinds) }
  return change.op === 'edge.put' ? { ...change, edge: maskEdge(change.edge, kinds) } : change
}
