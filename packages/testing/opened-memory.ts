import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openMemory } from 'mneme'
import { connect, type MemoryClient } from 'mneme/client'

/** A memory in a temporary folder. */
export async function openedMemory(owner?: string): Promise<{ readonly memory: MemoryClient; close(): Promise<void> }> {
  const dataDir = mkdtempSync(join(tmpdir(), 'mneme-adapter-'))
  const engine = await openMemory({ dataDir, embedder: 'hash' })
  return {
    memory: connect(engine, owner === undefined ? {} : { owner }),
    async close() {
      await engine.close()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}
