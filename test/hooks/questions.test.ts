import { afterAll, beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import { openWorld, type World } from '../graph/world.js'

const PEOPLE = ['Nora', 'Ben', 'Alma', 'Viktor', 'Jonas', 'Mila', 'Oskar', 'Priya', 'Tariq', 'Wanda', 'Yusuf', 'Zoe']
const DOCTORS = ['Weiss', 'Okafor', 'Lindqvist', 'Moreau', 'Tanaka', 'Kowalski', 'Haddad', 'Silva', 'Novak', 'Brandt', 'Ferrari', 'Osei']
const CITIES = ['Ghent', 'Porto', 'Graz', 'Turku', 'Leiden', 'Bergen', 'Lyon', 'Krakow', 'Split', 'Cork', 'Malmo', 'Bari']
const FOODS = ['eggs', 'sesame', 'celery', 'peanuts', 'shrimp', 'mustard', 'lupin', 'walnuts', 'soy', 'oysters', 'milk', 'wheat']
const PETS = ['parrot', 'hamster', 'tortoise', 'ferret', 'goldfish', 'rabbit', 'lizard', 'canary', 'gecko', 'donkey', 'goat', 'hen']
const TOOLS = ['lathe', 'loom', 'kiln', 'anvil', 'press', 'planer', 'easel', 'forge', 'drill', 'sander', 'router', 'chisel']

const NOTES = PEOPLE.flatMap((name, i) => [
  `The dentist of ${name} is called ${DOCTORS[i]}.`,
  `${name} was born in ${CITIES[i]}.`,
  `${name} is allergic to ${FOODS[i]}.`,
  `${name} keeps a ${PETS[i]} at home.`,
  `${name} repairs the ${TOOLS[i]} in the workshop.`,
])
/** Ten of these have no answer. */
const QUESTIONS = [
  ...PEOPLE.flatMap((name) => [`Who is the dentist of ${name}?`, `Where was ${name} born?`, `What is ${name} allergic to?`]),
  ...PEOPLE.map((name) => `Which pet does ${name} keep at home?`),
  'Who repairs the kiln?',
  'Who repairs the anvil?',
  'How much does the parking permit cost?',
  'When does the library open on Sundays?',
  'Which bank holds the mortgage?',
  'What is the name of the landlord?',
  'How do I reset the thermostat?',
  'Where are the skis stored?',
  'Who painted the picture in the hall?',
  'Which train goes to the airport?',
  'What colour is the front door?',
  'How long does the warranty last?',
]

const answer = z.object({
  results: z.array(z.object({ content: z.string() })),
  confidence: z.number().optional(),
  likely_answer: z.boolean().optional(),
})

const worlds: World[] = []
const openWithNotes = async (): Promise<World> => {
  const world = await openWorld({ embedder: 'local', rerank: 0, capture: 'turns', hookRecallMs: 60_000 })
  worlds.push(world)
  for (const content of NOTES) await world.call('memory/store_memory', { content })
  return world
}

let asked: World
let quiet: World
beforeAll(async () => {
  asked = await openWithNotes()
  quiet = await openWithNotes()
})
afterAll(async () => {
  for (const world of worlds) await world.close()
})

const recall = async (world: World, query: string) => {
  const { results, confidence, likely_answer } = answer.parse(await world.call('memory/recall', { query, limit: 5 }))
  return { contents: results.map(({ content }) => content), confidence: confidence?.toFixed(6), likely_answer }
}

it('repair 1: recall gives the same results after its queries were sent as prompts through hooks', async () => {
  expect([NOTES.length, QUESTIONS.length]).toEqual([60, 60])
  for (const [n, question] of QUESTIONS.entries()) {
    await asked.call('hooks/hook', { client: 'claude-code', event: 'UserPromptSubmit', payload: { session_id: `s${n}`, prompt: question } })
    expect([question, await recall(asked, question)]).toEqual([question, await recall(quiet, question)])
  }
  // What was asked is kept for the next brief all the same.
  const facts = await asked.backend.store.listFacts({ limit: 1000, offset: 0 })
  expect(facts.filter(({ metadata }) => metadata.captured === 'card')).toHaveLength(60)
  expect(facts.filter(({ metadata }) => metadata.captured === 'turn')).toHaveLength(60)
  const brief = await asked.call('hooks/hook', { client: 'claude-code', event: 'SessionStart', payload: { session_id: 'new' } })
  expect(JSON.stringify(brief)).toContain('Where the last work stood')
  expect(JSON.stringify(brief)).toContain('How long does the warranty last?')
})

it('recorded prompts are in no other search and are no duplicates of notes', async () => {
  const question = QUESTIONS[0] ?? ''
  for (const tool of ['memory/search_text', 'memory/search', 'graph/search', 'graph/search_nodes', 'stigmem/recall'])
    expect([tool, JSON.stringify(await asked.call(tool, { query: question }).catch(() => null))]).toEqual([
      tool,
      expect.not.stringContaining('Task: '),
    ])
})
