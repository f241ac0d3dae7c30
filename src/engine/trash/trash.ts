import type { Fact } from '../../core/facts/fact.js'
import { DAY_US } from '../../core/facts/lifecycle.js'
import type { Edge } from '../../core/graph/edge.js'
import { MemoryError } from '../../errors.js'
import type { TrashEntry } from '../../ports/trash.js'
import type { Environment } from '../environment.js'
import { forget } from '../facts/revise.js'
import { importLines } from '../transfer/transfer.js'

/** Retention of deleted facts. */
const TRASH_DAYS = 30
const MAX_EDGES = 5000

/** Deletes a fact; a copy outside the store can be restored for 30 days. False if it does not exist. */
export async function moveToTrash(env: Environment, actor: string, fact: Fact): Promise<boolean> {
  const { store, trash, clock } = env
  const edges = await store.edges({ owner: fact.owner, nodes: [fact.id], stated: true, limit: MAX_EDGES })
  const explicit = edges.filter((edge) => edge.properties.auto_linked !== true && edge.factId === null)
  const deletedAt = clock.now()
  await trash.put({
    id: fact.id,
    owner: fact.owner,
    text: fact.text,
    deletedAt,
    until: deletedAt + TRASH_DAYS * DAY_US,
    lines: [JSON.stringify({ fact }), ...explicit.map((edge) => JSON.stringify({ edge }))],
  })
  const isDeleted = await forget(env, actor, { id: fact.id, owner: fact.owner })
  if (!isDeleted) await trash.erase([fact.id])
  return isDeleted
}

/** Deletes a fact and its copy in the trash. */
export async function eraseForever(env: Environment, actor: string, { id, owner }: Pick<Fact, 'id' | 'owner'>): Promise<boolean> {
  await env.trash.erase([id])
  return forget(env, actor, { id, owner })
}

/** Deleted facts that can be restored, latest deletion first. Overwrites expired ones. */
export async function listTrash(env: Environment): Promise<readonly TrashEntry[]> {
  const now = env.clock.now()
  const entries = await env.trash.list()
  await env.trash.erase(entries.filter(({ until }) => until <= now).map(({ id }) => id))
  return entries.filter(({ until }) => until > now)
}

/** Stores deleted facts again, with the relations whose other endpoint still exists. */
export async function restoreFromTrash(
  env: Environment,
  actor: string,
  entries: readonly TrashEntry[],
  signal: AbortSignal,
): Promise<void> {
  for (const entry of entries) {
    const lines = await restorableLines(env, entry)
    const report = await importLines(env, lines, { actor, signal, progress: () => undefined })
    const [stored] = await env.store.facts([entry.id])
    if (report.facts === 0 && stored === undefined)
      throw new MemoryError('conflict', `Memory ${entry.id} could not be restored.`, { hint: 'Its copy stays in the trash.' })
    await env.trash.erase([entry.id])
  }
}

async function restorableLines(env: Environment, { id, lines }: TrashEntry): Promise<AsyncIterable<string>> {
  const edges = lines.slice(1).map((line): { readonly edge: Edge } => JSON.parse(line))
  const ends = [...new Set(edges.flatMap(({ edge }) => [edge.from, edge.to]))]
  const [facts, entities] = await Promise.all([env.store.facts(ends), env.store.entities(ends)])
  const known = new Set([id, ...facts.map((fact) => fact.id), ...entities.map((entity) => entity.id)])
  const kept = lines.slice(1).filter((_, at) => {
    const edge = edges[at]?.edge
    return edge !== undefined && known.has(edge.from) && known.has(edge.to)
  })
  return (async function* () {
    yield* [...lines.slice(0, 1), ...kept]
  })()
}

const MIN_PREFIX_CHARS = 3
const MAX_SHOWN_IDS = 5

/** The fact with an id, or with a unique prefix of one. */
export async function findByPrefix(env: Environment, prefix: string, owner?: string): Promise<Fact | undefined> {
  const ownerFilter = owner === undefined ? {} : { owner }
  const [exact] = await env.store.facts([prefix], owner)
  if (exact !== undefined && (owner === undefined || exact.owner === owner)) return exact
  if (prefix.length < MIN_PREFIX_CHARS) return undefined
  const found = await env.store.listFacts({ ...ownerFilter, idPrefix: prefix, limit: MAX_SHOWN_IDS, offset: 0 })
  if (found.length > 1)
    throw new MemoryError(
      'invalid_input',
      `Several memories have an id that begins with "${prefix}": ${found.map(({ id }) => id).join(', ')}.`,
      {
        hint: 'Give more of the id.',
      },
    )
  return found[0]
}
