import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { openWorld, type World } from '../graph/world.js'

/** What a person says to an agent in the first days, in order. */
const STATEMENTS = [
  'Prefers tabs over spaces',
  'The billing service talks to Stripe through the payments gateway',
  'The payments gateway is deployed from the infra repository',
  'Unit tests run with pnpm test, end-to-end tests with pnpm e2e',
  'Standup is at 9:30, on video, cameras optional',
  'Maria owns the mobile app; Jonas owns the backend',
  'Staging database: postgres on db-staging, port 5433',
  'Never commit directly to main, open a pull request',
  'The customer portal is written in Vue 3',
  'Sentry project for the portal is portal-web',
  'Backups run nightly at 02:00 and are kept for 30 days',
  'The logo colour is #1D4ED8',
  'Allergic to peanuts',
  'Flight to Lisbon on 12 May, back on the 19th',
  'Error E1207 means that the licence has expired',
  'The cat is called Miso',
  'Releases go out on Thursdays',
  'Releases moved to Tuesdays because of the weekend on-call',
  'API rate limit is 100 requests per minute',
  'API rate limit was raised to 250 requests per minute',
] as const

/** Later queries, and the expected first results. */
const QUERIES: readonly (readonly [string, (typeof STATEMENTS)[number]])[] = [
  ['indentation style', 'Prefers tabs over spaces'],
  ['how do I run the tests', 'Unit tests run with pnpm test, end-to-end tests with pnpm e2e'],
  ['who is responsible for the phone application', 'Maria owns the mobile app; Jonas owns the backend'],
  ['which port does the staging database use', 'Staging database: postgres on db-staging, port 5433'],
  ['can I push to main', 'Never commit directly to main, open a pull request'],
  ['E1207', 'Error E1207 means that the licence has expired'],
  ['how long do we keep backups', 'Backups run nightly at 02:00 and are kept for 30 days'],
  ['brand colour', 'The logo colour is #1D4ED8'],
  ['what time is standup', 'Standup is at 9:30, on video, cameras optional'],
  ['who owns the backend', 'Maria owns the mobile app; Jonas owns the backend'],
  ['what does error E1207 mean', 'Error E1207 means that the licence has expired'],
  ['logo color', 'The logo colour is #1D4ED8'],
  ['when do I fly to Lisbon', 'Flight to Lisbon on 12 May, back on the 19th'],
  ['when am I back from Lisbon', 'Flight to Lisbon on 12 May, back on the 19th'],
  ['how many requests per minute', 'API rate limit was raised to 250 requests per minute'],
  ['what is my cat called', 'The cat is called Miso'],
  ['staging db', 'Staging database: postgres on db-staging, port 5433'],
  ['which language or framework is the portal written in', 'The customer portal is written in Vue 3'],
  ['code formatting preference', 'Prefers tabs over spaces'],
  ['where do portal errors go', 'Sentry project for the portal is portal-web'],
  ['nightly jobs', 'Backups run nightly at 02:00 and are kept for 30 days'],
  ['release day', 'Releases moved to Tuesdays because of the weekend on-call'],
  ['how often are backups made', 'Backups run nightly at 02:00 and are kept for 30 days'],
  ['which payment company do we use', 'The billing service talks to Stripe through the payments gateway'],
  ['do I have to turn my camera on', 'Standup is at 9:30, on video, cameras optional'],
  ['command for end-to-end tests', 'Unit tests run with pnpm test, end-to-end tests with pnpm e2e'],
  ['when is the daily meeting', 'Standup is at 9:30, on video, cameras optional'],
  ['frontend framework of the portal', 'The customer portal is written in Vue 3'],
  ['error tracking project', 'Sentry project for the portal is portal-web'],
  ['who looks after the server side', 'Maria owns the mobile app; Jonas owns the backend'],
]
const OWN_QUERIES: readonly (readonly [string, (typeof STATEMENTS)[number]])[] = [
  ['food I must avoid', 'Allergic to peanuts'],
  ['name of my pet', 'The cat is called Miso'],
  ['travel plans in May', 'Flight to Lisbon on 12 May, back on the 19th'],
  ['on which day do we release', 'Releases moved to Tuesdays because of the weekend on-call'],
  ['what is the API rate limit', 'API rate limit was raised to 250 requests per minute'],
  ['where is the payments gateway deployed from', 'The payments gateway is deployed from the infra repository'],
  ['which provider handles the payments', 'The billing service talks to Stripe through the payments gateway'],
  ['#1D4ED8', 'The logo colour is #1D4ED8'],
  ['tabs', 'Prefers tabs over spaces'],
  ['nuts', 'Allergic to peanuts'],
]

