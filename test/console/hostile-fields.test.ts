import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runProgram, temporaryFolder } from '../wire/program.js'
import { BROWSER, openBrowser, openView, signInPage } from './browser.js'
import { type ConsoleServer, removeTemporaryFolders, startConsoleServer } from './console-server.js'

const PATIENCE = 400_000
/** Runs wherever text becomes markup; names the field that let it. */
const script = (field: string): string => `<img src=x onerror="window.ran='${field}'"><script>window.ran='${field}'</script>`
const rtl = '\u202eright to left\u202c \u2066mixed\u2069'

describe.skipIf(BROWSER === undefined)('stored text of any kind', () => {
  let server: ConsoleServer
  let browser: Browser
  let page: Page
  let errors: readonly string[]
  let foreign: readonly string[]

  beforeAll(async () => {
    const folder = temporaryFolder()
    const own = ['--data-dir', folder, '--embedder', 'hash']
    const fact = (n: number, more: object) => ({
      ...{ content: `${script(`text ${n}`)} lantern`, subject: script('subject'), predicate: script('predicate') },
      ...{ user_id: script('owner').slice(0, 90), metadata: { [script('key')]: script('value'), tags: [script('tag')] } },
      ...more,
    })
    const many = Object.fromEntries(Array.from({ length: 10_000 }, (_, i) => [i.toString(36), 1]))
    const lines = [
      fact(1, {}),
      fact(2, { content: `${script('text 2')} lantern ${rtl}` }),
      { content: 'lantern '.concat('x'.repeat(100_000)), user_id: 'plain' },
      { content: '🦊🦊🦊🦊🦊', user_id: 'plain' },
      { content: 'Ten thousand keys of a lantern', user_id: 'plain', metadata: many },
      { content: '[link](javascript:window.ran=1) javascript:window.ran=1 lantern', user_id: 'plain' },
    ]
    const graph = [
      { type: 'entity', name: script('entity'), entityType: script('type'), observations: [script('observation')] },
      { type: 'relation', from: script('entity'), to: 'javascript:window.ran=1', relationType: script('relation') },
    ]
    const path = (name: string, rows: readonly object[]): string => {
      const file = join(temporaryFolder(), name)
      writeFileSync(file, rows.map((row) => JSON.stringify(row)).join('\n'))
      return file
    }
    expect(await runProgram(['import', path('facts.jsonl', lines), '--from', 'mneme', ...own])).toMatchObject({ code: 0 })
    expect((await runProgram(['import', path('graph.jsonl', graph), ...own])).code).toBe(0)
    server = await startConsoleServer({ folder })
    await fetch(`${server.url}/v1/memory/recall`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ query: `${script('question')} lantern` }),
    })
    browser = await openBrowser()
    ;({ page, errors, foreign } = await signInPage(browser, server, { width: 360 }))
  }, PATIENCE)
  afterAll(async () => {
    await browser.close()
    await server.stop()
    removeTemporaryFolders()
  })

  const call = async (tool: string, input: object) =>
    JSON.parse(await (await server.call(await server.signIn(), `console/${tool}`, input)).text())
  const check = async (view: string): Promise<void> => {
    expect([view, await page.evaluate('window.ran ?? null')]).toEqual([view, null])
    expect([view, await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')]).toEqual([view, 0])
    expect(await page.locator('main a[href^="javascript"], main img, main script').count()).toBe(0)
  }

  test('is shown as text in every view, at 360 px, and no script of it runs', { timeout: PATIENCE }, async () => {
    const { facts } = await call('browse', { limit: 50 })
    const { entities } = await call('entities', {})
    await call('mark', { id: facts[0].id, mark: 'right' })
    await call('end', { ids: [facts[1].id], reason: script('reason') })
    const views: readonly (readonly [string, string])[] = [
      ['overview', '.health'],
      ['browse', '.list .row'],
      ...facts.map(({ id }: { id: string }) => [`fact?id=${encodeURIComponent(id)}`, '.fact-text'] as const),
      ['ask?q=lantern&effort=fast', '.hit'],
      [`ask?q=${encodeURIComponent(script('asked'))}&effort=fast&why=${facts[2].id}`, '.inspect .steps'],
      ['told', '.turn'],
      ['review', 'main'],
      ['activity', '.event'],
      ['entities', '.row'],
      ...entities.map(({ id }: { id: string }) => [`entity?id=${encodeURIComponent(id)}`, '.graph'] as const),
      ['time', '.change'],
      ['settings', '.table'],
    ]
    for (const [view, shown] of views) {
      await openView(page, server, view, shown)
      await check(view)
    }
    await openView(page, server, 'browse', '.list .row')
    for (const words of ['lantern', '<script>', 'window.ran']) {
      await page.keyboard.press('Control+k')
      await page.waitForSelector('.palette')
      await page.keyboard.type(words)
      await page.waitForSelector('.palette [role=option]')
      await check(`palette: ${words}`)
      await page.keyboard.press('Escape')
    }
    expect(errors).toEqual([])
    expect(foreign).toEqual([])
  })

  test('a fact with 10,000 keys shows the first ones, and how many there are', { timeout: PATIENCE }, async () => {
    const { facts } = await call('browse', { q: 'thousand keys' })
    await openView(page, server, `fact?id=${facts[0].id}`, '.fact-text')
    const details = page.locator('details')
    await details.locator('summary').press('Enter')
    expect(await details.textContent()).toContain('Metadata, 10,000 keys')
    expect(await details.textContent()).toContain('The first 50 are shown')
    expect(await details.locator('dt').count()).toBe(50)
    await check('fact with many keys')
  })

  test('an imported file with a hostile name and contents is shown as text before it is stored', { timeout: PATIENCE }, async () => {
    await openView(page, server, 'import', '.drop')
    const [chosen] = await Promise.all([page.waitForEvent('filechooser'), page.press('.drop button', 'Enter')])
    const row = { content: script('sample'), title: script('sample title'), owner: script('o').slice(0, 40) }
    await chosen.setFiles({
      name: `<img src=x onerror=window.ran=1>.jsonl`,
      mimeType: 'text/plain',
      buffer: Buffer.from(JSON.stringify(row)),
    })
    await page.waitForSelector('h1:has-text("would become 1 fact"), .banner')
    await check('import')
  })
})
