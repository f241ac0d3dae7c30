import type { JsonObject } from '../../core/encoding/json.js'
import type { Instant } from '../../core/facts/fact.js'
import type { JournalEntry } from '../../core/journal/change.js'
import { loadNodes, unknownNode } from '../entities/nodes.js'
import type { Environment } from '../environment.js'
import { SNAPSHOT } from '../graph/update-node.js'

/** The state of a node before a change. */
export interface Version {
  /** Time of the change that ended it. */
  readonly at: Instant
  readonly state: JsonObject | null
  readonly after: JsonObject | null
  readonly operation: 'updated' | 'deleted'
  readonly actor: string
  readonly reason: string | null
  readonly snapshot: boolean
}

const MAX_VERSIONS = 10_000

/** Previous states of a node, newest first. For a deleted node only the fact of a change is known. */
export async function versionsOf(env: Environment, id: string, owner: string): Promise<readonly Version[]> {
  const entries = await env.store.journal({ target: id, owner, newestFirst: true, limit: MAX_VERSIONS })
  const nodes = entries.filter((entry) => entry.targetKind === 'fact' || entry.targetKind === 'entity')
  if (nodes.length === 0 && !(await loadNodes(env, [id], owner)).has(id)) throw unknownNode(id)
  // The oldest entry is the creation, which has no previous state.
  return nodes.slice(0, nodes.length < entries.length || entries.length < MAX_VERSIONS ? -1 : undefined).map(toVersion)
}

const toVersion = (entry: JournalEntry): Version => ({
  at: entry.at,
  state: entry.before,
  after: entry.after,
  operation: entry.op.endsWith('.delete') ? 'deleted' : 'updated',
  actor: entry.actor,
  reason: entry.reason === SNAPSHOT ? null : entry.reason,
  snapshot: entry.reason === SNAPSHOT,
})
