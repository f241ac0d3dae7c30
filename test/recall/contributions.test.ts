import { afterEach, expect, test } from 'vitest'
import { CONTRACT_WEIGHTS } from '../../src/core/recall/recipe/recipe.js'
import { recall } from '../../src/engine/recall/recall.js'
import { openWorld, type World } from '../graph/world.js'
import { TUNED } from '../scored-candidate.js'
import { rememberAll, type Said } from './remember-all.js'

let world: World
afterEach(() => world.close())

/** The same numbers for the same seed. */
function createRandom(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff
    return (state >>> 8) % below
  }
}

const WORDS =
  'harbour office opens late gate code 4471 otter river bread dawn rent moved now Ann Otto lighthouse weather spring deploy server'.split(
    ' ',
  )
const STORES: readonly (readonly [string, (text: string, i: number) => Said])[] = [
  ['notes', (text) => ({ text })],
  ['conversations', (text, i) => ({ text, session: `s${i % 4}`, author: i % 2 === 0 ? 'Ann' : 'Otto' })],
  ['statements and titles', (text, i) => (i % 3 === 0 ? { text, subject: `Thing ${i % 5}` } : { text })],
]
const QUERIES_PER_STORE = 334

test.each(STORES)(
  'in a store of %s the contributions of every result add up to its score, which gives the order',
  async (_, toSaid) => {
    world = await openWorld()
    const random = createRandom(7)
    const sentence = (words: number): string => Array.from({ length: words }, () => WORDS[random(WORDS.length)]).join(' ')
    await rememberAll(
      world,
      Array.from({ length: 60 }, (_entry, i) => toSaid(sentence(3 + random(8)), i)),
    )
    const { signal } = new AbortController()
    let seen = 0
    for (let i = 0; i < QUERIES_PER_STORE; i++) {
      const recipe = i % 10 === 0 ? { ...TUNED, weights: CONTRACT_WEIGHTS } : TUNED
      const { results } = await recall(world.environment, { text: sentence(1 + random(6)), limit: 20, owner: 'default', recipe, signal })
      for (const [place, { contributions, score }] of results.entries()) {
        const sum = contributions.reduce((total, { value }) => total + value, 0)
        expect(Math.abs(sum - score)).toBeLessThan(1e-9)
        expect(score).toBeLessThanOrEqual(results[place - 1]?.score ?? Number.POSITIVE_INFINITY)
        seen++
      }
    }
    expect(seen).toBeGreaterThan(QUERIES_PER_STORE)
  },
  120_000,
)
