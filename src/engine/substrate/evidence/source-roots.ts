import { canonicalJson } from '../../../core/encoding/json.js'
import { stableId } from '../../../core/evidence/object-id.js'
import type { Fact, Instant } from '../../../core/facts/fact.js'
import type { Source } from '../../../core/facts/source.js'
import type { Change } from '../../../core/journal/change.js'
import type { Environment } from '../../environment.js'
import { toFact } from '../../facts/remember.js'

export const sourceRootsId = (owner: string, root: string): string => stableId('know', `${owner}|knowledge|source_roots|${root}`)

const ROOT_CONFIDENCE = 0.65

interface SourceRoots {
  readonly id: string
  readonly source: Source
  /** Node of the repository. */
  readonly nodeId: string
  readonly roots: readonly string[]
}

/** The source folders of a repository, as a candidate because they were inferred. A decided one stays unchanged. */
export function putSourceRoots(
  env: Environment,
  { id, source, nodeId, roots }: SourceRoots,
  known: Fact | undefined,
  stamp: { readonly actor: string; readonly at: Instant },
): readonly Change[] {
  if (known !== undefined && (known.status !== 'candidate' || canonicalJson(known.value) === canonicalJson([...roots]))) return []
  const newFact = {
    owner: source.owner,
    kind: 'fact',
    title: `Source roots of ${source.title}`,
    text: roots.length === 0 ? `The code of ${source.title} is at its root.` : `The code of ${source.title} is in ${roots.join(', ')}.`,
    subject: nodeId,
    predicate: 'source_roots',
    value: [...roots],
    origin: 'system_generated',
    reason: 'ingest',
    scopes: [nodeId],
    references: { subject_refs: [nodeId] },
    status: 'candidate' as const,
    confidence: ROOT_CONFIDENCE,
    importance: 0,
    autoLink: false,
  }
  const fact = toFact(env, newFact, stamp.at, { actor: stamp.actor, connection: null })
  const recordedAt = known?.recordedAt ?? fact.recordedAt
  return [{ op: 'fact.put', fact: { ...fact, id, recordedAt, version: (known?.version ?? 0) + 1 }, reason: 'ingest' }]
}
