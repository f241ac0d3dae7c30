import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { openWorld, type World } from '../graph/world.js'

/** What someone tells an agent in the first days, in the order of telling. */
const TOLD = [
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

/** What is asked later, and what a person expects first. */
const ASKED: readonly (readonly [string, (typeof TOLD)[number]])[] = [
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
]
const OWN: readonly (readonly [string, (typeof TOLD)[number]])[] = [
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

/** A person expects these first too: the models hardly know that a standup is a meeting or what Vue and Sentry are for, and billing is named in another line. */
const MISSED: readonly (readonly [string, (typeof TOLD)[number]])[] = [
  ['when is the daily meeting', 'Standup is at 9:30, on video, cameras optional'],
  ['frontend framework of the portal', 'The customer portal is written in Vue 3'],
  ['error tracking project', 'Sentry project for the portal is portal-web'],
  ['where does billing get deployed from?', 'The payments gateway is deployed from the infra repository'],
  ['who looks after the server side', 'Maria owns the mobile app; Jonas owns the backend'],
]

const answer = z.object({ results: z.array(z.object({ content: z.string(), superseded_by_newer: z.string().optional() })) })

describe('the first conversation: what a person expects first is first', () => {
  let world: World
  beforeAll(async () => {
    world = await openWorld({ embedder: 'local' })
    for (const content of TOLD) await world.call('memory/store_memory', { content })
  }, 120_000)
  afterAll(() => world.close())

  const ask = async (query: string, effort: string) => answer.parse(await world.call('memory/recall', { query, effort })).results

  test.each([...ASKED, ...OWN])(
    '%s',
    async (query, expected) => {
      expect((await ask(query, 'best'))[0]?.content).toBe(expected)
    },
    60_000,
  )

  test.each(MISSED)(
    'known miss, among the first ten: %s',
    async (query, expected) => {
      const results = await ask(query, 'best')
      expect(results.slice(0, 10).map((one) => one.content)).toContain(expected)
    },
    60_000,
  )

  test('what was replaced is still told, marked', async () => {
    const results = await ask('on which day do we release', 'fast')
    expect(results[0]?.content).toBe('Releases moved to Tuesdays because of the weekend on-call')
    expect(results.find((one) => one.content === 'Releases go out on Thursdays')?.superseded_by_newer).toBeDefined()
  }, 60_000)
})
