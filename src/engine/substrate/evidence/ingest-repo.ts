import { setImmediate } from 'node:timers/promises'
import { canonicalJson } from '../../../core/encoding/json.js'
import { adapterOf, freshnessOf } from '../../../core/evidence/adapter.js'
import { stableId } from '../../../core/evidence/object-id.js'
import { repoFingerprint } from '../../../core/evidence/repo-files.js'
import { AGENT_STATE, checkPatterns, isInScope, normalPatterns, type ScanPatterns } from '../../../core/evidence/scan-scope.js'
import type { Instant } from '../../../core/facts/fact.js'
import type { Source } from '../../../core/facts/source.js'
import type { Entity } from '../../../core/graph/entity.js'
import { type Change, touchedBy } from '../../../core/journal/change.js'
import { MemoryError } from '../../../errors.js'
import type { FoundFolder } from '../../../ports/document-reader.js'
import type { CommitReceipt } from '../../../ports/store.js'
import { patternsOf } from '../../code/project-state.js'
import type { Context } from '../../context.js'
import type { Environment } from '../../environment.js'
import { retryOnConflict } from '../../facts/revise.js'
import { type Patch, withPatch } from '../patches/patches.js'
import { activityId, putActivity } from './captured-activity.js'
import { archiveNode, type CapturedNode, nodeId, putNode } from './captured-node.js'
import type { IngestCall } from './ingest.js'
import { moduleNodes, placeNodes, type RepoShape, shapeOf } from './repo-shape.js'
import { putSourceRoots, sourceRootsId } from './source-roots.js'

interface RepoInput {
  readonly path: string
  readonly include: readonly string[]
  readonly exclude: readonly string[]
  readonly force: boolean
}

interface RepoCall extends IngestCall {
  progress(done: number, total: number): void
}

interface CapturedRepo {
  readonly status: 'completed' | 'noop'
  readonly source: Source
  /** Skipped agent state that needs a decision. */
  readonly pending: readonly string[]
  readonly nodeIds: readonly string[]
  readonly knowledgeIds: readonly string[]
  readonly activityId: string
  readonly shape: RepoShape
  /** Ids of changed objects; empty if nothing changed. */
  readonly touched: readonly string[]
  readonly receipt: CommitReceipt | null
  readonly masked: readonly string[]
}

export interface IngestedRepo extends CapturedRepo {
  readonly patch: Patch
}

/** Nodes per commit; larger commits would delay other writers. */
const BATCH_SIZE = 100

/** A repository as a source: the index of its code, with nodes for its parts. Writes nothing if it is unchanged. */
export async function ingestRepo(context: Context, call: RepoCall, input: RepoInput): Promise<IngestedRepo> {
  return withPatch(context, await captureRepo(context, call, input))
}

async function captureRepo(env: Context, call: RepoCall, input: RepoInput): Promise<CapturedRepo> {
  const { code } = env.services
  checkPatterns(input.include, 'include_patterns')
  checkPatterns(input.exclude, 'exclude_patterns')
  const folder = await env.documents.folder(input.path)
  const pending = preflight(folder, input)
  const patterns: ScanPatterns = {
    include: normalPatterns(input.include),
    exclude: normalPatterns([...input.exclude, ...pending]),
    force: input.force,
  }
  const before = await knownSource(env, folder.path, call.owner)
  const same = before !== undefined && canonicalJson({ ...patternsOf(before) }) === canonicalJson({ ...patterns })
  const { source, report } = await code.index({
    owner: call.owner,
    path: folder.path,
    actor: call.actor,
    patterns,
    newId: stableId('src', `${call.owner}|source|repo|${folder.path}`),
    signal: call.signal,
    progress: ({ done, total }) => call.progress(done, total),
  })
  const files = await env.code.files(source.id)
  const fingerprint = repoFingerprint(files)
  const shape = shapeOf(folder, files, source)
  const masked = [...new Set(Object.values(report.masked).flat())]
  const places = placeNodes(call.owner, folder, shape, source)
  const activity = { ...activityOf(call.owner, shape, source, fingerprint), nodeIds: places.slice(0, 1).map(nodeId) }
  const made = {
    pending,
    shape,
    masked,
    nodeIds: places.map(nodeId),
    knowledgeIds: [sourceRootsId(call.owner, folder.path)],
    activityId: activityId(activity),
  }
  if (same && before.status === 'active' && before.fingerprint === fingerprint)
    return { ...made, status: 'noop', source, touched: [], receipt: null }
  const touched = await settleNodes(env, call, [...places, ...moduleNodes(call.owner, folder, shape, source)], source)
  const last = await finish(env, call, source.id, { fingerprint, shape, activity, root: folder.path })
  return { ...made, status: 'completed', source: last.source, touched: [...touched, ...last.touched], receipt: last.receipt }
}

