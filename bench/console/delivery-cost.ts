import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { loadConfig } from '../../src/config.js'
import { memory } from '../../src/contracts/memory/contract.js'
import { remember } from '../../src/engine/facts/remember.js'
import { openEngine } from '../../src/open.js'

const CALLS = 600
const FACTS = 1000

const median = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

/** What the log of deliveries adds to `recall`: two engines with 1,000 facts, asked in turn, without embeddings. p50 in ms. */
export async function measureDeliveryCost(): Promise<{ readonly withoutMs: number; readonly withMs: number }> {
  const folders = ['off', '30'].map((days) => ({ days, dataDir: mkdtempSync(join(tmpdir(), `mneme-deliveries-${days}-`)) }))
  const operation = memory.operations.find(({ name }) => name === 'recall')
  if (operation === undefined) throw new Error('There is no operation recall.')
  const engines = []
  for (const { days, dataDir } of folders) {
    const engine = await openEngine(loadConfig({ flags: { dataDir, embedder: 'none', deliveryLog: days }, env: {} }).config)
    const facts = Array.from({ length: FACTS }, (_, i) => ({ text: `Service ${i} of team ${i % 40} listens on port ${4000 + i}` }))
    await remember(engine.context(), { actor: 'bench' }, facts)
    engines.push(engine)
  }
  const times: number[][] = engines.map(() => [])
  for (let call = 0; call < CALLS; call++)
    for (const [i, engine] of engines.entries()) {
      const caller = { context: engine.context(), actor: 'bench', connection: `c${call}`, progress: () => undefined }
      const started = performance.now()
      await operation.call(caller, { query: `which port has service ${call} of team ${call % 40}` })
      if (call >= CALLS / 6) times[i]?.push(performance.now() - started)
    }
  for (const engine of engines) await engine.close()
  for (const { dataDir } of folders) rmSync(dataDir, { recursive: true, force: true })
  const [withoutMs = 0, withMs = 0] = times.map((values) => Math.round(1000 * median(values)) / 1000)
  return { withoutMs, withMs }
}
