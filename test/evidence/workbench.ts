import { loadConfig } from '../../src/config.js'
import type { Segment } from '../../src/core/evidence/segments.js'
import { segmentsOf } from '../../src/engine/substrate/evidence/segments.js'
import type { OpenOptions } from '../../src/open.js'
import { temporaryFolder } from '../code/workbench.js'
import { type Opened, openBoth } from '../opened.js'

export { makeProject, removeTemporaryFolders, temporaryFolder, writeTree } from '../code/workbench.js'

export const CALL = { owner: 'default', actor: 'test', signal: new AbortController().signal }

export const openEvidence = (flags: Readonly<Record<string, unknown>> = {}, options: OpenOptions = {}): Promise<Opened> =>
  openBoth(loadConfig({ flags: { dataDir: temporaryFolder('evidence'), embedder: 'hash', ...flags } }).config, options)

/** All segments of a source. */
export async function allSegments({ environment }: Opened, sourceId: string): Promise<readonly Segment[]> {
  const [source] = await environment.store.sources([sourceId])
  return source === undefined ? [] : segmentsOf(environment, source, { from: 0, limit: 1_000_000 })
}

export const head = async ({ backend }: Opened): Promise<number> =>
  (await backend.store.journal({ newestFirst: true, limit: 1 }))[0]?.seq ?? 0