/** Another person, a nurse. Written before any tuning for the lines above, and never used for tuning. */
const NURSE_STATEMENTS = [
  'Night shifts this month: 3rd, 9th, 17th and 24th',
  'Bed 12 is Mr Okafor, diabetic, sugar checked before meals',
  'Clean linen comes Mondays and Fridays before 7',
  'Dr Lindqvist wants to be called on her pager, not the phone',
  'Visiting hours are 14:00 to 19:00, children under 12 only with an adult',
  "The key of the medicine cupboard hangs at the nurses' station, sign it out",
  'Handover starts at 6:45 and takes a quarter of an hour',
  'My son Paulo has swimming on Wednesdays at five',
  'Locker code is 4471',
  'Locker code changed to 9038 in June',
  'Ana swaps early shifts with me when the kindergarten is closed',
  'The car is due for inspection in October',
  'New thermometers are ordered from Medisupply, customer number 88213',
  'Rent goes out on the first, 940 euros',
] as const
const ASKED_BY_A_NURSE: readonly (readonly [string, (typeof NURSE_STATEMENTS)[number]])[] = [
  ['who is in bed 12', 'Bed 12 is Mr Okafor, diabetic, sugar checked before meals'],
  ['patient with diabetes', 'Bed 12 is Mr Okafor, diabetic, sugar checked before meals'],
  ['when do I work nights', 'Night shifts this month: 3rd, 9th, 17th and 24th'],
  ['when may relatives come', 'Visiting hours are 14:00 to 19:00, children under 12 only with an adult'],
  ['where are the drugs locked away', "The key of the medicine cupboard hangs at the nurses' station, sign it out"],
  ["my child's sports", 'My son Paulo has swimming on Wednesdays at five'],
  ['locker combination', 'Locker code changed to 9038 in June'],
  ['vehicle check', 'The car is due for inspection in October'],
  ['supplier of medical equipment', 'New thermometers are ordered from Medisupply, customer number 88213'],
  ['monthly housing cost', 'Rent goes out on the first, 940 euros'],
  ['fresh bed sheets', 'Clean linen comes Mondays and Fridays before 7'],
  ['account number at Medisupply', 'New thermometers are ordered from Medisupply, customer number 88213'],
]
/** Also expected first: neither the models nor the hyponyms know that a doctor is a Dr, or that shifts change at a handover. */
const MISSED_BY_A_NURSE: readonly (readonly [string, (typeof NURSE_STATEMENTS)[number]])[] = [
  ['how do I reach the doctor', 'Dr Lindqvist wants to be called on her pager, not the phone'],
  ['what time does the shift change', 'Handover starts at 6:45 and takes a quarter of an hour'],
  ['who covers for me', 'Ana swaps early shifts with me when the kindergarten is closed'],
]

const answer = z.object({ results: z.array(z.object({ content: z.string(), superseded_by_newer: z.string().optional() })) })

const open = async (results: readonly string[]): Promise<World> => {
  const world = await openWorld({ embedder: 'local' })
  for (const content of results) await world.call('memory/store_memory', { content })
  return world
}
const ask = async (world: World, query: string, effort: string) =>
  answer.parse(await world.call('memory/recall', { query, effort, min_relevance: 0 })).results

describe('the first conversation: what a person expects first is first', () => {
  let world: World
  beforeAll(async () => {
    world = await open(STATEMENTS)
  }, 120_000)
  afterAll(() => world.close())

  test.each([...QUERIES, ...OWN_QUERIES])(
    '%s',
    async (query, expected) => {
      expect((await ask(world, query, 'best'))[0]?.content).toBe(expected)
    },
    60_000,
  )

  test('known miss, among the first ten: where does billing get deployed from?', async () => {
    const results = await ask(world, 'where does billing get deployed from?', 'best')
    expect(results.map((entry) => entry.content)).toContain('The payments gateway is deployed from the infra repository')
  }, 60_000)

  test('a superseded memory is still returned, marked', async () => {
    const results = await ask(world, 'on which day do we release', 'fast')
    expect(results[0]?.content).toBe('Releases moved to Tuesdays because of the weekend on-call')
    expect(results.find((entry) => entry.content === 'Releases go out on Thursdays')?.superseded_by_newer).toBeDefined()
  }, 60_000)
})

describe('the first conversation of a nurse', () => {
  let world: World
  beforeAll(async () => {
    world = await open(NURSE_STATEMENTS)
  }, 120_000)
  afterAll(() => world.close())

  test.each(ASKED_BY_A_NURSE)(
    '%s',
    async (query, expected) => {
      expect((await ask(world, query, 'best'))[0]?.content).toBe(expected)
    },
    60_000,
  )

  test.each(MISSED_BY_A_NURSE)(
    'known miss, among the first ten: %s',
    async (query, expected) => {
      const results = await ask(world, query, 'best')
      expect(results.slice(0, 10).map((entry) => entry.content)).toContain(expected)
    },
    60_000,
  )
})
