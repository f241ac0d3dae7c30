import type { Environment } from '../../src/engine/environment.js'
import { recall } from '../../src/engine/recall/recall.js'
import { hashVector } from '../../src/models/hash.js'
import { ask, DIMENSIONS, fill, lines, median, opened, type Place, THINGS, textOf, tidy } from './measure.js'

const signal = new AbortController().signal
const QUESTIONS = 100
const NEIGHBOURS = 200
const EXACT = { searchMemoryMb: '8192' }

/** A memory limit below what this number of facts needs, so that the database is searched. */
const limited = (facts: number): Readonly<Record<string, string>> => ({
  searchMemoryMb: String(Math.max(1, Math.floor((facts * 1700) / 2 ** 20))),
})

/** Queries until the database index is used; returns seconds. */
async function built(env: Environment): Promise<number> {
  const since = performance.now()
  for (;;) {
    const view = await env.view('ann')
    view.close()
    if (view.approximate === true) return Math.round((performance.now() - since) / 1000)
    await new Promise((resolve) => setTimeout(resolve, 500))
  }
}

const idsOf = async (environment: Environment, n: number): Promise<readonly string[]> =>
  (await ask(environment, n)).results.map(({ fact }) => fact.id)

/** An owner searched in the database, compared with the exact search of the same facts. */
export async function largeOwner(place: Place, facts: number): Promise<object> {
  await opened(place, (environment) => fill(environment, lines(facts, true)))
  await tidy(place)
  return opened(
    place,
    (exact) =>
      opened(
        place,
        async (large) => {
          const buildSeconds = await built(large)
          const times: { readonly exact: number[]; readonly large: number[] } = { exact: [], large: [] }
          let [first, shared] = [0, 0]
          for (let n = 0; n < QUESTIONS; n++) {
            const began = performance.now()
            const wanted = await idsOf(exact, n * 37)
            const between = performance.now()
            const found = await idsOf(large, n * 37)
            times.exact.push(between - began)
            times.large.push(performance.now() - between)
            if (wanted[0] === found[0]) first++
            shared += wanted.filter((id) => found.includes(id)).length / Math.max(1, wanted.length)
          }
          return {
            facts,
            buildSeconds,
            neighboursFound: await neighboursFound(exact, large, facts),
            p50: { exact: median(times.exact), large: median(times.large) },
            sameFirst: first / QUESTIONS,
            sharedOfTen: Math.round((shared / QUESTIONS) * 1000) / 1000,
          }
        },
        limited(facts),
      ),
    EXACT,
  )
}

/** Share of the ten exact neighbours that the vector index finds; ties count. */
async function neighboursFound(exact: Environment, large: Environment, facts: number): Promise<number> {
  let [found, wanted] = [0, 0]
  for (let n = 0; n < NEIGHBOURS; n++) {
    const vector = hashVector(textOf((n * 7919) % facts).replace('is on', 'was on'), DIMENSIONS)
    const pool = { at: Date.now() * 1000, present: true }
    const [all, some] = [await exact.view('ann'), await large.view('ann')]
    const nearest = await all.vectors.search(vector, pool, 10)
    const min = nearest[nearest.length - 1]?.score ?? 0
    found += (await some.vectors.search(vector, pool, 10)).filter(({ score }) => score >= min - 1e-9).length
    wanted += nearest.length
    for (const view of [all, some]) view.close()
  }
  return Math.round((found / wanted) * 1000) / 1000
}

/** Searches with six words by keyword only. */
export async function wordsAmong(place: Place, facts: number): Promise<object> {
  await opened(place, (environment) => fill(environment, lines(facts, false)), { embedder: 'none' })
  await tidy(place)
  return opened(
    place,
    async (environment) => {
      const buildSeconds = await built(environment)
      const times: number[] = []
      for (let n = 0; n < QUESTIONS; n++) {
        const text = `Note ${n * 37}: item${n * 37} is next to the ${THINGS[n % THINGS.length]} of room ${n % 11}`
        const since = performance.now()
        await recall(environment, { text, limit: 10, owner: 'ann', effort: 'fast', signal })
        times.push(performance.now() - since)
      }
      times.sort((a, b) => a - b)
      return { facts, buildSeconds, words: { p50: median(times), p95: Math.round(times[Math.floor(QUESTIONS * 0.95)] ?? 0) } }
    },
    { embedder: 'none', ...limited(facts) },
  )
}
