import { sha256 } from '../../core/encoding/hash.js'
import type { Json, JsonObject } from '../../core/encoding/json.js'
import type { Fact, Instant, NewFact } from '../../core/facts/fact.js'
import { entityKey } from '../../core/graph/names.js'
import { toRelationType } from '../../core/graph/relation-type.js'
import { checkString } from '../../core/input/input.js'
import { noLaterThan } from '../../core/time/instants.js'
import type {
  EntityRecord,
  FactRecord,
  ImportRecord,
  RecordOrigin,
  RecordPlace,
  RelationRecord,
  SourceRecord,
} from '../../ports/importer.js'
import type { Environment } from '../environment.js'
import { checkNewFact, checkOwner, toFact } from '../facts/remember.js'
import { toMaskedText } from '../masking.js'
import { type Item, toLastingId } from '../transfer/items.js'

const MAX_HASH_CHARS = 16
const MAX_NAME_CHARS = 400
/** Relations wait in memory for the entities that they name. */
const MAX_IMPLIED = 20_000

/** Options that apply to every record of a run. */
interface RecordSettings {
  readonly format: string
  /** The run id, which is the actor of its commits. */
  readonly run: string
  ownerOf(place: RecordPlace): Promise<string>
}

/** Converts records of one foreign source to stored items. Ids are derived from format, owner and key, so a repeated import finds them. */
export class RecordItems {
  readonly #env: Environment
  readonly #settings: RecordSettings
  readonly #entities = new Set<string>()
  /** Entities that only relations have named so far. */
  readonly #implied = new Map<string, readonly Item[]>()
  #line = 0

  constructor(env: Environment, settings: RecordSettings) {
    this.#env = env
    this.#settings = settings
  }

  /** Throws if a rule of the store is violated, such as a text that is too long. */
  async of(record: ImportRecord): Promise<readonly Item[]> {
    this.#line++
    switch (record.kind) {
      case 'fact':
        return this.#facts(record, await this.#owner(record))
      case 'entity':
        return this.#entity(record, await this.#owner(record))
      case 'relation':
        return this.#relation(record, await this.#owner(record))
      case 'source':
        return this.source(record, await this.#owner(record))
      default:
        return []
    }
  }

  /**
   * Entities that no record describes, so that a relation to one that is described later does not take its place. Called once, at the
   * end of a source.
   */
  rest(): readonly Item[] {
    const items = [...this.#implied.values()].flat()
    this.#implied.clear()
    return items
  }

  async #owner(place: RecordPlace): Promise<string> {
    const owner = await this.#settings.ownerOf(place)
    checkOwner(owner)
    return owner
  }

  id(kind: string, owner: string, key: string): string {
    return toLastingId(`${this.#settings.format}\0${kind}\0${owner}\0${key}`)
  }

  #entityId(owner: string, name: string): string {
    return toLastingId(`entity\0${owner}\0${entityKey(name)}`)
  }

