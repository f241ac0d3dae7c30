import type { Change } from '../../core/change.js'
import type { Entity } from '../../core/entity.js'
import type { Instant } from '../../core/fact.js'
import { canonicalJson, type JsonObject } from '../../core/json.js'
import type { Life } from '../../core/life.js'
import { entityKey } from '../../core/names.js'
import { MemoryError } from '../../errors.js'
import { endsBetween, type KnownRelation, knownRelation, relationChange } from '../edges/relations.js'
import type { Engine } from '../engine.js'
import type { Environment } from '../environment.js'
import { remember } from '../facts/remember.js'
import { retryOnConflict } from '../facts/revise.js'
import { storedText } from '../masking.js'
import {
  entityStatus,
  expiryOf,
  idOf,
  type Lifetime,
  type MemoryNode,
  mergedMetadata,
  unknownNode,
  visibleNodes,
  withinLimits,
} from './nodes.js'

export interface WantedLink {
  readonly to: string
  readonly type: string
  readonly properties: JsonObject
}

export interface NewNode extends Lifetime {
  readonly owner: string
  readonly text: string
  readonly source?: string | undefined
  readonly metadata?: JsonObject | undefined
  readonly life?: Life | undefined
  readonly links?: readonly WantedLink[] | undefined
}

export interface NewFactNode extends NewNode {
  readonly autoLink: boolean
  /** Least similarity to an entity, in place of the configured one. */
  readonly linkThreshold?: number | undefined
  readonly derivedFrom?: readonly string[] | undefined
}

export interface CreatedNode {
  readonly node: MemoryNode
  /** Links that could not be made, in words; the node is there all the same. */
  readonly linkErrors: readonly string[]
}

interface ResolvedLinks {
  readonly ends: readonly { readonly node: MemoryNode; readonly link: WantedLink }[]
  readonly errors: readonly string[]
}

/** They are written in one commit, which others wait for. */
const MAX_LINKS = 1_000

async function resolveLinks(env: Environment, owner: string, links: readonly WantedLink[]): Promise<ResolvedLinks> {
  if (links.length > MAX_LINKS)
    throw new MemoryError('too_large', `Invalid links: ${links.length}, at most ${MAX_LINKS} are allowed`, {
      hint: 'Make the others with create_relation.',
    })
  const nodes = new Map(
    (
      await visibleNodes(
        env,
        links.map((link) => link.to),
        owner,
        env.clock.now(),
      )
    ).map((node) => [idOf(node), node]),
  )
  const ends: { readonly node: MemoryNode; readonly link: WantedLink }[] = []
  const errors: string[] = []
  for (const link of links) {
    const node = nodes.get(link.to)
    if (node === undefined) errors.push(unknownNode(link.to).message)
    else if (!ends.some((one) => one.link.to === link.to && one.link.type === link.type)) ends.push({ node, link })
  }
  return { ends, errors }
}

function linkChanges(
  from: MemoryNode,
  owner: string,
  links: ResolvedLinks,
  at: Instant,
  there: readonly KnownRelation[] = [],
): readonly Change[] {
  return links.ends.flatMap(({ node, link }, i) => {
    const { change } = relationChange(there[i] ?? {}, endsBetween(from, node, link.type, owner), link.properties, at)
    return change === undefined ? [] : [change]
  })
}

/** Stores a fact with its links in one commit, then links it to what it resembles. */
export async function createFactNode(engine: Engine, actor: string, connection: string, input: NewFactNode): Promise<CreatedNode> {
  const links = await resolveLinks(engine, input.owner, input.links ?? [])
  const [fact] = await remember(
    engine,
    actor,
    [
      {
        text: input.text,
        owner: input.owner,
        source: input.source,
        metadata: input.metadata,
        status: input.life,
        ttlDays: input.ttlDays,
        expiresAt: input.expiresAt,
        autoLink: input.autoLink,
        derivedFrom: input.derivedFrom,
      },
    ],
    { connection, also: (facts, at) => facts.flatMap((made) => linkChanges({ kind: 'fact', fact: made }, input.owner, links, at)) },
  )
  if (fact === undefined) throw new MemoryError('internal', 'The fact was not stored.')
  await engine.linker.link(fact, input.linkThreshold)
  return { node: { kind: 'fact', fact }, linkErrors: links.errors }
}

/** One entity per name and owner: creating it again answers it, with what this call adds. One that had expired starts anew. */
export async function createEntityNode(engine: Engine, actor: string, input: NewNode): Promise<CreatedNode> {
  const links = await resolveLinks(engine, input.owner, input.links ?? [])
  const entity = await retryOnConflict(async () => {
    const [known] = await engine.backend.store.listEntities({
      owner: input.owner,
      keys: [entityKey(storedText(engine, input.text))],
      limit: 1,
      offset: 0,
    })
    const there = await Promise.all(
      links.ends.map(({ node, link }) =>
        known === undefined ? {} : knownRelation(engine, endsBetween({ kind: 'entity', entity: known }, node, link.type, input.owner)),
      ),
    )
    let entity: Entity | undefined
    const { masked } = await engine.backend.store.commit(actor, (at) => {
      entity = known === undefined ? freshEntity(engine, actor, input, at) : withinLimits(engine, renewed(known, input, at), known)
      const from: MemoryNode = { kind: 'entity', entity }
      const put: readonly Change[] = entity === known ? [] : [{ op: 'entity.put', entity }]
      return [...put, ...linkChanges(from, input.owner, links, at, there)]
    })
    if (entity === undefined) throw new MemoryError('internal', 'The entity was not stored.')
    return masked === undefined ? entity : ((await engine.backend.store.entities([entity.id]))[0] ?? entity)
  })
  return { node: { kind: 'entity', entity }, linkErrors: links.errors }
}

export const freshEntity = (env: Environment, actor: string, input: Omit<NewNode, 'links'>, at: Instant): Entity => ({
  id: env.ids.mint(),
  owner: input.owner,
  name: input.text.trim(),
  type: 'unknown',
  description: null,
  aliases: [],
  uri: null,
  status: input.life ?? 'active',
  source: input.source ?? actor,
  metadata: input.metadata ?? {},
  createdAt: at,
  updatedAt: at,
  expiresAt: expiryOf(input, at) ?? null,
  ttlDays: input.ttlDays ?? null,
  version: 1,
})

function renewed(known: Entity, input: NewNode, at: Instant): Entity {
  const gone = known.expiresAt !== null && known.expiresAt <= at
  const next: Entity = {
    ...known,
    status: entityStatus(known, input.life ?? 'active'),
    metadata: mergedMetadata(known.metadata, input.metadata),
    expiresAt: expiryOf(input, at) ?? (gone ? null : known.expiresAt),
    ttlDays: input.ttlDays ?? (gone ? null : known.ttlDays),
  }
  return canonicalJson({ ...next }) === canonicalJson({ ...known }) ? known : { ...next, updatedAt: at, version: known.version + 1 }
}
