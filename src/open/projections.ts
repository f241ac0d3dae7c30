import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../config.js'
import type { EngineLog, Projections } from '../engine/environment.js'
import type { Store } from '../ports/store.js'

/** Creates pages if the substrate contract is served; other processes only update existing ones. */
export async function openProjections(config: Config, store: Store, log: EngineLog): Promise<Projections> {
  const root = join(config.dataDir, 'projections')
  const { createProjections, NO_PROJECTIONS } = await import('../engine/substrate/projections/projections.js')
  if (!config.profile.includes('substrate') && !existsSync(root)) return NO_PROJECTIONS
  const { createPageFolder } = await import('../backends/pages/page-folder.js')
  return createProjections({ store, log, folder: createPageFolder(root, config.owner) })
}
