import type { JsonObject } from '../../core/json.js'
import type { Environment } from '../environment.js'
import { type Configuration, configurationOf, requirePackage } from './configuration.js'
import { type GraphHealth, graphHealth, takeInventory } from './inventory.js'

export interface DerivedState {
  readonly configuration: Configuration
  readonly semantic: JsonObject
  readonly graph: GraphHealth
}

/** How many texts of an owner have a vector. */
async function vectorState(env: Environment, owner: string): Promise<JsonObject> {
  const { facts, passages } = await env.backend.store.counts(owner)
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
  const { backlog } = env.backend
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
  return {
    configuration: await configurationOf(env, owner),
    semantic: await vectorState(env, owner),
    graph: await graphHealth(await takeInventory(env, owner)),
  }
}

export interface WantedIndexes {
  readonly graph: 'file' | 'kuzu' | undefined
  readonly semantic: 'lancedb' | undefined
}

export interface Watched {
  readonly signal: AbortSignal
  progress(done: number, total: number | null, message: string): void
}

/** Makes what is derived from an owner's objects anew. */
export async function reindex(env: Environment, owner: string, wanted: WantedIndexes, call: Watched): Promise<JsonObject> {
  const configuration = await configurationOf(env, owner)
  const graph = wanted.graph ?? configuration.graphBackend
  const semantic = wanted.semantic ?? configuration.semanticBackend
  if (graph === 'kuzu') await requirePackage(env, 'kuzu', 'graph_backend')
  if (semantic === 'lancedb') await requirePackage(env, 'lancedb', 'semantic_backend')
  await env.backend.upkeep.relink((done, total) => call.progress(done, total, 'links'), call.signal)
  env.vectoriser.drain()
  const state = await derivedState(env, owner)
  return {
    status: 'completed',
    count: 0,
    graph_sync: { status: 'completed', synced_objects: state.graph.records, synced_relations: state.graph.relations, backend: graph },
    semantic_index: {
      backend: state.semantic.backend ?? null,
      model: state.semantic.model ?? null,
      chunk_count: state.semantic.indexed_chunk_count ?? 0,
      integrity_check: state.semantic.stale_index === true ? 'pending' : 'ok',
    },
  }
}
