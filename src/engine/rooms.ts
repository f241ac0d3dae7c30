import type { Edge } from '../core/edge.js'
import type { Fact, Instant, NewFact } from '../core/fact.js'
import type { Source } from '../core/source.js'
import type { MemoryError } from '../errors.js'
import type { Receipt } from '../ports/store.js'
import type { BehindAccess } from './access/room.js'
import { forgetLast } from './capture/forget-last.js'
import { onHook } from './capture/hook.js'
import type { HookMoment } from './capture/moment.js'
import { pauseCapture, pausedUntil } from './capture/pause-capture.js'
import type { Cards } from './cards/cards.js'
import { relatedCode } from './code/code-graph.js'
import type { CodeMemory } from './code/code-memory.js'
import { type CodeSearchQuery, searchCode } from './code/search-code.js'
import type { DerivedOnDemand } from './derived-on-demand.js'
import { createEntityNode, createFactNode, type NewFactNode, type NewNode } from './edges/create-node.js'
import { type TraceQuery, tracePaths } from './edges/paths.js'
import { dropRelations, type NewRelation, putRelation, relate } from './edges/relations.js'
import { summarise } from './edges/summaries.js'
import { type SurroundingsQuery, surroundingsOf } from './edges/surroundings.js'
import { traverse } from './edges/traverse.js'
import { findTriplets, type NewTriplet, putTriplet, type TripletQuery, tripletOf } from './edges/triplets.js'
import { checkNewEntity, createEntity, type NewEntity } from './entities/create-entity.js'
import { findNamed, loadNodes, type NodeRef, readNode } from './entities/nodes.js'
import { deleteNode, markOutdated, type NodeUpdate, updateNode } from './entities/update-node.js'
import type { Environment } from './environment.js'
import type { Conversation, FileInput, IngestCall } from './evidence/ingest.js'
import type { RepoCall, RepoInput } from './evidence/ingest-repo.js'
import type { SegmentPage } from './evidence/segments.js'
import { remember } from './facts/remember.js'
import { replaceFact } from './facts/replace.js'
import { findFact, forget, type Invalidation, invalidate, type Revision, revise } from './facts/revise.js'
import type { createFollower } from './federation/room.js'
import type { Gate } from './gate.js'
import { undoActor, undoChange } from './history/undo.js'
import { versionsOf } from './history/versions.js'
import { type JobKind, type JobRun, runJob } from './jobs/run-job.js'
import { LEASE_US } from './lease-times.js'
import { findSimilar, type LastCall, type Linker } from './links/similar.js'
import { momentOf } from './moment.js'
import type { RecentQuery } from './objects/recent.js'
import type { ObjectQuery } from './objects/search.js'
import { type RecallQuery, recall } from './search/recall.js'
import { type MixedQuery, recallWithCode } from './search/recall-with-code.js'
import { type SearchQuery, searchByMeaning, searchByWords } from './search/search.js'
import type { SearchCache } from './search/search-cache.js'
import { type NodeQuery, searchNodes } from './search/search-nodes.js'
import type { AccessLog } from './statements/access-log.js'
import type { KnownTotals } from './statements/list.js'
import type { KnownTrust } from './statements/speaker.js'
import { type ExportOptions, exportLines, type ImportOptions, importLines } from './transfer/transfer.js'
import { eraseAll } from './upkeep/erase-all.js'
import { examine } from './upkeep/examine.js'
import { healthOf, reachStore } from './upkeep/health.js'
import { removeEndless } from './upkeep/mend-edges.js'
import { mendTimes } from './upkeep/mend-times.js'
import { cacheOf, status } from './upkeep/status.js'

