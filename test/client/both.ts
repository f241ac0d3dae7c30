import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type ConnectOptions, connect } from '../../src/client/connect.js'
import type { MemoryClient } from '../../src/client/memory-client.js'
import { openMemory } from '../../src/library.js'
import { openHttp } from '../wire/wire.js'

export interface Reached {
  readonly url: string | undefined
  readonly memory: MemoryClient
  as(options: ConnectOptions): MemoryClient
  close(): Promise<void>
}

export async function openServer(...flags: readonly string[]): Promise<Reached & { readonly url: string }> {
  const dataDir = mkdtempSync(join(tmpdir(), 'mneme-client-'))
  const server = await openHttp(['--data-dir', dataDir, '--embedder', 'hash', ...flags])
  return {
    url: server.url,
    memory: connect(server.url),
    as: (options) => connect(server.url, options),
    async close() {
      await server.close()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

export async function openFile(): Promise<Reached> {
  const dataDir = mkdtempSync(join(tmpdir(), 'mneme-client-'))
  const local = await openMemory({ dataDir, embedder: 'hash' })
  return {
    url: undefined,
    memory: connect(local),
    as: (options) => connect(local, options),
    async close() {
      await local.close()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}
