import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'
import { loadConfig } from '../../src/config.js'
import { remember } from '../../src/engine/facts/remember.js'
import { openParts, type Parts } from '../../src/open.js'
import { root } from '../result.js'

const pair = z.object({
  id: z.string(),
  store: z.int(),
  kind: z.enum(['update', 'lookalike']),
  older: z.string(),
  newer: z.string(),
  query: z.string(),
})
export type Pair = z.infer<typeof pair>

/** The pairs of a file of bench/data/updates, by store. */
export function readPairs(name: string): readonly (readonly Pair[])[] {
  const lines = readFileSync(join(root, 'bench', 'data', 'updates', `${name}.jsonl`), 'utf8')
    .trim()
    .split('\n')
  const stores = new Map<number, Pair[]>()
  for (const line of lines) {
    const one = pair.parse(JSON.parse(line))
    stores.set(one.store, [...(stores.get(one.store) ?? []), one])
  }
  return [...stores.values()]
}

export interface PairStore {
  readonly env: Parts['environment']
  /** Id of a note of a pair. */
  readonly idOf: (pair: Pair, age: 'older' | 'newer') => string
}

/** Opens a store of these pairs: all older notes, then all newer ones, so that each query is answered among many other notes. */
export async function withPairStore<T>(pairs: readonly Pair[], use: (store: PairStore) => Promise<T>): Promise<T> {
  const dataDir = mkdtempSync(join(tmpdir(), 'mneme-updates-'))
  const { environment: env, backend } = await openParts(loadConfig({ flags: { dataDir }, env: {} }).config)
  try {
    const ids = new Map<string, string>()
    for (const age of ['older', 'newer'] as const)
      for (const one of pairs) {
        const [stored] = await remember(env, { actor: 'bench' }, [{ owner: 'default', text: one[age] }])
        if (stored !== undefined) ids.set(`${one.id} ${age}`, stored.id)
      }
    await env.embedding.embedPending()
    return await use({ env, idOf: ({ id }, age) => ids.get(`${id} ${age}`) ?? '' })
  } finally {
    await env.rerankStage.close()
    await backend.close()
    rmSync(dataDir, { recursive: true, force: true })
  }
}
