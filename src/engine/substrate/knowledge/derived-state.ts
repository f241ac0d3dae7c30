import type { JsonObject } from '../../../core/encoding/json.js'
import type { DerivedBackends } from '../../../ports/derived-index.js'
import type { Context } from '../../context.js'
import type { Environment } from '../../environment.js'
import { type MirrorState, mirrorState } from '../graph-mirror/graph-mirror.js'
import { semanticState } from '../vector-table/semantic-index.js'
import { type Configuration, configurationOf, requirePackage } from './configuration.js'
import { type GraphHealth, graphHealth, loadInventory } from './inventory.js'

interface DerivedState {
  readonly configuration: Configuration
  readonly semantic: JsonObject
  readonly graph: GraphHealth
  /** The graph copy; null without one. */
  readonly mirror: MirrorState | null
}

/** Number of an owner's texts with a vector. */
async function vectorState(env: Environment, owner: string): Promise<JsonObject> {
  const { facts, passages } = await env.store.counts(owner)
  const chunks = facts + passages
  if (env.embedder.disabled)
    return {
      backend: null,
      model: null,
      canonical_chunk_count: chunks,
      indexed_chunk_count: 0,
      missing_from_index: chunks,
      stale_index: false,
    }
  const { backlog } = env
  const waiting = Math.min(chunks, (await backlog.pending('facts')) + (await backlog.pending('passages')))
  return {
    backend: 'built-in',
    model: env.embedder.model.id,
    canonical_chunk_count: chunks,
    indexed_chunk_count: chunks - waiting,
    missing_from_index: waiting,
    stale_index: waiting > 0,
  }
}

export async function derivedState(env: Environment, owner: string): Promise<DerivedState> {
  const configuration = await configurationOf(env, owner)
  const { derived } = env
  return {
    configuration,
    semantic:
      configuration.semanticBackend === 'lancedb' && derived !== null
        ? await tableState(env, derived, owner)
        : await vectorState(env, owner),
    graph: await graphHealth(await loadInventory(env, owner)),
    mirror: configuration.graphBackend === 'kuzu' && derived !== null ? await mirrorState(env, derived, owner) : null,
  }
}

/** The same for the LanceDB table. */
async function tableState(env: Environment, derived: DerivedBackends, owner: string): Promise<JsonObject> {
  const { model, canonical, indexed, missing, surplus } = await semanticState(env, derived, owner)
  return {
    backend: 'lancedb',
    model,
    canonical_chunk_count: canonical,
    indexed_chunk_count: indexed,
    missing_from_index: missing,
    stale_index: missing > 0 || surplus > 0 || model !== env.embedder.model.id,
  }
}

interface WantedIndexes {
  readonly graph: 'file' | 'kuzu' | undefined
  readonly semantic: 'lancedb' | undefined
}

type Progress = (done: number, total: number | null, message: string) => void

const AT_ONCE = 200

/** Restates relations derived from references of the owner's objects; `mneme reindex` rebuilds terms and mentions of all owners. */
async function restateAll({ graph, signal }: Context, owner: string, progress: Progress): Promise<void> {
  let after: number | null = 0
  for (let done = AT_ONCE; after !== null; done += AT_ONCE) {
    signal.throwIfAborted()
    after = await graph.rebuildReferenceEdges(owner, after, AT_ONCE)
    progress(done, null, 'relations')
  }
}

/** Rebuilds the indexes derived from an owner's objects. */
export async function reindexObjects(context: Context, owner: string, wanted: WantedIndexes, progress: Progress): Promise<JsonObject> {
  const configuration = await configurationOf(context, owner)
  const graph = wanted.graph ?? configuration.graphBackend
  const semantic = wanted.semantic ?? configuration.semanticBackend
  if (graph === 'kuzu') await requirePackage(context, 'kuzu', 'graph_backend')
  if (semantic === 'lancedb') await requirePackage(context, 'lancedb', 'semantic_backend')
  await restateAll(context, owner, progress)
  context.embedding.drain()
  const count = await context.projections.rebuild(owner)
  if (semantic === 'lancedb' && !context.embedder.disabled) await context.services.derived.rebuild('lancedb', owner)
  if (graph === 'kuzu') await context.services.derived.rebuild('kuzu', owner)
  const state = await derivedState(context, owner)
  const mirrored = graph === 'kuzu' && context.derived !== null ? await (await context.derived.graph()).counts(owner) : undefined
  const synced = mirrored ?? state.graph
  return {
    status: 'completed',
    count,
    graph_sync: { status: 'completed', synced_objects: synced.records, synced_relations: synced.relations, backend: graph },
    semantic_index: {
      backend: state.semantic.backend ?? null,
      model: state.semantic.model ?? null,
      chunk_count: state.semantic.indexed_chunk_count ?? 0,
      integrity_check: state.semantic.stale_index === true ? 'pending' : 'ok',
    },
  }
}
