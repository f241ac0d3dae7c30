import type { Fact, Instant, NewFact } from '../core/facts/fact.js'
import type { Source } from '../core/facts/source.js'
import type { Edge } from '../core/graph/edge.js'
import type { MemoryError } from '../errors.js'
import type { CommitReceipt } from '../ports/store.js'
import type { BehindAccess } from './access/room.js'
import { resolveAsOf } from './as-of.js'
import { relatedCode } from './code/code-graph.js'
import type { CodeMemory } from './code/code-memory.js'
import { type CodeSearchQuery, searchCode } from './code/search-code.js'
import type { ConcurrencyLimit } from './concurrency-limit.js'
import { dropRelations, type NewRelation, putRelation, relate } from './edges/relations.js'
import { traverse } from './edges/traverse.js'
import { checkNewEntity, createEntity, type NewEntity } from './entities/create-entity.js'
import { findNamed, loadNodes, type NodeRef, readNode } from './entities/nodes.js'
import type { Environment } from './environment.js'
import { remember } from './facts/remember.js'
import { replaceFact } from './facts/replace.js'
import { findFact, forget, type Invalidation, invalidate, type Revision, revise } from './facts/revise.js'
import type { createFollower } from './federation/room.js'
import { createEntityNode, createFactNode, type NewFactNode, type NewNode } from './graph/create-node.js'
import { type TraceQuery, tracePaths } from './graph/paths.js'
import type { SearchCache } from './graph/search-cache.js'
import { type NodeQuery, searchNodes } from './graph/search-nodes.js'
import { loadSubgraph, type SubgraphQuery } from './graph/subgraph.js'
import { summarise } from './graph/summaries.js'
import { findTriplets, type NewTriplet, putTriplet, type TripletQuery, tripletOf } from './graph/triplets.js'
import { deleteNode, markOutdated, type NodeUpdate, updateNode } from './graph/update-node.js'
import { undoActor, undoChange } from './history/undo.js'
import { versionsOf } from './history/versions.js'
import { forgetLast } from './hooks/forget-last.js'
import { onHook } from './hooks/hook.js'
import type { HookEvent } from './hooks/hook-event.js'
import { pauseCapture, pausedUntil } from './hooks/pause-capture.js'
import { type JobKind, type JobRun, runJob } from './jobs/run-job.js'
import { LEASE_US } from './lease-durations.js'
import { findSimilar, type LastCall, type Linker } from './links/similar.js'
import { diagnose } from './maintenance/diagnose.js'
import { eraseAll } from './maintenance/erase-all.js'
import { healthOf, pingStore } from './maintenance/health.js'
import { removeDanglingEdges } from './maintenance/remove-dangling-edges.js'
import { repairFutureDates } from './maintenance/repair-future-dates.js'
import { cacheOf, status } from './maintenance/status.js'
import { type RecallQuery, recall } from './recall/recall.js'
import { type MixedQuery, recallWithCode } from './recall/recall-with-code.js'
import { type SearchQuery, searchByMeaning, searchByWords } from './recall/single-index-search.js'
import type { AccessLog } from './stigmem/access-log.js'
import type { Cards } from './stigmem/cards.js'
import type { TotalsCache } from './stigmem/list.js'
import type { TrustCache } from './stigmem/speaker.js'
import type { Conversation, FileInput, IngestCall } from './substrate/evidence/ingest.js'
import type { RepoCall, RepoInput } from './substrate/evidence/ingest-repo.js'
import type { SegmentPage } from './substrate/evidence/segments.js'
import type { LazyIndexSync } from './substrate/lazy-index-sync.js'
import type { RecentQuery } from './substrate/objects/recent.js'
import type { ObjectQuery } from './substrate/objects/search.js'
import { type ExportOptions, exportLines, type ImportOptions, importLines } from './transfer/transfer.js'

/** What the rooms work with beside the environment: the work that goes on behind the calls. */
export interface EngineServices extends BehindAccess {
  readonly follower: ReturnType<typeof createFollower>
  readonly lastCall: LastCall
  readonly linker: Linker
  readonly cards: Cards
  readonly accesses: AccessLog
  /** How far sources are trusted, as it was last looked up. */
  readonly trust: TrustCache
  /** Through which recalls of statements go in. */
  readonly recalls: ConcurrencyLimit
  /** How long lists are, as they were last counted. */
  readonly totals: TotalsCache
  readonly searchCache: SearchCache
  readonly code: CodeMemory
  /** Databases that follow the store. */
  readonly derived: LazyIndexSync
}