/** Agent state at the root without a decision. */
const preflight = ({ entries }: FoundFolder, { exclude, force }: RepoInput): readonly string[] =>
  force ? [] : AGENT_STATE.filter((name) => entries.some((entry) => entry.name === name) && !isInScope(exclude, name))

async function knownSource(env: Environment, path: string, owner: string): Promise<Source | undefined> {
  return (await env.code.projects()).find((source) => source.owner === owner && source.origin === path)
}

const activityOf = (owner: string, { repoName, fileCount }: RepoShape, source: Source, fingerprint: string) => ({
  owner,
  kind: 'research' as const,
  title: `Captured repository ${repoName}`,
  summary: `A repository of ${fileCount} files, read from ${source.origin}.`,
  identity: `activity|repo_ingest|source|repo|${source.origin}|${fingerprint}`,
  sourceId: source.id,
})

/** Updates the nodes and archives missing ones; returns the ids of changed nodes. */
async function settleNodes(env: Environment, call: RepoCall, nodes: readonly CapturedNode[], source: Source): Promise<readonly string[]> {
  const known = await nodesOfSource(env, source)
  const touched: string[] = []
  const settle = async <T>(items: readonly T[], change: (item: T, at: Instant) => readonly Change[]): Promise<void> => {
    for (let from = 0; from < items.length; from += BATCH_SIZE) {
      call.signal.throwIfAborted()
      const some = items.slice(from, from + BATCH_SIZE).filter((item) => change(item, 0).length > 0)
      await setImmediate()
      if (some.length === 0) continue
      let stored: readonly Change[] = []
      await env.store.commit({ actor: call.actor, owners: [source.owner] }, (now) => {
        stored = some.flatMap((item) => change(item, now))
        return stored
      })
      touched.push(...touchedBy(stored))
    }
  }
  await settle(nodes, (node, now) => putNode(node, known.get(nodeId(node)), now))
  const current = new Set(nodes.map(nodeId))
  await settle(
    [...known.values()].filter(({ id }) => !current.has(id)),
    archiveNode,
  )
  return touched
}

/** Nodes captured from a source, including archived ones. */
async function nodesOfSource(env: Environment, source: Source): Promise<ReadonlyMap<string, Entity>> {
  const found = new Map<string, Entity>()
  const { store } = env
  let page = await store.pageEntities({ owner: source.owner, limit: 1000 })
  for (;;) {
    for (const entity of page.items) if (entity.metadata.source_id === source.id && entity.source === 'ingest') found.set(entity.id, entity)
    if (page.next === null) return found
    page = await store.pageEntities({ owner: source.owner, limit: 1000, after: page.next })
  }
}

interface IngestOutcome {
  readonly fingerprint: string
  readonly shape: RepoShape
  readonly activity: Parameters<typeof putActivity>[1]
  readonly root: string
}

/** The completing commit: it marks the source as captured. */
function finish(env: Environment, call: RepoCall, id: string, { fingerprint, shape, activity, root }: IngestOutcome) {
  return retryOnConflict(async () => {
    const { store } = env
    const [source] = await store.sources([id])
    if (source === undefined) throw new MemoryError('not_found', `Source not found: ${id}`)
    const knowledgeId = sourceRootsId(source.owner, root)
    const facts = new Map((await store.facts([activityId(activity), knowledgeId])).map((fact) => [fact.id, fact]))
    let stored: readonly Change[] = []
    let next = source
    const receipt = await store.commit({ actor: call.actor, owners: [source.owner] }, (at) => {
      const { payload, summary } = shape
      const captured = {
        identity_key: `source|repo|${root}`,
        content_type: 'repo_map',
        origin: { path: root },
        node_id: activity.nodeIds[0] ?? '',
      }
      const how = { adapter: adapterOf('repo', false), freshness: freshnessOf(fingerprint, at) }
      next = {
        ...source,
        fingerprint,
        status: 'active',
        metadata: { ...source.metadata, ...captured, ...how, summary, payload },
        updatedAt: at,
        version: source.version + 1,
      }
      stored = [
        { op: 'source.put', source: next, reason: 'ingest' },
        ...putActivity(env, activity, facts.get(activityId(activity)), { actor: call.actor, at }),
        ...putSourceRoots(
          env,
          { source, roots: shape.sourceRoots, nodeId: activity.nodeIds[0] ?? '', id: knowledgeId },
          facts.get(knowledgeId),
          {
            actor: call.actor,
            at,
          },
        ),
      ]
      return stored
    })
    return { source: next, receipt, touched: touchedBy(stored) }
  })
}
