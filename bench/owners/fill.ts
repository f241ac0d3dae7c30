import { loadConfig } from '../../src/config.js'
import { createEngine } from '../../src/engine/engine.js'
import { importLines } from '../../src/engine/transfer/transfer.js'
import { hashVector } from '../../src/models/hash.js'
import { openParts } from '../../src/open.js'

const DIMENSIONS = 384
const THINGS = ['ladder', 'compass', 'kettle', 'lantern', 'anvil', 'loom', 'plough']

export const ownerName = (n: number): string => `owner-${n}`
/** A word that occurs in this note only. */
export const ownWord = (owner: number, n: number): string => `item${owner}x${n}`

const textOf = (owner: number, n: number): string =>
  `Note ${n}: ${ownWord(owner, n)} is on shelf ${n % 37} next to the ${THINGS[n % THINGS.length]} of room ${n % 11}.`

export type Model = 'hash' | 'local'
const MODEL_IDS: Readonly<Record<Model, string>> = { hash: 'hash-384', local: 'gte-small' }

/** Facts of all owners, interleaved as in a store with many users, with random vectors. */
export async function fillStore(directory: string, owners: number, facts: number, model: Model): Promise<void> {
  const { config } = loadConfig({ flags: { dataDir: directory, embedder: model }, env: {} })
  const { environment, backend, code } = await openParts(config, { log: { warn: () => undefined } })
  const engine = createEngine(environment, backend, code)
  try {
    await importLines(environment, lines(owners, facts, model), {
      actor: 'bench',
      progress: () => undefined,
      signal: new AbortController().signal,
    })
  } finally {
    await engine.close()
  }
}

async function* lines(owners: number, facts: number, model: Model): AsyncGenerator<string> {
  yield JSON.stringify({ mneme: 1, model: { id: MODEL_IDS[model], dimensions: DIMENSIONS } })
  for (let n = 0; n < facts; n++)
    for (let owner = 0; owner < owners; owner++) {
      const content = textOf(owner, n)
      const vector = Buffer.from(hashVector(content, DIMENSIONS).buffer).toString('base64')
      yield JSON.stringify({ content, user_id: ownerName(owner), vector })
    }
}