type Progress = (done: number, total: number) => void
interface Unknown {
  /** How the caller's contract says that there is no such thing. */
  readonly unknown: (id: string) => MemoryError
}
interface By {
  readonly actor: string
  readonly connection: string
}

export const createFactsApi = (env: Environment) => ({
  find: (id: string, owner?: string | undefined) => findFact(env, id, owner),
  /** Newest first, ended ones too; with how many there are in all. */
  async list({ owner, ...page }: { readonly owner?: string | undefined; readonly limit: number; readonly offset: number }) {
    const by = owner === undefined ? {} : { owner }
    return { facts: await env.backend.store.listFacts({ ...by, ...page }), total: await env.backend.store.countFacts(by) }
  },
  /** Those that hold now, or held at an instant; newest first. */
  valid({ owner, at, limit }: { readonly owner?: string | undefined; readonly at?: Instant; readonly limit: number }) {
    const by = owner === undefined ? {} : { owner }
    return env.backend.store.listFacts({ ...by, validAt: resolveAsOf(env.clock, at), limit, offset: 0 })
  },
  remember: (by: By, facts: readonly NewFact[]) => remember(env, by.actor, facts, { connection: by.connection }),
  replace: (by: By, fact: NewFact & { readonly supersedes: string }, options: Unknown) =>
    replaceFact(env, by.actor, fact, { ...options, connection: by.connection }),
  revise: (actor: string, revision: Revision) => revise(env, actor, revision),
  invalidate: (actor: string, ending: Invalidation, options: Unknown) => invalidate(env, actor, ending, options),
  forget: (actor: string, input: Parameters<typeof forget>[2]) => forget(env, actor, input),
})

export const entitiesRoom = (env: Environment, { linker }: EngineServices) => ({
  create(
    actor: string,
    { owner = env.settings.defaultOwner, ...said }: Omit<NewEntity, 'owner'> & { readonly owner?: string | undefined },
  ) {
    checkNewEntity({ ...said, owner })
    return createEntity(env, actor, { ...said, owner })
  },
  find: (idOrName: string, owner: string | undefined) => findNamed(env, idOrName, owner),
  node: (id: string, owner: string) => readNode(env, id, owner),
  createFactNode: (by: By, node: NewFactNode) => createFactNode(env, linker, by, node),
  createEntityNode: (actor: string, node: NewNode) => createEntityNode(env, actor, node),
  update: (actor: string, update: NodeUpdate) => updateNode(env, linker, actor, update),
  remove: (actor: string, id: string, owner: string) => deleteNode(env, actor, id, owner),
  markOutdated: (actor: string, input: Parameters<typeof markOutdated>[2]) => markOutdated(env, actor, input),
})

const MAX_EDGES = 5000

export const edgesRoom = (env: Environment, { linker }: EngineServices) => ({
  relate: (actor: string, relation: NewRelation, options: Unknown) => relate(env, actor, relation, options),
  put: (actor: string, relation: Parameters<typeof putRelation>[2]) => putRelation(env, actor, relation),
  drop: (actor: string, relation: Parameters<typeof dropRelations>[2]) => dropRelations(env, actor, relation),
  of: (owner: string, node: string): Promise<readonly Edge[]> => env.backend.store.edges({ owner, nodes: [node], limit: MAX_EDGES }),
  summarise: (actor: string, input: Parameters<typeof summarise>[2]) => summarise(env, actor, input),
  /** What is reached from a node along stated relations, and the relations. */
  async related(start: NodeRef, options: Parameters<typeof traverse>[2]) {
    const { hops, edges } = await traverse(env, start, options)
    const ids = [...hops.keys()]
    const nodes = [...(await loadNodes(env, ids, start.owner)).values()]
    return {
      entities: nodes.flatMap((node) => (node.kind === 'entity' ? [node.entity] : [])),
      facts: nodes.flatMap((node) => (node.kind === 'fact' ? [node.fact] : [])),
      edges,
    }
  },
  async surroundings(query: SubgraphQuery) {
    const found = await loadSubgraph(env, query)
    linker.wake()
    return found
  },
  paths: (query: TraceQuery) => tracePaths(env, query),
  putTriplet: (actor: string, triplet: NewTriplet) => putTriplet(env, actor, triplet),
  triplet: (edgeId: string) => tripletOf(env, edgeId),
  triplets: (query: TripletQuery) => findTriplets(env, query),
})

