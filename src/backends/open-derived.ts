import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Clock } from '../ports/clock.js'
import type { DerivedBackends, GraphMirror, SemanticTable } from '../ports/derived-index.js'
import { loadPackage, missingPackage } from './derived/optional-package.js'
import type { Ladybug } from './kuzu/kuzu-package.js'
import type { Lancedb } from './lancedb/lancedb-package.js'

/** Derived databases in the data directory, each loaded on first use. */
export function openDerived(dataDir: string, clock: Clock): DerivedBackends {
  let table: Promise<SemanticTable> | undefined
  let mirror: Promise<GraphMirror> | undefined

  const openTable = async (): Promise<SemanticTable> => {
    const lancedb = await loadPackage<Lancedb>('lancedb', dataDir)
    const folder = join(dataDir, 'indexes', 'lancedb')
    await mkdir(folder, { recursive: true })
    const { openSemanticTable } = await import('./lancedb/semantic-table.js')
    return openSemanticTable(lancedb, folder, clock)
  }

  const openMirror = async (): Promise<GraphMirror> => {
    const ladybug = await loadPackage<Ladybug>('kuzu', dataDir)
    const { openGraphMirror } = await import('./kuzu/graph-mirror.js')
    return openGraphMirror(ladybug, join(dataDir, 'indexes', 'kuzu'), clock)
  }

  return {
    present: () => existsSync(join(dataDir, 'indexes')),
    missing: async (kind) => missingPackage(kind, dataDir),
    semantic() {
      table ??= openTable().catch((failure: unknown) => {
        table = undefined
        throw failure
      })
      return table
    },
    graph() {
      mirror ??= openMirror().catch((failure: unknown) => {
        mirror = undefined
        throw failure
      })
      return mirror
    },
    async close() {
      await (await table?.catch(() => undefined))?.close()
      await (await mirror?.catch(() => undefined))?.close()
    },
  }
}
