import { setImmediate } from 'node:timers/promises'
import type { JsonObject } from '../../../core/encoding/json.js'
import { adapterOf, freshnessOf, type IngestMode } from '../../../core/evidence/adapter.js'
import type { CapturedText } from '../../../core/evidence/capture.js'
import { CHUNKING } from '../../../core/evidence/chunks.js'
import { stableId } from '../../../core/evidence/object-id.js'
import { filesOfDocument } from '../../../core/evidence/segments.js'
import type { Source } from '../../../core/facts/source.js'
import { type Change, type FileChange, touchedBy } from '../../../core/journal/change.js'
import { maskObject } from '../../../core/secrets/mask.js'
import type { CommitReceipt } from '../../../ports/store.js'
import type { Environment } from '../../environment.js'
import { retryOnConflict } from '../../facts/revise.js'
import { toMaskedText } from '../../masking.js'
import { activityId, type CapturedActivity, putActivity } from './captured-activity.js'
import { type CapturedNode, nodeId, putNode } from './captured-node.js'

/** A parsed document, ready to be stored. */
export interface Evidence {
  readonly owner: string
  readonly mode: Exclude<IngestMode, 'repo'>
  /** Identifies the source among those of its owner. */
  readonly identity: string
  readonly title: string
  /** The path, the address, or a label. */
  readonly origin: string
  readonly originDetails: JsonObject
  readonly contentType: string
  /** Digest of the content; unchanged documents are not stored again. */
  readonly fingerprint: string
  readonly text: CapturedText
  readonly byteCount: number
  /** Why there is no text; null otherwise. */
  readonly stub: string | null
  readonly activity: CapturedActivity['kind']
}

export interface CaptureResult {
  readonly status: 'completed' | 'noop'
  readonly source: Source
  readonly nodeId: string
  readonly activityId: string
  readonly segmentCount: number
  /** Ids of changed objects; empty if nothing changed. */
  readonly touched: readonly string[]
  readonly receipt: CommitReceipt | null
}

const sourceId = ({ owner, identity }: Pick<Evidence, 'owner' | 'identity'>): string => stableId('src', `${owner}|${identity}`)

/** Stores a document as a source with segments, a node and an activity. Writes nothing if it is unchanged. */
export function captureSource(env: Environment, actor: string, evidence: Evidence): Promise<CaptureResult> {
  const stored: Evidence = {
    ...evidence,
    title: toMaskedText(env, evidence.title),
    origin: toMaskedText(env, evidence.origin),
    identity: toMaskedText(env, evidence.identity),
    originDetails: env.settings.maskSecrets ? maskObject(evidence.originDetails, []) : evidence.originDetails,
  }
  return retryOnConflict(() => capture(env, actor, stored))
}

async function capture(env: Environment, actor: string, evidence: Evidence): Promise<CaptureResult> {
  const { store } = env
  const id = sourceId(evidence)
  const [known] = await store.sources([id])
  const node = nodeOf(evidence, id)
  const activity = activityOf(evidence, id, nodeId(node))
  const segmentCount = evidence.text.chunks.length
  const made = { nodeId: nodeId(node), activityId: activityId(activity), segmentCount }
  const isSame = known?.fingerprint === evidence.fingerprint && known.metadata.content_type === evidence.contentType
  if (known?.status === 'active' && isSame) return { ...made, status: 'noop', source: known, touched: [], receipt: null }
  const files = await changedFiles(env, id, evidence)
  const writer = sourceWriter(env, actor, evidence, known)
  const groups = groupsOf(files)
  // All but the last group are stored without the fingerprint, so that an interrupted capture is repeated.
  for (const group of groups.slice(0, -1)) await writer.part(group)
  const [entity] = await store.entities([made.nodeId])
  const [done] = await store.facts([made.activityId])
  const { source, receipt, touched } = await writer.finish(groups.at(-1) ?? [], (at) => [
    ...putNode(node, entity, at),
    ...putActivity(env, activity, done, { actor, at }),
  ])
  env.embedding.drain()
  return { ...made, status: 'completed', source, touched, receipt }
}

