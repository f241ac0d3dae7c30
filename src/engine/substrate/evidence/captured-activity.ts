import { stableId } from '../../../core/evidence/object-id.js'
import type { Fact, Instant } from '../../../core/facts/fact.js'
import type { Change } from '../../../core/journal/change.js'
import type { Environment } from '../../environment.js'
import { toFact } from '../../facts/remember.js'

export interface CapturedActivity {
  readonly owner: string
  readonly kind: 'reading' | 'meeting' | 'research'
  readonly title: string
  readonly summary: string
  readonly identity: string
  readonly sourceId: string
  readonly nodeIds: readonly string[]
  readonly produced?: readonly string[]
}

export const activityId = ({ owner, identity }: Pick<CapturedActivity, 'owner' | 'identity'>): string =>
  stableId('act', `${owner}|${identity}`)

/** Records a capture as an activity; an existing one stays unchanged. */
export function putActivity(
  env: Environment,
  activity: CapturedActivity,
  known: Fact | undefined,
  stamp: { readonly actor: string; readonly at: Instant },
): readonly Change[] {
  if (known !== undefined) return []
  const newFact = {
    owner: activity.owner,
    kind: activity.kind,
    title: activity.title,
    text: activity.summary,
    form: 'activity',
    stage: 'finalized',
    origin: 'system_generated',
    reason: 'ingest',
    references: {
      source_refs: [activity.sourceId],
      related_node_refs: [...activity.nodeIds],
      ...(activity.produced === undefined ? {} : { produced_object_refs: [...activity.produced] }),
    },
    // Activities are kept for tracing and never returned as results.
    importance: 0,
    autoLink: false,
  }
  const fact = { ...toFact(env, newFact, stamp.at, { actor: stamp.actor, connection: null }), id: activityId(activity) }
  return [{ op: 'fact.put', fact, reason: 'ingest' }]
}
