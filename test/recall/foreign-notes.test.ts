import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { openWorld, type World } from '../graph/world.js'

const answer = z.object({
  results: z.array(
    z.object({
      content: z.string(),
      explain: z.object({ matched_terms: z.array(z.string()), path: z.array(z.string()).optional() }),
    }),
  ),
  confidence: z.number(),
  reranking: z.string(),
  notice: z.string().optional(),
})

const DOCTOR = 'Hausarzt: Dr. Weber in der Lindenstraße, Termine nur vormittags.'
const CONTRACT = 'Der Mietvertrag ist im blauen Ordner im Flur.'
const MEETING = 'La réunion avec les parents est le jeudi à dix-huit heures.'
const STORES = {
  german: [
    'Unser Hund heißt Bello und ist sechs Jahre alt.',
    DOCTOR,
    CONTRACT,
    'Unser Nachbar ist bis Ende Mai verreist.',
    'Die Heizung wird jeden Herbst von der Firma Kern gewartet.',
    'Das Auto ist unser zweites und muss im März zum TÜV.',
  ],
  french: [
    MEETING,
    'La voiture est chez le garagiste depuis lundi.',
    'Le médecin de Paul est en vacances.',
    'La clé de la cave est sous le pot de fleurs.',
    'Le loyer est payé le premier du mois.',
    'La poubelle est sortie le mardi soir.',
  ],
}

const worlds = new Map<string, World>()
beforeAll(async () => {
  for (const [language, notes] of Object.entries(STORES)) {
    const world = await openWorld({ embedder: 'local' })
    worlds.set(language, world)
    for (const content of notes) await world.call('memory/store_memory', { content })
  }
})
afterAll(async () => {
  for (const world of worlds.values()) await world.close()
})

async function asked(language: keyof typeof STORES, query: string): Promise<z.infer<typeof answer>> {
  return answer.parse(await worlds.get(language)?.call('memory/recall', { query, explain: true }))
}

describe('notes in the language of the question', () => {
  test('are not found by its small words', async () => {
    const { results } = await asked('german', 'Wer ist unser Hausarzt?')
    expect(results[0]?.content).toBe(DOCTOR)
    expect(new Set(results.flatMap(({ explain }) => explain.matched_terms))).toEqual(new Set(['hausarzt']))
  })

  test('are judged word by word in English', async () => {
    const { results, reranking, confidence, notice } = await asked('german', 'Wo ist der Mietvertrag?')
    expect(results[0]?.content).toBe(CONTRACT)
    expect(reranking).toBe('used')
    expect(confidence).toBeGreaterThan(0.5)
    expect(notice).toBeUndefined()
  })

  test('are as sure an answer as their own words tell, whatever these mean in English', async () => {
    const { results, confidence } = await asked('german', 'Wer ist unser Hausarzt?')
    expect(results[0]?.content).toBe(DOCTOR)
    expect(confidence).toBeGreaterThan(0.7)
  })

  test('are not linked by the article that they begin with', async () => {
    const { results } = await asked('french', 'Quand est la réunion ?')
    expect(results[0]?.content).toBe(MEETING)
    expect(results.flatMap(({ explain }) => explain.path?.slice(1, 2) ?? [])).toEqual([])
  })
})

describe('notes in another language than the question', () => {
  test.each([
    ['german', 'Who is our family doctor?', DOCTOR],
    ['german', 'in which folder is the rental contract', CONTRACT],
    ['french', 'When is the meeting with the parents?', MEETING],
  ] as const)('are found in %s: %s', async (language, question, note) => {
    const { results } = await asked(language, question)
    expect(results[0]?.content).toBe(note)
  })
})
