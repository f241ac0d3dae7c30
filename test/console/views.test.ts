import { mkdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { EVENTUALLY } from '../eventually.js'
import { BROWSER, openBrowser, openView, signInPage } from './browser.js'
import { type ConsoleServer, removeTemporaryFolders, startConsoleServer } from './console-server.js'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
/** Screenshots for the documentation are written where they are asked for. */
const PICTURES = process.env.MNEME_TEST_PICTURES

/** A browser on a busy machine takes its time. */
const PATIENCE = 400_000

interface View {
  readonly name: string
  readonly address: (facts: Named) => string
  /** What is there once the view shows its answer. */
  readonly shown: string
}

interface Named {
  readonly port: string
  readonly checkout: string
}

const VIEWS: readonly View[] = [
  { name: 'overview', address: () => 'overview', shown: '.health' },
  { name: 'browse', address: () => 'browse', shown: '.list .row' },
  { name: 'browse-none', address: () => 'browse?q=zebra', shown: '.empty' },
  { name: 'fact', address: ({ port }) => `fact?id=${port}`, shown: '.fact-text' },
  { name: 'ask', address: ({ port }) => `ask?q=which+port+does+atlas-api+use&effort=both&why=${port}`, shown: '.inspect .steps' },
  { name: 'ask-pick', address: () => 'ask?q=port', shown: '.inspect form' },
  { name: 'told', address: () => 'told', shown: '.turn' },
  { name: 'told-search', address: () => 'told?q=port', shown: '.turn' },
  { name: 'review', address: () => 'review', shown: '.versus' },
  { name: 'review-candidate', address: () => 'review?kind=candidate', shown: '.versus.single' },
  ...(PICTURES === undefined ? [] : [{ name: 'review-duplicate', address: () => 'review?kind=duplicate', shown: '.versus' }]),
  { name: 'activity', address: () => 'activity', shown: '.event' },
  { name: 'entities', address: () => 'entities', shown: '.row' },
  { name: 'entity', address: ({ checkout }) => `entity?id=${checkout}`, shown: '.graph' },
  { name: 'time', address: () => 'time', shown: '.change' },
  { name: 'past', address: () => `browse?at=${new Date(Date.now() - 20 * 86_400_000).toISOString()}`, shown: '.past' },
  { name: 'code', address: () => 'code', shown: '.kv' },
  { name: 'jobs', address: () => 'jobs', shown: '.table' },
  { name: 'import', address: () => 'import', shown: '.drop' },
  { name: 'settings', address: () => 'settings', shown: '.table' },
  { name: 'health', address: () => 'settings?part=health', shown: '.kv' },
  { name: 'keys', address: () => 'settings?part=keys', shown: '#key-owner' },
  { name: 'gardens', address: () => 'settings?part=gardens', shown: '#garden-name' },
]

/** Runs in the page: every rule of the checker, at any impact. */
const CHECK = `(async () => {
  const { violations } = await window.axe.run(document, { resultTypes: ['violations'] })
  return violations.map(({ id, nodes }) => id + ': ' + nodes.slice(0, 3).map(({ html, failureSummary }) => html.slice(0, 160) + ' ' + failureSummary.slice(0, 200)).join(' | '))
})()`

async function violations(page: Page): Promise<readonly string[]> {
  await page.evaluate(AXE)
  return page.evaluate<readonly string[]>(CHECK)
}

const isWiderThanItself = (page: Page): Promise<boolean> =>
  page.evaluate<boolean>('document.documentElement.scrollWidth > document.documentElement.clientWidth + 1')

describe.skipIf(BROWSER === undefined)('every view, on the demo', () => {
  let server: ConsoleServer
  let browser: Browser
  let named: Named

  beforeAll(async () => {
    // Pictures show what people see, so they are taken with the models.
    const flags = ['--duplicate-threshold', '0.97']
    server = await startConsoleServer(PICTURES === undefined ? { demo: true } : { demo: true, embedder: 'local', flags })
    browser = await openBrowser()
    const cookie = await server.signIn()
    const find = async (tool: string, q: string): Promise<string> => {
      const text = await (await server.call(cookie, tool, { q, limit: 5 })).text()
      return /"id":"([^"]+)"/.exec(text)?.[1] ?? ''
    }
    named = { port: await find('console/browse', '8443 every environment'), checkout: await find('console/entities', 'checkout') }
    if (PICTURES === undefined) return
    mkdirSync(PICTURES, { recursive: true })
    const isReady = async (): Promise<boolean> => {
      const today = new Date().toISOString()
      const { embedding } = JSON.parse(await (await server.call(cookie, 'console/overview', { today })).text())
      const { comparing } = JSON.parse(await (await server.call(cookie, 'console/review', {})).text())
      return embedding.pending === 0 && comparing === false
    }
    await vi.waitFor(async () => expect(await isReady()).toBe(true), { ...EVENTUALLY, timeout: PATIENCE, interval: 1000 })
  }, PATIENCE)
  afterAll(async () => {
    await browser.close()
    await server.stop()
    removeTemporaryFolders()
  })

  for (const width of [1280, 390])
    test(
      `has no violation, stays in its width and asks no other origin: light and dark, ${width} px`,
      async () => {
        const { context, page, foreign, errors } = await signInPage(browser, server, { width })
        const found: string[] = []
        const check = async (name: string): Promise<void> => {
          for (const theme of ['light', 'dark'] as const) {
            await page.emulateMedia({ colorScheme: theme })
            found.push(...(await violations(page)).map((violation) => `${name}, ${theme}: ${violation}`))
            if (PICTURES !== undefined) await page.screenshot({ path: join(PICTURES, `${name}-${theme}-${width}.png`) })
          }
          if (await isWiderThanItself(page)) found.push(`${name}: wider than the page`)
        }
        for (const { name, address, shown } of VIEWS) {
          await openView(page, server, address(named), shown)
          await check(name)
        }
        await page.keyboard.press('Control+k')
        await page.waitForSelector('.palette')
        await check('palette')
        await page.keyboard.press('Escape')
        await page.keyboard.press('?')
        await page.waitForSelector('.keys')
        await check('keys')
        expect(found).toEqual([])
        expect(foreign).toEqual([])
        expect(errors).toEqual([])
        await context.close()
      },
      PATIENCE,
    )

  test('the sign-in page has no violation either', async () => {
    const context = await browser.newContext()
    const page = await context.newPage()
    await page.goto(`${server.url}/console/`)
    await page.waitForSelector('.gate h1')
    expect(await violations(page)).toEqual([])
    await context.close()
  })
})