/** What the rooms work with beside the environment: the work that goes on behind the calls. */
export interface Behind extends BehindAccess {
  readonly follower: ReturnType<typeof createFollower>
  readonly lastCall: LastCall
  readonly linker: Linker
  readonly cards: Cards
  readonly accesses: AccessLog
  /** How far sources are trusted, as it was last looked up. */
  readonly trust: KnownTrust
  /** Through which recalls of statements go in. */
  readonly recalls: Gate
  /** How long lists are, as they were last counted. */
  readonly totals: KnownTotals
  readonly searchCache: SearchCache
  readonly code: CodeMemory
  /** Databases that follow the store. */
  readonly derived: DerivedOnDemand
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

export const factsRoom = (env: Environment) => ({
  find: (id: string, owner?: string | undefined) => findFact(env, id, owner),
  /** Newest first, ended ones too; with how many there are in all. */
  async list({ owner, ...page }: { readonly owner?: string | undefined; readonly limit: number; readonly offset: number }) {
    const by = owner === undefined ? {} : { owner }
    return { facts: await env.backend.store.listFacts({ ...by, ...page }), total: await env.backend.store.countFacts(by) }
  },
  /** Those that hold now, or held at an instant; newest first. */
  valid({ owner, at, limit }: { readonly owner?: string | undefined; readonly at?: Instant; readonly limit: number }) {
    const by = owner === undefined ? {} : { owner }
    return env.backend.store.listFacts({ ...by, validAt: momentOf(env.clock, at), limit, offset: 0 })
  },
  remember: (by: By, facts: readonly NewFact[]) => remember(env, by.actor, facts, { connection: by.connection }),
  replace: (by: By, fact: NewFact & { readonly supersedes: string }, options: Unknown) =>
    replaceFact(env, by.actor, fact, { ...options, connection: by.connection }),
  revise: (actor: string, revision: Revision) => revise(env, actor, revision),
  invalidate: (actor: string, ending: Invalidation, options: Unknown) => invalidate(env, actor, ending, options),
  forget: (actor: string, input: Parameters<typeof forget>[2]) => forget(env, actor, input),
})

export const entitiesRoom = (env: Environment, { linker }: Behind) => ({
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

const MOST_EDGES = 5000

export const edgesRoom = (env: Environment, { linker }: Behind) => ({
  relate: (actor: string, relation: NewRelation, options: Unknown) => relate(env, actor, relation, options),
  put: (actor: string, relation: Parameters<typeof putRelation>[2]) => putRelation(env, actor, relation),
  drop: (actor: string, relation: Parameters<typeof dropRelations>[2]) => dropRelations(env, actor, relation),
  of: (owner: string, node: string): Promise<readonly Edge[]> => env.backend.store.edges({ owner, nodes: [node], limit: MOST_EDGES }),
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
  async surroundings(query: SurroundingsQuery) {
    const found = await surroundingsOf(env, query)
    linker.wake()
    return found
  },
  paths: (query: TraceQuery) => tracePaths(env, query),
  putTriplet: (actor: string, triplet: NewTriplet) => putTriplet(env, actor, triplet),
  triplet: (edgeId: string) => tripletOf(env, edgeId),
  triplets: (query: TripletQuery) => findTriplets(env, query),
})

export const searchRoom = (env: Environment, { linker, searchCache }: Behind) => ({
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
    return { searches: env.backend.isPartial === true ? { ...searches, size: 0 } : searches, embeddings: cacheOf(env) }
  },
})

export const captureRoom = (env: Environment) => ({
  /** A step of a conversation, as a hook tells it: what is kept of it, and what its model is told. Never fails. */
  onHook: (moment: HookMoment, signal: AbortSignal) => onHook(env, moment, signal),
  pause: (until: Instant) => pauseCapture(env, until),
  pausedUntil: () => pausedUntil(env),
  forgetLast: (actor: string) => forgetLast(env, actor),
})

export const codeRoom = (env: Environment, { code }: Behind) => ({
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
export const objectsRoom = (env: Environment, behind: Behind) => ({
  load: async (ids: readonly string[], owner: string) => (await import('./objects/objects.js')).loadObjects(env, ids, owner),
  /** With what vectors were looked up in; null where there are none. */
  async search({ semantic, ...query }: Omit<ObjectQuery, 'nearest'> & { readonly semantic?: 'lancedb' | undefined }) {
    const { searchObjects } = await import('./objects/search.js')
    const { derived } = env
    const wanted = semantic ?? (await (await import('./governed/configuration.js')).configurationOf(env, query.owner)).semanticBackend
    if (env.embedder.disabled || derived === null || wanted !== 'lancedb')
      return { ...(await searchObjects(env, query)), semanticBackend: env.embedder.disabled ? null : 'built-in' }
    const { nearestTexts } = await import('./semantic/semantic-index.js')
    const nearest: ObjectQuery['nearest'] = async (vector, owner, limit) => {
      await behind.derived.begin(owner)
      return nearestTexts(derived, owner, vector, limit)
    }
    return { ...(await searchObjects(env, { ...query, nearest })), semanticBackend: 'lancedb' }
  },
  /** From the copy of the graph where one is configured or asked for. */
  async around(id: string, owner: string, limit: number, graph?: 'file' | 'kuzu') {
    const { derived } = env
    const wanted = graph ?? (await (await import('./governed/configuration.js')).configurationOf(env, owner)).graphBackend
    if (derived === null || wanted !== 'kuzu') return (await import('./objects/around.js')).aroundObject(env, id, owner, limit)
    await behind.derived.begin(owner)
    return (await import('./mirror/graph-mirror.js')).aroundInMirror(env, derived, { id, owner, limit })
  },
  evidence: async (fact: Fact) => (await import('./governed/evidence.js')).evidenceWithState(env, fact),
  rivals: async (facts: readonly Fact[]) => (await import('./governed/conflicts.js')).conflictsAmong(env, facts),
  recent: async (query: RecentQuery) => (await import('./objects/recent.js')).recentObjects(env, query),
})

/** Loaded on first need: most processes never capture anything. */
export const evidenceRoom = (env: Environment, { code }: Behind) => {
  const ingest = () => import('./evidence/ingest.js')
  /** With the names of what it left in the journal. */
  const named = async <T extends { readonly receipt: Receipt | null; readonly source: Source; readonly touched: readonly string[] }>(
    captured: T,
  ) => {
    const { NO_PATCH, patchOf } = await import('./governed/patches.js')
    const { receipt, source, touched } = captured
    return { ...captured, patch: receipt === null ? NO_PATCH : await patchOf(env, source.owner, receipt, touched) }
  }
  return {
    file: async (call: IngestCall, input: FileInput) => named(await (await ingest()).ingestFile(env, call, input)),
    web: async (call: IngestCall, url: string) => named(await (await ingest()).ingestWeb(env, call, url)),
    conversation: async (call: IngestCall, said: Conversation) => named(await (await ingest()).ingestConversation(env, call, said)),
    repo: async (call: RepoCall, input: RepoInput) =>
      named(await (await import('./evidence/ingest-repo.js')).ingestRepo(env, code, call, input)),
    segment: async (source: Source, id: string) => (await import('./evidence/segments.js')).segmentById(env, source, id),
    text: async (source: Source) => (await import('./evidence/segments.js')).textOfDocument(env, source),
    segments: async (source: Source, page: SegmentPage) => (await import('./evidence/segments.js')).segmentsOf(env, source, page),
    /** What a source, or all of an owner, says over and over. */
    concepts: async (source: Source) => (await import('./concepts/source-concepts.js')).conceptsOfSource(env, source),
    conceptsOfOwner: async (owner: string) => (await import('./concepts/source-concepts.js')).conceptsOfOwner(env, owner),
    repoMap: async (source: Source, limit: number) => (await import('./evidence/repo-map.js')).repoMap(env, source, limit),
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
  const { upkeep } = env.backend
  return {
    status: () => status(env),
    health: (signal: AbortSignal) => healthOf(env, signal),
    reach: () => reachStore(env),
    location: env.backend.location,
    census: (owner: string) => env.backend.graph.census(owner, env.clock.now()),
    examine: (signal: AbortSignal) => examine(env, signal),
    async mend(actor: string, options: { readonly acceptLoss: boolean; readonly signal: AbortSignal }) {
      const mended = await mendTimes(env, actor, options.signal)
      const removed = await removeEndless(env, actor, options.signal)
      return { ...mended, removed, lossAccepted: options.acceptLoss && (await upkeep.acceptLoss()) }
    },
    /** Words and links of every fact made anew; answers how many were linked. */
    async relink(progress: { readonly worded: Progress; readonly linked: Progress }, signal: AbortSignal): Promise<number> {
      await upkeep.reterm(progress.worded, signal)
      return upkeep.relink(progress.linked, signal)
    },
    reembed: (progress: Progress, signal: AbortSignal) => env.vectoriser.rebuild(progress, signal),
    compact: (full: boolean, progress: (message: string) => void, signal: AbortSignal) => upkeep.compact(full, progress, signal),
    backup: (target: string) => upkeep.backup(target),
    /** Erases everything of one owner, or of all (null). */
    erase: (actor: string, input: { readonly owner: string | null; readonly reason: string }) =>
      eraseAll(env, { ...input, actor, keepCopy: env.settings.resetCopy }),
  }
}
