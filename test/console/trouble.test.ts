import { once } from 'node:events'
import { closeSync, openSync, writeSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { EVENTUALLY } from '../eventually.js'
import { runProgram, temporaryFolder } from '../wire/program.js'
import { BROWSER, openBrowser, openView, type SignedIn, signInPage } from './browser.js'
import { type ConsoleServer, removeTemporaryFolders, startConsoleServer } from './console-server.js'

const PATIENCE = 400_000
const PAGE_BYTES = 4096

let browser: Browser
beforeAll(async () => {
  if (BROWSER !== undefined) browser = await openBrowser()
}, PATIENCE)
afterAll(async () => {
  await browser?.close()
  removeTemporaryFolders()
})

const cli = (folder: string, ...args: readonly string[]) => runProgram([...args, '--data-dir', folder, '--embedder', 'hash'])

/** Overwrites a page of the store's file, as a failing disk does. */
function damage(folder: string, page: number): void {
  const file = openSync(join(folder, 'mneme.db'), 'r+')
  writeSync(file, Buffer.alloc(PAGE_BYTES, 0xff), 0, PAGE_BYTES, page * PAGE_BYTES)
  closeSync(file)
}

describe.skipIf(BROWSER === undefined)('an open page says what is wrong, and how to go on', () => {
  let server: ConsoleServer
  let signedIn: SignedIn
  beforeEach(async () => {
    server = await startConsoleServer()
    await cli(server.folder, 'remember', 'The kettle is in the kitchen')
    signedIn = await signInPage(browser, server)
  }, PATIENCE)
  afterEach(async () => {
    expect(signedIn.errors).toEqual([])
    await signedIn.context.close()
    await server.stop().catch(() => undefined)
  }, PATIENCE)

  test('after a restart of the server: the session is over, and a new link opens the same page', { timeout: PATIENCE }, async () => {
    const { page } = signedIn
    await openView(page, server, 'browse?q=kettle', '.list .row')
    const port = new URL(server.url).port
    await server.stop()
    await page.waitForSelector('.live:has-text("Not live")', { state: 'attached' })
    expect(await page.textContent('.list')).toContain('The kettle is in the kitchen')
    server = await startConsoleServer({ folder: server.folder, flags: ['--port', port] })
    await page.waitForSelector('.gate .banner:has-text("This session is over")')
    await page.waitForSelector('.gate h1:has-text("Open the console from a terminal")')
    await page.goto(`${server.url}/console/browse?q=kettle#code=${await server.code()}`)
    await page.waitForSelector('.list .row:has-text("The kettle")')
  })

  test('a reconnected stream continues after its last event', { timeout: PATIENCE }, async () => {
    const { page, context } = signedIn
    await openView(page, server, 'activity', '.event')
    await cli(server.folder, 'remember', 'One is heard')
    await page.waitForSelector('.event:has-text("One is heard")')
    await context.setOffline(true)
    await page.evaluate("dispatchEvent(new Event('offline'))")
    await cli(server.folder, 'remember', 'Two was missed')
    await context.setOffline(false)
    await page.waitForSelector('.event:has-text("Two was missed")')
    expect(await page.locator('.event:has-text("One is heard")').count()).toBe(1)
  })

  test('a used link and an invalid link explain how to get a new one', { timeout: PATIENCE }, async () => {
    const code = await server.code()
    const other = await browser.newContext()
    const page = await other.newPage()
    await page.goto(`${server.url}/console/#code=${code}`)
    await page.waitForSelector('.shell')
    for (const used of [code, 'guessed']) {
      const stranger = await browser.newContext()
      const late = await stranger.newPage()
      await late.goto(`${server.url}/console/#code=${used}`)
      await late.waitForSelector('.gate .banner:has-text("This link was used already"):has-text("Run `mneme console` for a new one.")')
      expect(late.url()).not.toContain(used)
      await stranger.close()
    }
    await other.close()
  })

  test('a change in one tab appears in the other; the page of an unknown fact links back', { timeout: PATIENCE }, async () => {
    const { page, context } = signedIn
    await openView(page, server, 'browse', '.list .row')
    const second = await context.newPage()
    await openView(second, server, 'browse', '.list .row')
    await second.keyboard.press('j')
    await second.keyboard.press('Enter')
    await second.waitForSelector('.fact-text')
    await openView(page, server, second.url().split('/console/')[1] ?? '', '.fact-text')
    await second.keyboard.press('x')
    await second.waitForSelector('.toast:has-text("Ended.")')
    await page.waitForSelector('.state.ended')
    await page.keyboard.press('u')
    await page.waitForSelector('.toast:has-text("There is nothing to undo.")')
    await second.keyboard.press('u')
    await page.waitForSelector('.state.current')
    await page.goto(`${server.url}/console/fact?id=none`)
    await page.waitForSelector('h1:has-text("This fact is not there.")')
    await page.click('a:has-text("Back to the list")')
    await page.waitForSelector('.list .row')
    await page.goto(`${server.url}/console/nowhere`)
    await page.waitForSelector('h1:has-text("There is no page of that name.")')
  })

  test('a fact is shown as it was at the chosen instant, and cannot be changed there', { timeout: PATIENCE }, async () => {
    const { page } = signedIn
    const cookie = await server.signIn()
    const { facts } = JSON.parse(await (await server.call(cookie, 'console/browse', {})).text())
    const { id } = facts[0]
    const before = new Date().toISOString()
    await server.call(cookie, 'console/edit', { id, text: 'The kettle is in the hall' })
    await server.call(cookie, 'console/end', { ids: [id] })
    await openView(page, server, `fact?id=${id}&at=${before}`, '.fact-text:has-text("The kettle is in the kitchen")')
    await page.waitForSelector('.state.current')
    await page.waitForSelector('p:has-text("It held then. Its text was changed since.")')
    expect(await page.locator('[aria-label="Actions on this fact"] button:enabled').count()).toBe(0)
    await page.keyboard.press('n')
    await page.waitForSelector('.fact-text:has-text("The kettle is in the hall")')
    await page.waitForSelector('.state.ended')
  })

  test('the first key is shown until it is copied, and the page goes on with it', { timeout: PATIENCE }, async () => {
    const { page } = signedIn
    await openView(page, server, 'settings?part=keys', '#key-owner')
    await page.fill('#key-owner', '*')
    await page.check('label:has-text("admin") input')
    await page.click('button:has-text("Create")')
    const key = await page.textContent('.banner:has-text("Copy this key now") code')
    await page.waitForSelector('.table td:has-text("everyone")')
    await page.keyboard.press('g')
    await page.keyboard.press('b')
    await page.waitForSelector('.list .row:has-text("The kettle")')
    expect(await page.textContent('.banner code')).toBe(key)
    await page.click('.banner button:has-text("Done")')
    await page.waitForSelector('.banner', { state: 'detached' })
    await expect(server.signIn()).rejects.toThrow('asks for a key')
    expect(await server.signIn({ key: key ?? '' })).toContain('mneme-console')
  })

  test('10,000 writes in a burst are all heard while the page goes on answering', { timeout: PATIENCE }, async () => {
    const { page } = signedIn
    await openView(page, server, 'activity', '.event')
    await page.evaluate(`globalThis.heard = new Set()
      const stream = new EventSource('events')
      stream.onmessage = ({ data }) => { const { about } = JSON.parse(data); if (about?.startsWith('burst ')) globalThis.heard.add(about) }
      new Promise((done) => { stream.onopen = done })`)
    const lines = Array.from({ length: 10_000 }, (_, i) => JSON.stringify({ content: `burst ${i}` })).join('\n')
    const importing = runProgram(['import', '--data-dir', server.folder, '--embedder', 'none'], `${lines}\n`)
    await vi.waitFor(async () => expect(await page.evaluate('globalThis.heard.size')).toBeGreaterThan(100), EVENTUALLY)
    await page.keyboard.press('g')
    await page.keyboard.press('b')
    await page.waitForSelector('.list .row:has-text("burst")')
    await importing
    await vi.waitFor(async () => expect(await page.evaluate('globalThis.heard.size')).toBe(10_000), EVENTUALLY)
    await page.keyboard.press('g')
    await page.keyboard.press('v')
    await page.waitForSelector('.event:has-text("burst 9999")')
  })

  test('a page on another port of this machine gets nothing, framed or by fetch', { timeout: PATIENCE }, async () => {
    const attack = `<!doctype html><iframe src="${server.url}/console/overview"></iframe><script>
      const ask = (path, init) => fetch('${server.url}/console/' + path, { credentials: 'include', ...init }).then(
        async (response) => [path, response.status, await response.text()], (failure) => [path, 'refused'])
      Promise.all([ask('session'), ask('events'),
        ask('api/console/browse', { method: 'POST', headers: { 'Content-Type': 'text/plain' }, body: '{}', mode: 'no-cors' }),
        ask('api/console/browse', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{}' })])
        .then((found) => { document.title = JSON.stringify(found) })</script>`
    const other = createServer((_, response) => response.setHeader('Content-Type', 'text/html').end(attack)).listen(0, '127.0.0.1')
    await once(other, 'listening')
    const address = other.address()
    const page = await signedIn.context.newPage()
    await page.goto(`http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/`)
    await vi.waitFor(async () => expect(await page.title()).not.toBe(''), EVENTUALLY)
    const found: readonly (readonly [string, number | string, string?])[] = JSON.parse(await page.title())
    for (const [path, status, text] of found) expect([path, status === 200 ? text : 'nothing']).toEqual([path, 'nothing'])
    expect(JSON.stringify(found)).not.toContain('kettle')
    const frame = page.frames().find((candidate) => candidate !== page.mainFrame())
    expect((await frame?.locator('.shell, .gate').count()) ?? 0).toBe(0)
    other.close()
  })
})

describe.skipIf(BROWSER === undefined)('a store that is damaged, or was replaced', () => {
  test('opens the overview, and says what to do', { timeout: PATIENCE }, async () => {
    const folder = temporaryFolder()
    const many = Array.from({ length: 3000 }, (_, i) => JSON.stringify({ content: `memory ${i} ${'x'.repeat(200)}` })).join('\n')
    await runProgram(['import', '--data-dir', folder, '--embedder', 'none'], `${many}\n`)
    for (const page of [60, 90, 120, 150]) damage(folder, page)
    const server = await startConsoleServer({ folder })
    const { page, context } = await signInPage(browser, server)
    try {
      await page.waitForSelector('.health, .banner')
      const text = (await page.textContent('main')) ?? ''
      expect(text).toMatch(/damaged|malformed|checksum/)
      expect(text).toMatch(/restore|doctor|backup/i)
    } finally {
      await context.close()
      await server.stop()
    }
  })

  test('a page whose key is revoked says so and ends', { timeout: PATIENCE }, async () => {
    const folder = temporaryFolder()
    await cli(folder, 'remember', 'Ann keeps bees', '--user-id', 'ann')
    const key = JSON.parse((await cli(folder, 'keys', 'create', '--owner', 'ann')).out)
    const server = await startConsoleServer({ folder })
    const context = await browser.newContext()
    const page = await context.newPage()
    try {
      await page.goto(`${server.url}/console/`)
      await page.fill('#key', 'wrong')
      await page.keyboard.press('Enter')
      await page.waitForSelector('#key-error')
      await page.fill('#key', key.key)
      await page.keyboard.press('Enter')
      await page.waitForSelector('.shell')
      await page.keyboard.press('g')
      await page.keyboard.press('b')
      await page.waitForSelector('.list .row:has-text("Ann keeps bees")')
      await cli(folder, 'keys', 'revoke', key.id)
      await page.keyboard.press('g')
      await page.keyboard.press('o')
      await page.waitForSelector('.gate .banner')
      await page.waitForSelector('.gate h1:has-text("Sign in with a key")')
    } finally {
      await context.close()
      await server.stop()
    }
  })
})
