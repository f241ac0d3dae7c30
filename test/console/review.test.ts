import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { EVENTUALLY } from '../eventually.js'
import { runProgram } from '../wire/program.js'
import { type ConsoleServer, removeTemporaryFolders, startConsoleServer } from './console-server.js'

let server: ConsoleServer
let cookie: string

beforeAll(async () => {
  server = await startConsoleServer({ flags: ['--duplicate-threshold', '0.9'] })
  cookie = await server.signIn()
})
afterAll(async () => {
  await server.stop()
  removeTemporaryFolders()
})

interface Review {
  readonly items: readonly { readonly kind: string; readonly facts: readonly { readonly id: string; readonly text: string }[] }[]
  readonly comparing: boolean
}

const review = async (): Promise<Review> => JSON.parse(await (await server.call(cookie, 'console/review', {})).text())

test('near duplicates are looked for when Review is opened, and a pair that may both hold does not return', async () => {
  const texts = ['The bees of the garden sleep in the night', 'The bees of the garden sleep in the nights']
  for (const text of texts) await runProgram(['remember', text, '--data-dir', server.folder, '--embedder', 'hash'])
  const pairs = async () => (await review()).items.filter(({ kind }) => kind === 'duplicate')
  await vi.waitFor(async () => expect(await pairs()).toHaveLength(1), EVENTUALLY)
  const [pair] = await pairs()
  expect(pair?.facts.map(({ text }) => text)).toEqual(texts)
  await vi.waitFor(async () => expect((await review()).comparing).toBe(false), EVENTUALLY)
  const settings = ['--data-dir', server.folder, '--embedder', 'hash', '--duplicate-threshold', '0.9']
  const waiting = async () => JSON.parse((await runProgram(['status', ...settings])).out).waiting_for_review
  expect(await waiting()).toBe(1)
  expect((await runProgram(['status', '--output', 'text', ...settings])).out).toContain('1 item waiting for review')
  const ids = pair?.facts.map(({ id }) => id)
  expect((await server.call(cookie, 'console/decide', { verdict: 'both', ids })).status).toBe(200)
  expect(await pairs()).toEqual([])
  expect(await waiting()).toBeUndefined()
})

test('a note and a later note that supersedes it by wording are listed as a conflict', async () => {
  const other = await startConsoleServer({ embedder: 'local' })
  try {
    const texts = ['Our standup is at 9:00.', 'Our standup moved to 9:30.']
    const session = await other.signIn()
    for (const content of texts)
      await fetch(`${other.url}/v1/memory/store_memory`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ content }),
      })
    const conflicts = async (): Promise<Review['items']> => {
      const answer: Review = JSON.parse(await (await other.call(session, 'console/review', {})).text())
      return answer.items.filter(({ kind }) => kind === 'conflict')
    }
    await vi.waitFor(async () => expect(await conflicts()).toHaveLength(1), EVENTUALLY)
    expect((await conflicts())[0]?.facts.map(({ text }) => text)).toEqual(texts)
  } finally {
    await other.stop()
  }
}, 200_000)