/** Files of the document that changed, and those that it no longer contains. */
async function changedFiles(env: Environment, id: string, evidence: Evidence): Promise<readonly FileChange[]> {
  const known = await env.code.files(id)
  const files: FileChange[] = []
  const made = { at: env.clock.now(), mint: () => env.ids.mint(), language: evidence.contentType }
  for (const file of filesOfDocument({ ...evidence, id }, evidence.text.chunks, made)) {
    files.push(file)
    await setImmediate()
  }
  const there = new Set(files.map(({ path }) => path))
  const gone = [...known.keys()].filter((path) => !there.has(path))
  return [
    ...gone.map((path) => ({ path, size: 0, modifiedAt: 0, hash: '', gone: true, passages: [], references: [] })),
    ...files.filter(({ path, hash }) => known.get(path)?.hash !== hash),
  ]
}

/** Larger commits would delay other writers. */
const COMMIT_PASSAGES = 100
const COMMIT_CHARACTERS = 256 * 1024

function groupsOf(files: readonly FileChange[]): readonly (readonly FileChange[])[] {
  const groups: FileChange[][] = []
  let passages = Number.POSITIVE_INFINITY
  let characters = 0
  for (const file of files) {
    if (passages + file.passages.length > COMMIT_PASSAGES || characters + file.size > COMMIT_CHARACTERS) {
      groups.push([])
      passages = 0
      characters = 0
    }
    groups.at(-1)?.push(file)
    passages += file.passages.length
    characters += file.size
  }
  return groups
}

function sourceWriter(env: Environment, actor: string, evidence: Evidence, known: Source | undefined) {
  const { store } = env
  let version = known?.version ?? 0
  const put = async (fingerprint: string, files: readonly FileChange[], also: (at: number) => readonly Change[]) => {
    let stored: readonly Change[] = []
    let source: Source | undefined
    const receipt = await store.commit({ actor, owners: [evidence.owner] }, (at) => {
      source = {
        id: sourceId(evidence),
        owner: evidence.owner,
        kind: evidence.mode,
        title: evidence.title,
        origin: evidence.origin,
        fingerprint,
        status: 'active',
        metadata: metadataOf(evidence, at),
        createdAt: known?.createdAt ?? at,
        updatedAt: at,
        version: version + 1,
      }
      stored = [{ op: 'source.put', source, files, reason: 'ingest' }, ...also(at)]
      return stored
    })
    if (source === undefined) throw new TypeError('a commit that decided nothing')
    version = source.version
    return { source, receipt, touched: touchedBy(stored) }
  }
  return {
    part: (files: readonly FileChange[]) => put('', files, () => []),
    finish: (files: readonly FileChange[], also: (now: number) => readonly Change[]) => put(evidence.fingerprint, files, also),
  }
}

const metadataOf = (evidence: Evidence, at: number): JsonObject => ({
  identity_key: evidence.identity,
  content_type: evidence.contentType,
  summary: summaryOf(evidence),
  origin: evidence.originDetails,
  node_id: nodeId(nodeOf(evidence, sourceId(evidence))),
  payload: {
    byte_count: evidence.byteCount,
    char_count: evidence.text.charCount,
    segment_count: evidence.text.chunks.length,
    ...(evidence.stub === null ? { chunking: { ...CHUNKING } } : { stub: evidence.stub, sha256: evidence.fingerprint }),
  },
  adapter: adapterOf(evidence.mode, evidence.stub !== null),
  freshness: freshnessOf(evidence.fingerprint, at),
})

const summaryOf = ({ mode, text, stub }: Evidence): string =>
  stub === null ? `A ${mode} of ${text.chunks.length} segments.` : `A ${mode} without text: ${stub}`

const nodeOf = (evidence: Evidence, id: string): CapturedNode => ({
  owner: evidence.owner,
  kind: 'document',
  name: evidence.title,
  summary: summaryOf(evidence),
  identity: `node|document|${evidence.identity}`,
  sourceId: id,
})

const activityOf = (evidence: Evidence, id: string, node: string): CapturedActivity => ({
  owner: evidence.owner,
  kind: evidence.activity,
  title: `Captured ${evidence.title}`,
  summary: `${summaryOf(evidence)} Read from ${evidence.origin}.`,
  identity: `activity|${evidence.mode}_ingest|${evidence.identity}|${evidence.fingerprint}`,
  sourceId: id,
  nodeIds: [node],
})
