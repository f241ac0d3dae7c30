import type { JsonObject } from '../../core/encoding/json.js'
import type { Instant } from '../../core/facts/fact.js'
import type { LifecycleState, Lifetime } from '../../core/facts/lifecycle.js'
import type { Change } from '../../core/journal/change.js'
import { MemoryError } from '../../errors.js'
import type { Context } from '../context.js'
import { type ExistingRelation, endsBetween, findExistingRelation, relationChange } from '../edges/relations.js'
import { putEntity } from '../entities/create-entity.js'
import { idOf, type MemoryNode, unknownNode, visibleNodes } from '../entities/nodes.js'
import type { Environment } from '../environment.js'
import { remember, type Writer } from '../facts/remember.js'

export interface LinkRequest {
  readonly to: string
  readonly type: string
  readonly properties: JsonObject
}

export interface NewNode extends Lifetime {
  /** Entity type. */
  readonly type?: string
  readonly owner: string
  readonly text: string
  readonly source?: string | undefined
  readonly metadata?: JsonObject | undefined
  readonly life?: LifecycleState | undefined
  readonly links?: readonly LinkRequest[] | undefined
}

interface NewFactNode extends NewNode {
  readonly autoLink: boolean
  /** Minimum similarity to an entity, instead of the configured one. */
  readonly linkThreshold?: number | undefined
  readonly derivedFrom?: readonly string[] | undefined
}

interface CreatedNode {
  readonly node: MemoryNode
  /** Links that failed, described in words; the node is stored nevertheless. */
  readonly linkErrors: readonly string[]
}

interface ResolvedLinks {
  readonly ends: readonly { readonly node: MemoryNode; readonly link: LinkRequest }[]
  readonly errors: readonly string[]
}

/** All links are written in one commit, which delays other writers. */
export const MAX_LINKS = 1_000

async function resolveLinks(env: Environment, owner: string, links: readonly LinkRequest[]): Promise<ResolvedLinks> {
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
  const ends: { readonly node: MemoryNode; readonly link: LinkRequest }[] = []
  const errors: string[] = []
  for (const link of links) {
    const node = nodes.get(link.to)
    if (node === undefined) errors.push(unknownNode(link.to).message)
    else if (!ends.some((known) => known.link.to === link.to && known.link.type === link.type)) ends.push({ node, link })
  }
  return { ends, errors }
}

function linkChanges(
  from: MemoryNode,
  owner: string,
  links: ResolvedLinks,
  now: Instant,
  there: readonly ExistingRelation[] = [],
): readonly Change[] {
  return links.ends.flatMap(({ node, link }, i) => {
    const { change } = relationChange(there[i] ?? {}, endsBetween(from, node, link.type, owner), link.properties, now)
    return change === undefined ? [] : [change]
  })
}

/** Stores a fact with its links in one commit, then links it to similar nodes. */
export async function createFactNode(context: Context, writer: Writer, input: NewFactNode): Promise<CreatedNode> {
  const links = await resolveLinks(context, input.owner, input.links ?? [])
  const [fact] = await remember(
    context,
    writer,
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
    (facts, now) => facts.flatMap((made) => linkChanges({ kind: 'fact', fact: made }, input.owner, links, now)),
  )
  if (fact === undefined) throw new MemoryError('internal', 'The fact was not stored.')
  await context.services.linker.link(fact, input.linkThreshold)
  return { node: { kind: 'fact', fact }, linkErrors: links.errors }
}

/** The same for an entity; an existing one is returned with the additions of the call. */
export async function createEntityNode(env: Environment, actor: string, input: NewNode): Promise<CreatedNode> {
  const links = await resolveLinks(env, input.owner, input.links ?? [])
  const entity = await putEntity(env, actor, { ...input, name: input.text }, async (known) => {
    const there = await Promise.all(
      links.ends.map(({ node, link }) =>
        known === undefined ? {} : findExistingRelation(env, endsBetween({ kind: 'entity', entity: known }, node, link.type, input.owner)),
      ),
    )
    return (made, now) => linkChanges({ kind: 'entity', entity: made }, input.owner, links, now, there)
  })
  return { node: { kind: 'entity', entity }, linkErrors: links.errors }
}
