import type { ControlRecord } from '../../../core/access/control-record.js'
import type { JsonObject } from '../../../core/encoding/json.js'
import { MemoryError } from '../../../errors.js'
import type { DerivedKind } from '../../../ports/derived-index.js'
import type { Environment } from '../../environment.js'
import { retryOnConflict } from '../../facts/revise.js'
import { NO_PATCH, type Patch, patchOf } from '../patches/patches.js'

/** The derived databases of an owner. */
export interface Configuration {
  readonly graphBackend: 'file' | 'kuzu'
  /** Null for the built-in index. */
  readonly semanticBackend: 'lancedb' | null
}

const RECORD_KIND = 'settings'
const RECORD_NAME = 'substrate'
const DEFAULT_CONFIGURATION: Configuration = { graphBackend: 'file', semanticBackend: null }

function read({ graph_backend, semantic_backend }: JsonObject): Configuration {
  return {
    graphBackend: graph_backend === 'kuzu' ? 'kuzu' : 'file',
    semanticBackend: semantic_backend === 'lancedb' ? 'lancedb' : null,
  }
}

const stored = async (env: Environment, owner: string): Promise<ControlRecord | undefined> =>
  (await env.store.arrangements({ kind: RECORD_KIND, owner, name: RECORD_NAME }))[0]

export async function configurationOf(env: Environment, owner: string): Promise<Configuration> {
  const known = await stored(env, owner)
  return known === undefined ? DEFAULT_CONFIGURATION : read(known.data)
}

interface ConfigureContext {
  readonly owner: string
  readonly actor: string
}

/** Changes the given settings if the required packages are installed. Stored with the memory and journalled. */
export async function configure(
  env: Environment,
  changes: Partial<Configuration>,
  caller: ConfigureContext,
): Promise<Patch & { readonly configuration: Configuration }> {
  if (changes.semanticBackend === 'lancedb') await requirePackage(env, 'lancedb', 'semantic_backend')
  if (changes.graphBackend === 'kuzu') await requirePackage(env, 'kuzu', 'graph_backend')
  return retryOnConflict(async () => {
    const known = await stored(env, caller.owner)
    const before = known === undefined ? DEFAULT_CONFIGURATION : read(known.data)
    const configuration: Configuration = { ...before, ...changes }
    const same = configuration.graphBackend === before.graphBackend && configuration.semanticBackend === before.semanticBackend
    if (same) return { ...NO_PATCH, configuration }
    const data = { graph_backend: configuration.graphBackend, semantic_backend: configuration.semanticBackend }
    const receipt = await env.store.commit({ actor: caller.actor, owners: [caller.owner] }, (at) => [
      {
        op: 'arrangement.put',
        arrangement: {
          ...{ kind: RECORD_KIND, id: known?.id ?? env.ids.mint(), owner: caller.owner, name: RECORD_NAME, data },
          ...{ createdAt: known?.createdAt ?? at, updatedAt: at, version: (known?.version ?? 0) + 1 },
        },
        reason: 'configure',
      },
    ])
    return { ...(await patchOf(env, caller.owner, receipt, [])), configuration }
  })
}

/** Rejects a database whose package is missing. */
export async function requirePackage(env: Environment, kind: DerivedKind, setting: string): Promise<void> {
  const missing = env.derived === null ? undefined : await env.derived.missing(kind)
  if (env.derived !== null && missing === undefined) return
  const named = missing === undefined ? '' : ` (${missing.name} ${missing.version})`
  throw new MemoryError('unavailable', `${setting} '${kind}' needs a package that is not installed${named}; nothing was changed`, {
    hint: missing === undefined ? 'Use the built-in one.' : `Install it with: ${missing.command}`,
  })
}
