import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runProgram } from '../wire/program.js'
import { BROWSER, openBrowser, openView, signInPage } from './browser.js'
import { type ConsoleServer, removeTemporaryFolders, startConsoleServer } from './console-server.js'

const PATIENCE = 400_000
const HOSTILE = [
  '<script>window.ran = 1</script><img src=x onerror="window.ran = 1">',
  '[link](javascript:window.ran=1) javascript:window.ran=1',
  '\u202eright to left\u202c and عربي',
  'x'.repeat(50_000),
  '🦊🦊🦊🦊🦊🦊🦊',
]

describe.skipIf(BROWSER === undefined)('the console with the keyboard alone', () => {
  let server: ConsoleServer
  let browser: Browser
  let page: Page
  let errors: readonly string[]

  beforeAll(async () => {
    server = await startConsoleServer({ demo: true })
    for (const text of HOSTILE)
      await runProgram(['remember', text, '--user-id', 'hostile', '--data-dir', server.folder, '--embedder', 'hash'])
    browser = await openBrowser()
    const signedIn = await signInPage(browser, server)
    page = signedIn.page
    errors = signedIn.errors
  }, PATIENCE)
  afterAll(async () => {
    expect(errors).toEqual([])
    await browser.close()
    await server.stop()
    removeTemporaryFolders()
  })

  const press = async (...keys: readonly string[]): Promise<void> => {
    for (const key of keys) await page.keyboard.press(key)
  }
  const toast = (text: string): Promise<unknown> => page.waitForSelector(`.toast:has-text("${text}")`)

  test(
    'a fact is found, corrected, and put back',
    async () => {
      await press('g', 'b')
      await page.waitForSelector('.list .row')
      await press('/')
      await page.keyboard.type('8443 every')
      await page.waitForSelector('.list .row:has-text("8443 in every environment")')
      await page.waitForSelector('.counts b:text-is("1 fact")')
      await press('Escape', 'j', 'Enter')
      await page.waitForSelector('.fact-text')
      await press('e')
      await page.waitForSelector('textarea:focus')
      await page.keyboard.type(' Checked.')
      await press('Control+Enter')
      await toast('Saved as version 2.')
      await page.waitForSelector('.fact-text:has-text("Checked.")')
      await press('u')
      await toast('Undone.')
      await page.waitForSelector('.fact-text:not(:has-text("Checked."))')
    },
    PATIENCE,
  )

  test(
    'a conflict is decided',
    async () => {
      await press('g', 'r')
      await page.waitForSelector('.versus:has-text("Which one holds?"), h2:has-text("Which one holds?")')
      const first = (await page.textContent('.versus .said')) ?? ''
      await press('2')
      await toast('Kept the later; the earlier ended.')
      await page.waitForSelector(`.versus section:first-child .said:not(:text-is(${JSON.stringify(first)}))`)
      await press('u')
      await toast('Undone.')
    },
    PATIENCE,
  )

  test(
    'ten candidates are reviewed',
    async () => {
      await openView(page, server, 'review?kind=candidate', '.versus.single')
      for (let i = 0; i < 10; i++) {
        const before = (await page.textContent('.versus.single .said')) ?? ''
        await press(i % 2 === 0 ? 'a' : 'r')
        await page.waitForSelector(`.versus.single .said:not(:text-is(${JSON.stringify(before)}))`)
      }
      const answer = await (await server.call(await server.signIn(), 'console/review', {})).text()
      expect(JSON.parse(answer).counts.candidate).toBe(2)
    },
    PATIENCE,
  )

  test(
    'several facts are selected and ended, and undone together',
    async () => {
      await openView(page, server, 'browse?kind=event&owner=project:github.com/atlas/infra', '.list .row')
      await press('j', ' ', 'j', ' ')
      await page.waitForSelector('.selbar:has-text("2 selected")')
      await press('x')
      await toast('2 ended.')
      await press('u')
      await toast('Undone.')
    },
    PATIENCE,
  )

  test(
    'the palette opens a fact, and gives the focus back when it is closed',
    async () => {
      await openView(page, server, 'overview', '.health')
      await press('Control+k')
      await page.waitForSelector('.palette')
      await page.keyboard.type('certificates inside')
      await page.waitForSelector('.palette [role=option]:has-text("renewed every night")')
      await press('Enter')
      await page.waitForSelector('.fact-text:has-text("Certificates")')
    },
    PATIENCE,
  )

  test.each([
    {
      name: 'bees.jsonl',
      text: '{"content": "Bees sleep at night"}\n{"content": "Bees dance for directions"}\n',
      facts: '2 facts',
    },
    { name: 'CLAUDE.md', text: '# Rules\n\n- Bees are counted in spring\n- Bees are fed in autumn\n', facts: '2 facts' },
  ])(
    'a file is imported after a look at what it would become, and taken back: $name',
    async ({ name, text, facts }) => {
      const bees = async (): Promise<number> => {
        const answer = await (await server.call(await server.signIn(), 'console/browse', { q: 'bees' })).text()
        return JSON.parse(answer).facts.length
      }
      await openView(page, server, 'import', '.drop')
      const [chosen] = await Promise.all([page.waitForEvent('filechooser'), page.press('.drop button', 'Enter')])
      await chosen.setFiles({ name, mimeType: 'text/plain', buffer: Buffer.from(text) })
      await page.waitForSelector(`h1:has-text("would become ${facts}")`)
      expect(await bees()).toBe(0)
      await page.waitForSelector('button.solid:focus')
      await press('Enter')
      await toast('imported.')
      expect(await bees()).toBe(2)
      await press('u')
      await toast('Undone.')
      expect(await bees()).toBe(0)
    },
    PATIENCE,
  )

  test(
    'every job that the page offers can be run',
    async () => {
      await openView(page, server, 'jobs', '.table')
      const buttons = page.locator('button:has-text("Run "):has-text(" now")')
      expect(await buttons.count()).toBe(3)
      for (const button of await buttons.all()) {
        const kind = /Run (\w+) now/.exec((await button.textContent()) ?? '')?.[1] ?? ''
        await button.press('Enter')
        await toast(`Done: ${kind}`)
      }
    },
    PATIENCE,
  )

  test(
    'text of any kind is shown as text, and no script of it runs',
    async () => {
      for (const view of ['browse?owner=hostile', 'activity', 'overview', 'ask?q=script&owner=hostile']) {
        await openView(page, server, view, 'main li')
        expect(await page.evaluate('window.ran')).toBeUndefined()
        expect(await page.evaluate('document.documentElement.scrollWidth > document.documentElement.clientWidth + 1'), view).toBe(false)
      }
      await openView(page, server, 'browse?owner=hostile', '.list .row')
      expect(await page.textContent('.list')).toContain('<script>window.ran = 1</script>')
      await page.click('.list .row a:has-text("<script>")')
      await page.waitForSelector('.fact-text:has-text("<script>")')
      expect(await page.evaluate('window.ran')).toBeUndefined()
      expect(await page.locator('main a[href^="javascript"]').count()).toBe(0)
    },
    PATIENCE,
  )

  test(
    'a change of another process appears in the feed',
    async () => {
      await openView(page, server, 'activity', '.event')
      await runProgram(['remember', 'A kettle boils elsewhere', '--data-dir', server.folder, '--embedder', 'hash'])
      await page.waitForSelector('.event.fresh:has-text("A kettle boils elsewhere")')
    },
    PATIENCE,
  )

  test(
    'a page reports that its fact was deleted, and does not overwrite one that changed',
    async () => {
      const cookie = await server.signIn()
      const found = JSON.parse(await (await server.call(cookie, 'console/browse', { q: 'kettle boils', limit: 1 })).text())
      const { id } = found.facts[0]
      await openView(page, server, `fact?id=${id}`, '.fact-text')
      await press('e')
      await server.call(cookie, 'console/edit', { id, text: 'A kettle boils in the hall' })
      await page.waitForSelector('.banner:has-text("changed this while you were editing")')
      await server.call(cookie, 'console/delete', { ids: [id] })
      await page.waitForSelector('h1:has-text("This fact was deleted at")')
    },
    PATIENCE,
  )
})
