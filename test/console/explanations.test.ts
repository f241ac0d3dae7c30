import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { loadConfig } from '../../src/config.js'
import type { AskAnswer } from '../../src/contracts/console/ask.js'
import { consoleContract } from '../../src/contracts/console/contract.js'
import type { WhyNotAnswer } from '../../src/contracts/console/why-not.js'
import { makeDemo } from '../../src/demo/make-demo.js'
import { createSeededRandom } from '../../src/demo/seeded-random.js'
import type { Engine } from '../../src/engine/engine.js'
import { openEngine } from '../../src/open.js'
import { runs } from '../runs.js'
import { removeTemporaryFolders, temporaryFolder } from '../wire/program.js'

const QUESTIONS = runs(100, 500)
const MAX_RESULTS = 50

interface Known {
  readonly id: string
  readonly owner: string
  readonly text: string
}

let engine: Engine
let facts: readonly Known[]

beforeAll(async () => {
  const folder = temporaryFolder()
  const { config } = loadConfig({ flags: { dataDir: folder, embedder: 'hash', logLevel: 'error' }, env: {} })
  await makeDemo({ config, open: openEngine, repository: join(temporaryFolder(), 'atlas-api'), report: () => undefined })
  engine = await openEngine(config)
  const found: Known[] = []
  for (let after: string | undefined; ; ) {
    const page = await call<{ facts: Known[]; next?: string | null }>('browse', { limit: 200, ...(after === undefined ? {} : { after }) })
    found.push(...page.facts)
    if (page.next === undefined || page.next === null) break
    after = page.next
  }
  facts = found
}, 120_000)
afterAll(async () => {
  await engine.close()
  removeTemporaryFolders()
})

async function call<T>(tool: string, input: object): Promise<T> {
  const operation = consoleContract.operations.find(({ name }) => name === tool)
  const answer = await operation?.call({ context: engine.context(), actor: 'test', connection: 'test', progress: () => undefined }, input)
  return JSON.parse(JSON.stringify(answer))
}

interface Asked {
  readonly question: string
  readonly effort: string
  readonly limit: number
  readonly owner?: string
  readonly as_of?: string
}

/** The result that represents a fact: its own, or that of a better-ranked fact with the same content. */
const placeOf = ({ results }: AskAnswer, { id, text }: Known): number =>
  results.findIndex((result) => result.id === id || result.text.trim().toLowerCase() === text.trim().toLowerCase())

test('parts of a score add up to it and give the order, and every reason for leaving a fact out is the one', async () => {
  const { next, below, pick } = createSeededRandom(27)
  const wordsOf = (text: string): readonly string[] => text.split(/\s+/).filter((word) => word.length > 3)
  const reasons = new Map<string, number>()
  for (let i = 0; i < QUESTIONS; i++) {
    const about = pick(facts)
    const question = Array.from({ length: 1 + below(4) }, () => pick(['atlas', ...wordsOf(about.text)])).join(' ')
    const fact = next() < 0.5 ? about : pick(facts)
    const owner = next() < 0.5 ? undefined : pick([fact.owner, pick(facts).owner])
    let asked: Asked = { question, effort: 'fast', limit: 1 + below(10), ...(owner === undefined ? {} : { owner }) }
    for (let removed: string | null = ''; removed !== null; ) {
      const answer = await call<AskAnswer>('ask', asked)
      for (const [place, { contributions, score, told }] of answer.results.entries()) {
        expect(Math.abs(contributions.reduce((sum, { value }) => sum + value, 0) - score)).toBeLessThan(1e-9)
        expect(score).toBeLessThanOrEqual(answer.results[place - 1]?.score ?? Number.POSITIVE_INFINITY)
        if (place === 0) expect(told).toBe(true)
      }
      const verdict = await call<WhyNotAnswer>('why_not', { ...asked, id: fact.id })
      const place = placeOf(answer, fact)
      const said = `${JSON.stringify(asked)} ${fact.id}: ${verdict.dropped}, ${place}`
      reasons.set(String(verdict.dropped), (reasons.get(String(verdict.dropped)) ?? 0) + 1)
      // A removed reason does not come back.
      expect(verdict.dropped, said).not.toBe(removed)
      removed = verdict.dropped
      if (removed === null) {
        expect(place + 1, said).toBe(verdict.rank)
        expect(answer.results[place]?.told, said).toBe(true)
      } else if (removed === 'owner') {
        expect(answer.results.some(({ id }) => id === fact.id)).toBe(false)
        asked = { ...asked, owner: fact.owner }
      } else if (removed === 'validity') {
        expect(answer.results.some(({ id }) => id === fact.id)).toBe(false)
        asked = { ...asked, as_of: String(verdict.held_at) }
      } else if (removed === 'candidates') {
        expect(placeOf(await call<AskAnswer>('ask', { ...asked, limit: MAX_RESULTS }), fact), said).toBe(-1)
        asked = { ...asked, question: fact.text, owner: fact.owner, limit: MAX_RESULTS }
      } else if (removed === 'floor') {
        const all = await call<AskAnswer>('ask', { ...asked, limit: MAX_RESULTS })
        expect(all.results[placeOf(all, fact)]?.told, said).toBe(false)
        removed = null
      } else {
        expect(verdict.rank, said).toBeGreaterThan(asked.limit)
        asked = { ...asked, limit: verdict.rank ?? MAX_RESULTS }
      }
    }
  }
  for (const reason of ['null', 'owner', 'validity', 'candidates', 'limit'])
    expect(reasons.get(reason), reason).toBeGreaterThan(QUESTIONS / 50)
}, 300_000)