export const searchRoom = (env: Environment, { linker, searchCache }: EngineServices) => ({
  recall: (query: RecallQuery) => recall(env, query),
  recallWithCode: (query: MixedQuery) => recallWithCode(env, query),
  byMeaning: (query: SearchQuery) => searchByMeaning(env, query),
  byWords: (query: SearchQuery) => searchByWords(env, query),
  async nodes(query: NodeQuery) {
    const found = await searchNodes(env, { cache: searchCache, linker }, query)
    linker.wake()
    return found
  },
  async similar(fact: Fact, query: Parameters<typeof findSimilar>[2]) {
    const found = await findSimilar(env, fact, query)
    linker.wake()
    return found
  },
  cache() {
    const searches = searchCache.stats()
    return { searches: env.backend.isRestricted === true ? { ...searches, size: 0 } : searches, embeddings: cacheOf(env) }
  },
})

export const captureRoom = (env: Environment) => ({
  /** A step of a conversation, as a hook tells it: what is kept of it, and what its model is told. Never fails. */
  onHook: (moment: HookEvent, signal: AbortSignal) => onHook(env, moment, signal),
  pause: (until: Instant) => pauseCapture(env, until),
  pausedUntil: () => pausedUntil(env),
  forgetLast: (actor: string) => forgetLast(env, actor),
})

export const codeRoom = (env: Environment, { code }: EngineServices) => ({
  index: code.index,
  report: code.report,
  projects: code.projects,
  remove: (project: string, by: { readonly owner: string; readonly actor: string }) =>
    code.remove(project, { ...by, store: env.backend.store }),
  search: (query: CodeSearchQuery) => searchCode(env, query),
  /** What a passage uses and what uses it; undefined when there is no such passage of that owner. */
  async related(id: string, owner: string | undefined, options: Parameters<typeof relatedCode>[2]) {
    const found = await env.backend.code.find(id)
    if (found === undefined || (owner !== undefined && found.passage.owner !== owner)) return undefined
    return relatedCode(env, found, options)
  },
})

/** Everything that has an id, as objects that refer to each other. Only one contract looks at them so: loaded on first use. */
export const objectsRoom = (env: Environment, behind: EngineServices) => ({
  load: async (ids: readonly string[], owner: string) => (await import('./substrate/objects/objects.js')).loadObjects(env, ids, owner),
  /** With what vectors were looked up in; null where there are none. */
  async search({ semantic, ...query }: Omit<ObjectQuery, 'nearest'> & { readonly semantic?: 'lancedb' | undefined }) {
    const { searchObjects } = await import('./substrate/objects/search.js')
    const { derived } = env
    const wanted =
      semantic ?? (await (await import('./substrate/knowledge/configuration.js')).configurationOf(env, query.owner)).semanticBackend
    if (env.embedder.disabled || derived === null || wanted !== 'lancedb')
      return { ...(await searchObjects(env, query)), semanticBackend: env.embedder.disabled ? null : 'built-in' }
    const { nearestTexts } = await import('./substrate/vector-table/semantic-index.js')
    const nearest: ObjectQuery['nearest'] = async (vector, owner, limit) => {
      await behind.derived.begin(owner)
      return nearestTexts(derived, owner, vector, limit)
    }
    return { ...(await searchObjects(env, { ...query, nearest })), semanticBackend: 'lancedb' }
  },
  /** From the copy of the graph where one is configured or asked for. */
  async around(id: string, owner: string, limit: number, graph?: 'file' | 'kuzu') {
    const { derived } = env
    const wanted = graph ?? (await (await import('./substrate/knowledge/configuration.js')).configurationOf(env, owner)).graphBackend
    if (derived === null || wanted !== 'kuzu') return (await import('./substrate/objects/around.js')).aroundObject(env, id, owner, limit)
    await behind.derived.begin(owner)
    return (await import('./substrate/graph-mirror/graph-mirror.js')).aroundInMirror(env, derived, { id, owner, limit })
  },
  evidence: async (fact: Fact) => (await import('./substrate/knowledge/evidence.js')).evidenceWithState(env, fact),
  rivals: async (facts: readonly Fact[]) => (await import('./substrate/knowledge/conflicts.js')).conflictsAmong(env, facts),
  recent: async (query: RecentQuery) => (await import('./substrate/objects/recent.js')).recentObjects(env, query),
})

