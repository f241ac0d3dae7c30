import { expect, it } from 'vitest'
import { z } from 'zod'
import { dice } from '../../bench/graph/seed.js'
import { softDuplicatesOf } from '../../src/core/substrate/duplicates/soft-duplicates.js'
import { KNOWLEDGE, openSubstrate } from './bench.js'

/** Up to this number all pairs are compared; above it, those with most shared words. */
const MANY = 80

const answered = z.object({
  knowledge_id: z.string(),
  possible_duplicates: z.array(z.object({ object_id: z.string(), score: z.number() })),
})

it('duplicates reported for a new note equal those of an exhaustive comparison', async () => {
  const substrate = await openSubstrate({ embedder: 'none' })
  try {
    const random = dice(11)
    const pick = (words: string): string => words.split(' ')[Math.floor(random() * words.split(' ').length)] ?? ''
    const some = (count: number, words: string): string => Array.from({ length: count }, () => pick(words)).join(' ')
    const NOUNS = 'build deploy schema cache login'
    /** Filled-in forms: nearly all share most of their words. */
    const form = (i: number) => ({
      ...KNOWLEDGE,
      kind: pick('fact decision concept'),
      title: `${some(2, NOUNS)} ${i % 50} ${pick(NOUNS)}`,
      summary: `The ${some(2, NOUNS)} of team ${i % 40} ${pick('uses needs blocks follows')} the ${some(2, NOUNS)} since release ${Math.floor(random() * 90)}.`,
      subject_refs: [`node:${i % 9}`],
    })
    const entries = Array.from({ length: MANY }, (_, i) => ({ mode: 'knowledge', input_data: form(i) }))
    for (let index = 0; index < entries.length; index += 100)
      await substrate.ask('remember', 'batch', { entries: entries.slice(index, index + 100) })
    let result = 0
    for (let i = 0; i < 20; i++) {
      const { knowledge_id, possible_duplicates } = answered.parse(await substrate.ask('remember', 'knowledge', form(MANY + i)))
      const facts = await substrate.world.backend.store.listFacts({ limit: 2 * MANY + 100, offset: 0 })
      const own = facts.find(({ id }) => id === knowledge_id)
      if (own === undefined) throw new Error('It is not there.')
      const all = softDuplicatesOf(own, facts).map(({ fact, score }) => ({ object_id: fact.id, score }))
      expect(possible_duplicates.map(({ object_id, score }) => ({ object_id, score }))).toEqual(all)
      result += all.length
    }
    expect(result).toBeGreaterThan(8)
  } finally {
    await substrate.close()
  }
})