  #facts(record: FactRecord, owner: string): readonly Item[] {
    const id = this.id('fact', owner, record.key)
    const main = this.fact(record, owner, id)
    const earlier = record.earlier ?? []
    return [
      ...earlier.map((version, nth) => {
        const ends = earlier[nth + 1]?.at ?? record.createdAt
        return this.fact(
          {
            ...record,
            ...{ text: version.text, createdAt: version.at, validFrom: version.at, validUntil: ends, earlier: [] },
            ...{ status: 'superseded', eventAt: undefined, expiresAt: undefined },
          },
          owner,
          this.id('fact', owner, `${record.key}\0${nth}`),
          { supersededBy: id },
        )
      }),
      main,
    ]
  }

  /** One fact; `more` are fields that callers cannot set otherwise. */
  fact(record: FactRecord, owner: string, id: string, more: { readonly supersededBy?: string } = {}): Item {
    const { settings } = this.#env
    const supersededBy = more.supersededBy ?? (record.supersededBy === undefined ? undefined : this.id('fact', owner, record.supersededBy))
    const status = record.status ?? (supersededBy === undefined ? undefined : 'superseded')
    const hash = hashOf(toMaskedText(this.#env, record.text), status ?? 'active', supersededBy)
    const provenance = { from: this.#settings.format, ...toJsonOrigin(record.from), hash }
    const kept = { ...(record.tags === undefined || record.tags.length === 0 ? {} : { tags: [...record.tags] }), imported: provenance }
    const full: JsonObject = { ...record.metadata, ...kept }
    const fits = Buffer.byteLength(JSON.stringify(full)) <= settings.maxMetadataBytes
    const begins = record.validFrom ?? earlierOf(record.createdAt, record.validUntil)
    const input: NewFact = {
      ...{ text: record.text, owner, source: `import:${this.#settings.format}`, metadata: fits ? full : { imported: provenance } },
      ...{
        kind: record.memoryType,
        title: cut(record.title),
        subject: cut(record.subject),
        predicate: cut(record.predicate),
        value: record.value,
      },
      ...{ author: cut(record.author), session: cut(record.session), date: record.date, confidence: record.confidence },
      ...{ importance: record.importance, reason: record.reason, eventAt: record.eventAt ?? record.createdAt, expiresAt: record.expiresAt },
      ...{ validFrom: begins, validUntil: record.validUntil, status },
      derivedFrom: record.derivedFrom?.map((key) => this.id('source', owner, key)),
    }
    checkNewFact(this.#env, input)
    const fact = (at: Instant): Fact => {
      const recordedAt = noLaterThan(record.createdAt ?? at, at)
      const made = toFact(this.#env, { ...input, validFrom: begins ?? recordedAt }, recordedAt, {
        actor: this.#settings.run,
        connection: null,
      })
      return { ...made, id, supersededBy: supersededBy ?? null }
    }
    // Dates are checked before the commit, so that one bad record does not fail a batch.
    fact(this.#env.clock.now())
    return {
      ...{ kind: 'fact', id, owner, vector: undefined },
      change: (now) => ({ op: 'fact.put', fact: fact(now), imported: true }),
      revise: (stored, now) => revision(stored, fact(now), hash, now),
    }
  }

  #entity(record: EntityRecord, owner: string): readonly Item[] {
    const name = record.name.slice(0, MAX_NAME_CHARS).trim()
    checkString(name, 'name')
    const id = this.#entityId(owner, name)
    if (this.#entities.has(id) && record.type === undefined && record.description === undefined) return []
    this.#entities.add(id)
    this.#implied.delete(id)
    const createdAt = noLaterThan(record.createdAt ?? this.#env.clock.now(), this.#env.clock.now())
    const own = entityKey(name)
    const aliases = [...new Map((record.aliases ?? []).map((alias) => [entityKey(alias), alias.slice(0, MAX_NAME_CHARS)]))]
    return [
      {
        ...{ kind: 'entity', id },
        entity: {
          ...{ id, owner, name, type: record.type ?? 'unknown', description: record.description ?? null, uri: null, status: 'active' },
          ...{
            aliases: aliases.flatMap(([key, alias]) => (key === '' || key === own ? [] : [alias])),
            source: `import:${this.#settings.format}`,
          },
          metadata: { ...record.metadata, imported: { from: this.#settings.format, ...toJsonOrigin(record.from) } },
          ...{ createdAt, updatedAt: createdAt, expiresAt: null, ttlDays: null, version: 1 },
        },
      },
    ]
  }

  #relation(record: RelationRecord, owner: string): readonly Item[] {
    const { from, createdAt } = record
    const ends = [record.subject, record.object].map((name) => name.slice(0, MAX_NAME_CHARS).trim())
    const [subject = '', object = ''] = ends
    const type = toRelationType(record.predicate).slice(0, MAX_NAME_CHARS)
    const factId = record.factKey === undefined ? null : this.id('fact', owner, record.factKey)
    const made = noLaterThan(createdAt ?? this.#env.clock.now(), this.#env.clock.now())
    const id = this.id('edge', owner, `${entityKey(subject)}\0${type}\0${entityKey(object)}\0${factId ?? ''}`)
    const properties: Record<string, Json> = { ...record.properties, imported: { from: this.#settings.format, ...toJsonOrigin(from) } }
    if (record.predicate !== type) properties.predicate = record.predicate
    for (const name of ends) checkString(name, 'name')
    for (const name of ends) this.#imply(owner, { kind: 'entity', name, from, createdAt })
    const named = this.#implied.size > MAX_IMPLIED ? this.rest() : []
    return [
      ...named,
      {
        ...{ kind: 'edge', id, line: from.line ?? this.#line },
        edge: {
          ...{
            id,
            owner,
            from: this.#entityId(owner, subject),
            fromKind: 'entity',
            to: this.#entityId(owner, object),
            toKind: 'entity',
            type,
          },
          ...{ weight: 1, confidence: record.confidence ?? 1, trust: null, scope: 'local', properties, factId },
          ...{ createdAt: made, validUntil: record.validUntil ?? null, version: 1 },
        },
      },
    ]
  }

  #imply(owner: string, record: EntityRecord): void {
    const id = this.#entityId(owner, record.name)
    if (this.#entities.has(id)) return
    this.#implied.set(id, this.#entity(record, owner))
  }

  /** A source with its passages as one file. */
  source(record: SourceRecord, owner: string): readonly Item[] {
    const id = this.id('source', owner, record.key)
    const now = this.#env.clock.now()
    const createdAt = noLaterThan(record.createdAt ?? now, now)
    const text = record.passages.map((passage) => passage.text).join('\n')
    const hash = sha256(text)
    checkString(text, 'text')
    return [
      {
        ...{ kind: 'source', id },
        source: {
          ...{ id, owner, kind: record.sourceKind, title: record.title.slice(0, MAX_NAME_CHARS), fingerprint: hash, status: 'active' },
          origin: `import:${this.#settings.format}/${record.key.replaceAll('\0', '/')}`.slice(0, 1000),
          metadata: { ...record.metadata, imported: { from: this.#settings.format, ...toJsonOrigin(record.from) } },
          ...{ createdAt, updatedAt: createdAt, version: 1 },
        },
      },
      {
        ...{ kind: 'file', id: `${id}\0` },
        file: {
          ...{ source: id, path: '', size: Buffer.byteLength(text), modifiedAt: createdAt, hash, references: [] },
          passages: record.passages.map((passage, nth) => ({
            ...{
              id: this.id('passage', owner, `${record.key}\0${nth}`),
              text: passage.text,
              kind: 'text',
              language: null,
              name: passage.name ?? null,
            },
            ...{
              scopePath: null,
              startLine: passage.line ?? 0,
              endLine: passage.line ?? 0,
              hash: sha256(passage.text),
              embedText: passage.text,
            },
            ...(passage.locator === undefined ? {} : { locator: passage.locator }),
          })),
        },
      },
    ]
  }
}

const toJsonOrigin = ({ file, line }: RecordOrigin): JsonObject => ({ file: file.slice(0, 1000), ...(line === undefined ? {} : { line }) })

const cut = (text: string | undefined): string | undefined => {
  const plain = text?.replaceAll(/\s+/g, ' ').trim().slice(0, MAX_NAME_CHARS)
  return plain === '' ? undefined : plain
}

function earlierOf(a: Instant | undefined, b: Instant | undefined): Instant | undefined {
  return a === undefined || b === undefined ? a : Math.min(a, b)
}

const hashOf = (text: string, status: string, supersededBy: string | null | undefined): string =>
  sha256(`${status}\0${supersededBy ?? ''}\0${text}`).slice(0, MAX_HASH_CHARS)

/** The new version of a record that was imported before. A fact changed here since then stays unchanged. */
function revision(stored: Fact, now: Fact, hash: string, at: Instant): Fact | undefined {
  const { imported } = stored.metadata
  const known = isJsonObject(imported) ? imported.hash : undefined
  if (known === hash || known !== hashOf(stored.text, stored.status, stored.supersededBy)) return undefined
  return { ...now, recordedAt: stored.recordedAt, updatedAt: at, version: stored.version + 1 }
}

const isJsonObject = (value: Json | undefined): value is JsonObject => typeof value === 'object' && value !== null && !Array.isArray(value)