/** Loaded on first need: most processes never capture anything. */
export const evidenceRoom = (env: Environment, { code }: EngineServices) => {
  const ingest = () => import('./substrate/evidence/ingest.js')
  /** With the names of what it left in the journal. */
  const named = async <T extends { readonly receipt: CommitReceipt | null; readonly source: Source; readonly touched: readonly string[] }>(
    captured: T,
  ) => {
    const { NO_PATCH, patchOf } = await import('./substrate/knowledge/patches.js')
    const { receipt, source, touched } = captured
    return { ...captured, patch: receipt === null ? NO_PATCH : await patchOf(env, source.owner, receipt, touched) }
  }
  return {
    file: async (call: IngestCall, input: FileInput) => named(await (await ingest()).ingestFile(env, call, input)),
    web: async (call: IngestCall, url: string) => named(await (await ingest()).ingestWeb(env, call, url)),
    conversation: async (call: IngestCall, said: Conversation) => named(await (await ingest()).ingestConversation(env, call, said)),
    repo: async (call: RepoCall, input: RepoInput) =>
      named(await (await import('./substrate/evidence/ingest-repo.js')).ingestRepo(env, code, call, input)),
    segment: async (source: Source, id: string) => (await import('./substrate/evidence/segments.js')).segmentById(env, source, id),
    text: async (source: Source) => (await import('./substrate/evidence/segments.js')).textOfDocument(env, source),
    segments: async (source: Source, page: SegmentPage) => (await import('./substrate/evidence/segments.js')).segmentsOf(env, source, page),
    /** What a source, or all of an owner, says over and over. */
    concepts: async (source: Source) => (await import('./substrate/concepts/source-concepts.js')).conceptsOfSource(env, source),
    conceptsOfOwner: async (owner: string) => (await import('./substrate/concepts/source-concepts.js')).conceptsOfOwner(env, owner),
    repoMap: async (source: Source, limit: number) => (await import('./substrate/evidence/repo-map.js')).repoMap(env, source, limit),
  }
}
export const historyRoom = (env: Environment) => ({
  /** Newest first, and the last entry whose contents were dropped for their age. */
  async entries(query: { readonly owner?: string; readonly target?: string; readonly before?: number; readonly limit: number }) {
    const entries = await env.backend.store.journal({ ...query, newestFirst: true })
    return { entries, trimmed: await env.backend.store.journalTrimmed() }
  },
  versions: (id: string, owner: string) => versionsOf(env, id, owner),
  undoChange: (actor: string, seq: number, owner?: string) => undoChange(env, actor, seq, owner),
  undoRun: (actor: string, run: string) => undoActor(env, actor, run),
})

export const jobsRoom = (env: Environment) => ({
  list: () => env.backend.jobs.list(),
  find: (kind: JobKind, owner: string) => env.backend.jobs.find(kind, owner),
  /** Whose facts are tended. */
  owners: async (): Promise<readonly string[]> =>
    env.settings.graph.jobs.allOwners ? env.backend.graph.owners() : env.settings.graph.jobs.owners,
  run: (job: JobRun) => runJob(env, job),
  /** Sets when a job runs next, unless someone is at it. */
  async plan(kind: JobKind, owner: string, holder: string, at: Instant): Promise<void> {
    const now = env.clock.now()
    const lease = await env.backend.jobs.take(kind, owner, holder, now, now + LEASE_US.plan)
    if (lease !== undefined) await env.backend.jobs.release(lease, at, null)
  },
})

export const transferRoom = (env: Environment) => ({
  export: (options: ExportOptions) => exportLines(env, options),
  import: (lines: AsyncIterable<string>, options: ImportOptions) => importLines(env, lines, options),
})

export const upkeepRoom = (env: Environment) => {
  const { maintenance: upkeep } = env.backend
  return {
    status: () => status(env),
    health: (signal: AbortSignal) => healthOf(env, signal),
    reach: () => pingStore(env),
    location: env.backend.location,
    census: (owner: string) => env.backend.graph.census(owner, env.clock.now()),
    examine: (signal: AbortSignal) => diagnose(env, signal),
    async mend(actor: string, options: { readonly acceptLoss: boolean; readonly signal: AbortSignal }) {
      const mended = await repairFutureDates(env, actor, options.signal)
      const removed = await removeDanglingEdges(env, actor, options.signal)
      return { ...mended, removed, lossAccepted: options.acceptLoss && (await upkeep.acceptLoss()) }
    },
    /** Words and links of every fact made anew; answers how many were linked. */
    async relink(progress: { readonly worded: Progress; readonly linked: Progress }, signal: AbortSignal): Promise<number> {
      await upkeep.reterm(progress.worded, signal)
      return upkeep.relink(progress.linked, signal)
    },
    reembed: (progress: Progress, signal: AbortSignal) => env.embedding.rebuild(progress, signal),
    compact: (full: boolean, progress: (message: string) => void, signal: AbortSignal) => upkeep.compact(full, progress, signal),
    backup: (target: string) => upkeep.backup(target),
    /** Erases everything of one owner, or of all (null). */
    erase: (actor: string, input: { readonly owner: string | null; readonly reason: string }) =>
      eraseAll(env, { ...input, actor, keepCopy: env.settings.resetCopy }),
  }
}
