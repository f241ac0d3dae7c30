import type { JsonObject } from '../../../core/encoding/json.js'
import { canonicalJson } from '../../../core/encoding/json.js'
import type { Segment } from '../../../core/evidence/segments.js'
import type { Fact } from '../../../core/facts/fact.js'
import type { Source } from '../../../core/facts/source.js'
import { type EvidenceRef, evidenceOf } from '../../../core/substrate/objects/references.js'
import { MemoryError } from '../../../errors.js'
import type { Environment } from '../../environment.js'
import { segmentById } from '../evidence/segments.js'

/** A citation as given, before it is checked. */
export interface EvidenceInput {
  readonly source_id?: string | undefined
  readonly segment_id?: string | undefined
  readonly locator?: JsonObject | undefined
  readonly hash?: string | undefined
}

const refused = (what: string): MemoryError => new MemoryError('invalid_input', `evidence_refs ${what}`)

/** Validated citations: each names an existing segment and quotes it correctly. Their hashes are stored. */
export async function checkedEvidence(env: Environment, owner: string, inputs: readonly EvidenceInput[]): Promise<readonly EvidenceRef[]> {
  const sources = new Map<string, Source>()
  const checked: EvidenceRef[] = []
  for (const { source_id, segment_id, locator, hash } of inputs) {
    if (source_id === undefined || source_id === '') throw refused('source_id required')
    if (segment_id === undefined || segment_id === '') throw refused(`segment_id required for ${source_id}`)
    const source = sources.get(source_id) ?? (await env.store.sources([source_id])).find((row) => row.owner === owner)
    if (source === undefined) throw refused(`source not found: ${source_id}`)
    sources.set(source_id, source)
    const segment = await segmentById(env, source, segment_id)
    const place = `${source_id}#${segment_id}`
    if (segment === undefined) throw refused(`segment not found: ${place}`)
    if (locator !== undefined && canonicalJson(locator) !== canonicalJson(segment.locator)) throw refused(`locator mismatch: ${place}`)
    if (hash !== undefined && hash !== segment.hash) throw refused(`hash mismatch: ${place}`)
    checked.push({ source_id, segment_id, ...(locator === undefined ? {} : { locator }), hash: segment.hash })
  }
  return checked
}

/** The current state of a citation. */
type EvidenceState = 'current' | 'changed' | 'missing'

interface EvidenceWithState extends EvidenceRef {
  readonly state: EvidenceState
  /** The current segment; undefined if it is missing. */
  readonly segment: Segment | undefined
}

/** The citations of a fact with their current state. */
export async function evidenceWithState(env: Environment, fact: Fact): Promise<readonly EvidenceWithState[]> {
  const cited = evidenceOf(fact)
  if (cited.length === 0) return []
  const ids = [...new Set(cited.map(({ source_id }) => source_id))]
  const sources = new Map((await env.store.sources(ids)).map((source) => [source.id, source]))
  const standing: EvidenceWithState[] = []
  for (const ref of cited) {
    const source = sources.get(ref.source_id)
    const segment = source === undefined || source.owner !== fact.owner ? undefined : await segmentById(env, source, ref.segment_id)
    const state = segment === undefined ? 'missing' : ref.hash === undefined || ref.hash === segment.hash ? 'current' : 'changed'
    standing.push({ ...ref, state, segment })
  }
  return standing
}
