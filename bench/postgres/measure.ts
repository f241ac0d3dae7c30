import pg from 'pg'
import { loadConfig } from '../../src/config.js'
import { createEngine } from '../../src/engine/engine.js'
import type { Environment } from '../../src/engine/environment.js'
import { remember } from '../../src/engine/facts/remember.js'
import { type RecallAnswer, recall } from '../../src/engine/recall/recall.js'
import { importLines } from '../../src/engine/transfer/transfer.js'
import { hashVector } from '../../src/models/hash.js'
import { openParts } from '../../src/open.js'

export interface Place {
  readonly name: string
  readonly flags: Readonly<Record<string, string>>
}

export const DIMENSIONS = 384
const CALLS = 200
const CLIENTS = 64
export const THINGS = ['ladder', 'compass', 'kettle', 'lantern', 'anvil', 'loom', 'plough']
export const textOf = (n: number): string => `Note ${n}: item${n} is on shelf ${n % 37} next to the ${THINGS[n % 7]} of room ${n % 11}.`
const signal = new AbortController().signal

export async function opened<T>(
  place: Place,
  work: (environment: Environment) => Promise<T>,
  flags: Readonly<Record<string, string>> = {},
): Promise<T> {
  const { config } = loadConfig({ flags: { embedder: 'hash', databaseConnections: '20', ...place.flags, ...flags }, env: {} })
  const { environment, backend, code } = await openParts(config, { log: { warn: () => undefined } })
  const engine = createEngine(environment, backend, code)
  try {
    return await work(environment)
  } finally {
    await engine.close()
  }
}

export async function* lines(facts: number, vectors: boolean, owner: (n: number) => string = () => 'ann'): AsyncGenerator<string> {
  yield JSON.stringify({ mneme: 1, ...(vectors ? { model: { id: `hash-${DIMENSIONS}`, dimensions: DIMENSIONS } } : {}) })
  for (let n = 0; n < facts; n++) {
    const content = textOf(n)
    const vector = vectors ? { vector: Buffer.from(hashVector(content, DIMENSIONS).buffer).toString('base64') } : {}
    yield JSON.stringify({ content, user_id: owner(n), ...vector })
  }
}

export const fill = (environment: Environment, facts: AsyncGenerator<string>) =>
  importLines(environment, facts, { actor: 'bench', progress: () => undefined, signal })

const percentile = (sorted: readonly number[], share: number): number =>
  Math.round((sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0) * 100) / 100

export const median = (times: readonly number[]): number =>
  percentile(
    [...times].sort((a, b) => a - b),
    0.5,
  )

async function timed(calls: number, call: (n: number) => Promise<unknown>): Promise<{ readonly p50: number; readonly p95: number }> {
  const times: number[] = []
  for (let n = 0; n < calls; n++) {
    const since = performance.now()
    await call(n)
    times.push(performance.now() - since)
  }
  times.sort((a, b) => a - b)
  return { p50: percentile(times, 0.5), p95: percentile(times, 0.95) }
}

export const ask = (environment: Environment, n: number): Promise<RecallAnswer> =>
  recall(environment, { text: `where is item${n} and the ${THINGS[n % 7]}?`, limit: 10, owner: 'ann', effort: 'fast', signal })

/** What autovacuum does within a minute of an import. */
export async function tidy({ flags: { database } }: Place): Promise<void> {
  if (database === undefined) return
  const client = new pg.Client({ connectionString: database })
  await client.connect()
  await client.query('VACUUM ANALYZE')
  await client.end()
}

/** Recall and store at a size, the server's CPU for each, and the first search of a cold process. */
export async function latency(place: Place, facts: number, cpu: () => number): Promise<object> {
  await opened(place, (environment) => fill(environment, lines(facts, true)))
  await tidy(place)
  const cold = await opened(place, async (environment) => {
    const since = performance.now()
    await ask(environment, 1)
    return Math.round(performance.now() - since)
  })
  return opened(place, async (environment) => {
    await ask(environment, 1)
    const beforeRecalls = cpu()
    const recalls = await timed(CALLS, (n) => ask(environment, n * 37))
    const recallCpu = (cpu() - beforeRecalls) / CALLS
    const beforeStores = cpu()
    const stores = await timed(CALLS, (n) =>
      remember(environment, { actor: 'bench' }, [{ owner: 'ann', text: `New item${n} is on shelf ${n}.` }]),
    )
    const storeCpu = (cpu() - beforeStores) / CALLS
    return { place: place.name, recall: recalls, store: stores, coldMs: cold, serverCpuMs: { recall: recallCpu, store: storeCpu } }
  })
}

/** Writes of many clients of one node for one owner, and import, both without vectors. */
export const throughput = (place: Place, seconds: number): Promise<object> =>
  opened(
    place,
    async (environment) => {
      const endAt = performance.now() + seconds * 1000
      let stored = 0
      const write = async (client: number): Promise<void> => {
        for (let n = 0; performance.now() < endAt; n++) {
          await remember(environment, { actor: 'bench' }, [
            { owner: 'ann', text: `Client ${client} says that item${n} is on shelf ${n % 9}.` },
          ])
          stored++
        }
      }
      await Promise.all(Array.from({ length: CLIENTS }, (_, client) => write(client)))
      const since = performance.now()
      const imported = 10_000
      await fill(
        environment,
        lines(imported, false, () => 'bob'),
      )
      return {
        storesPerSecond: Math.round(stored / seconds),
        importPerSecond: Math.round((imported * 1000) / (performance.now() - since)),
      }
    },
    { embedder: 'none' },
  )
