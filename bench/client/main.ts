// npm run bench client -- [calls]: time that mneme/client adds to a call, without the network: `fetch` is replaced by a function that
// returns a prepared response, and called alone for comparison.
import { connect } from '../../src/client/connect.js'
import { saveResult } from '../result.js'

const CALLS = Number(process.argv[2] ?? 5000)
const RESULTS_PER_ANSWER = 10

const result = {
  id: 'a1b2c3d4e5f6',
  content: 'A fact of twenty words or so. '.repeat(4),
  memory_type: 'semantic',
  score: 1.5,
  relevance: 0.9,
}
const body = JSON.stringify({ results: Array.from({ length: RESULTS_PER_ANSWER }, () => result), query: 'q', recipe: 'default' })
const headers = { 'Content-Type': 'application/json', 'Content-Length': String(new TextEncoder().encode(body).length) }
const answer = async (): Promise<Response> => new Response(body, { headers })

async function median(call: () => Promise<unknown>): Promise<number> {
  const times: number[] = []
  for (let round = 0; round < CALLS; round++) {
    const startedAt = performance.now()
    await call()
    times.push(performance.now() - startedAt)
  }
  return times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0
}

const memory = connect('http://127.0.0.1:1', { owner: 'ann', fetch: answer })
const plain = async (): Promise<unknown> => JSON.parse(await (await answer()).text())
const rounded = (ms: number): number => Math.round(ms * 1000) / 1000

await median(() => memory.recall('warm up'))
const alone = await median(plain)
const recall = await median(() => memory.recall('where is the lamp?'))
const { results } = saveResult('client', {
  calls: CALLS,
  fetchMs: rounded(alone),
  recallMs: rounded(recall),
  addedMs: rounded(recall - alone),
})
process.stdout.write(`${JSON.stringify(results)}\n`)
