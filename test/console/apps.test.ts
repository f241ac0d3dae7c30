import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { resolve } from 'node:path'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import type { Browser, Frame, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { removeTemporaryFolders, runProgram, temporaryFolder } from '../wire/program.js'
import { BROWSER, openBrowser } from './browser.js'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const PICTURES = process.env.MNEME_TEST_PICTURES
const VIEW_TYPE = 'text/html;profile=mcp-app'
const HOST = { extensions: { 'io.modelcontextprotocol/ui': { mimeTypes: [VIEW_TYPE] } } }
const MOST_LISTING_BYTES = 16 * 1024
const PATIENCE = 200_000

const folder = temporaryFolder()
const env = { PATH: process.env.PATH ?? '', HOME: '/nonexistent', MNEME_SHARED: 'off', MNEME_CHECK_ANSWERS: '1' }
const flags = ['--data-dir', folder, '--embedder', 'hash']

async function connect(capabilities: object): Promise<Client> {
  const client = new Client({ name: 'host', version: '1' }, { capabilities })
  await client.connect(new StdioClientTransport({ command: process.execPath, args: [resolve('dist/main.js'), 'mcp', ...flags], env }))
  return client
}

const remember = (...args: readonly string[]) => runProgram(['remember', ...args, ...flags])
const textIn = (value: object): string => JSON.stringify(value)

let host: Client
beforeAll(async () => {
  await remember('The lighthouse keeper is called Otto')
  await remember('<script>window.ran = 1</script> the lighthouse has 4471 steps')
  host = await connect(HOST)
}, PATIENCE)
afterAll(async () => {
  await host.close()
  removeTemporaryFolders()
})

describe('a host that shows pages', () => {
  test('is listed the tools with their pages, and pages that load nothing', async () => {
    const { tools } = await host.listTools()
    const views = tools.flatMap(({ name, _meta }) => (_meta === undefined ? [] : [[name, _meta.ui]]))
    expect(views).toEqual([
      ['recall', { resourceUri: 'ui://mneme/results' }],
      ['review_memories', { resourceUri: 'ui://mneme/review' }],
      ['decide_review', { resourceUri: 'ui://mneme/review', visibility: ['app'] }],
    ])
    const { resources } = await host.listResources()
    expect(resources.map(({ uri, mimeType }) => [uri, mimeType])).toEqual([
      ['ui://mneme/results', VIEW_TYPE],
      ['ui://mneme/review', VIEW_TYPE],
    ])
    for (const { uri } of resources) {
      const [content] = (await host.readResource({ uri })).contents
      const { text, mimeType } = z.object({ text: z.string(), mimeType: z.string() }).parse(content)
      expect(mimeType).toBe(VIEW_TYPE)
      expect(text.startsWith('<!doctype html>')).toBe(true)
      expect(text).not.toMatch(/<(?:script|link|img|iframe)[^>]+(?:src|href)=|@import|url\(["']?https?:/)
    }
  })
})

test('a host without pages sees no difference', async () => {
  const plain = await connect({})
  try {
    const { tools } = await plain.listTools()
    expect(tools.some(({ name, _meta }) => _meta !== undefined || name.includes('review'))).toBe(false)
    expect(Buffer.byteLength(textIn({ tools }))).toBeLessThanOrEqual(MOST_LISTING_BYTES)
    expect(plain.getServerCapabilities()).toEqual({ tools: {} })
  } finally {
    await plain.close()
  }
})

/** A host as the extension describes it: the page in a sandboxed frame, calls passed on to the server. */
const HOST_PAGE = `<!doctype html><title>Host</title><h1>Host</h1><script>
window.open_ = (html, input, result) => new Promise((done) => {
  const frame = document.createElement('iframe')
  frame.title = 'mneme'
  frame.sandbox = 'allow-scripts'
  frame.width = '760'
  frame.height = '560'
  frame.srcdoc = html
  const post = (message) => frame.contentWindow.postMessage({ jsonrpc: '2.0', ...message }, '*')
  addEventListener('message', async ({ source, data }) => {
    if (source !== frame.contentWindow) return
    if (data.method === 'ui/initialize')
      post({ id: data.id, result: { protocolVersion: '2026-01-26', hostInfo: { name: 'host', version: '1' }, hostCapabilities: { serverTools: {} }, hostContext: { theme: 'light' } } })
    if (data.method === 'ui/notifications/initialized') {
      post({ method: 'ui/notifications/tool-input', params: { arguments: input } })
      post({ method: 'ui/notifications/tool-result', params: result })
      done()
    }
    if (data.method === 'tools/call') post({ id: data.id, result: await window.callTool(data.params) })
  })
  document.body.append(frame)
})
</script>`

describe.skipIf(BROWSER === undefined)('pages in a host', () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await openBrowser()
  })
  afterAll(() => browser.close())

  async function show(tool: string, uri: string, input: Record<string, unknown>): Promise<{ page: Page; frame: Frame; asked: string[] }> {
    const context = await browser.newContext({ reducedMotion: 'reduce' })
    const page = await context.newPage()
    const asked: string[] = []
    page.on('pageerror', (error) => asked.push(error.message))
    page.on('request', (request) => {
      if (!request.url().startsWith('about:')) asked.push(request.url())
    })
    await page.exposeFunction('callTool', (params: { name: string; arguments: Record<string, unknown> }) => host.callTool(params))
    await page.setContent(HOST_PAGE)
    const [content] = (await host.readResource({ uri })).contents
    const { text } = z.object({ text: z.string() }).parse(content)
    const result = await host.callTool({ name: tool, arguments: input })
    await page.evaluate(`window.open_(${JSON.stringify(text)}, ${JSON.stringify(input)}, ${JSON.stringify(result)})`)
    const frame = page.frames()[1]
    if (frame === undefined) throw new Error('The page has no frame.')
    return { page, frame, asked }
  }

  const check = async (frame: Frame): Promise<void> => {
    await frame.evaluate(AXE)
    const found = await frame.evaluate<readonly string[]>(
      `window.axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) => violations.map(({ id, nodes }) => id + ': ' + nodes[0].html))`,
    )
    expect(found).toEqual([])
  }

  test(
    'results are explained, corrected, put back and forgotten',
    async () => {
      const { page, frame, asked } = await show('recall', 'ui://mneme/results', { query: 'who keeps the lighthouse' })
      await frame.waitForSelector('.hit:has-text("Otto")')
      expect(await frame.textContent('.list')).toContain('<script>window.ran = 1</script>')
      expect(await frame.evaluate('window.ran')).toBeUndefined()
      await check(frame)
      await frame.press('.hit:has-text("Otto") button:text-is("Why")', 'Enter')
      await frame.waitForSelector('.why .parts')
      await check(frame)
      if (PICTURES !== undefined) await page.screenshot({ path: `${PICTURES}/app-results.png` })
      await frame.press('.hit:has-text("Otto") button:text-is("Correct")', 'Enter')
      await frame.fill('textarea', 'The lighthouse keeper is called Ann')
      await frame.press('button:text-is("Save")', 'Enter')
      await frame.waitForSelector('.app-notice:has-text("Corrected.")')
      expect(textIn(await host.callTool({ name: 'recall', arguments: { query: 'lighthouse keeper' } }))).toContain('called Ann')
      await frame.press('.app-notice button', 'Enter')
      await frame.waitForSelector('.app-notice:has-text("Undone.")')
      expect(textIn(await host.callTool({ name: 'recall', arguments: { query: 'lighthouse keeper' } }))).toContain('called Otto')
      await frame.press('.hit:has-text("4471") button:text-is("Forget")', 'Enter')
      await frame.press('.hit:has-text("4471") [role=group] button.danger', 'Enter')
      await frame.waitForSelector('.app-notice:has-text("Forgotten")')
      expect(textIn(await host.callTool({ name: 'recall', arguments: { query: 'lighthouse steps 4471' } }))).not.toContain('4471 steps')
      expect(asked).toEqual([])
    },
    PATIENCE,
  )

  test(
    'items to review are decided with the keyboard, and undone',
    async () => {
      await host.callTool({ name: 'store_memory', arguments: { content: 'The gate is green', subject: 'gate', predicate: 'colour' } })
      await host.callTool({ name: 'store_memory', arguments: { content: 'The gate is white', subject: 'gate', predicate: 'colour' } })
      const { page, frame, asked } = await show('review_memories', 'ui://mneme/review', {})
      await frame.waitForSelector('.versus:has-text("The gate is white")')
      await check(frame)
      if (PICTURES !== undefined) await page.screenshot({ path: `${PICTURES}/app-review.png` })
      await frame.press('.versus button.solid', '2')
      await frame.waitForSelector('.app-notice:has-text("Kept the later")')
      expect(textIn(await host.callTool({ name: 'review_memories', arguments: {} }))).not.toContain('The gate is white')
      await page.keyboard.press('u')
      await frame.waitForSelector('.app-notice:has-text("Undone.")')
      expect(textIn(await host.callTool({ name: 'review_memories', arguments: {} }))).toContain('The gate is white')
      expect(asked).toEqual([])
    },
    PATIENCE,
  )
})
