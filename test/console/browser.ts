import { existsSync } from 'node:fs'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { EVENTUALLY } from '../eventually.js'
import type { ConsoleServer } from './console-server.js'

const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

/** The browser that is installed; undefined skips the tests that need one. */
export const BROWSER = process.env.MNEME_TEST_BROWSER ?? PLACES.find((place) => existsSync(place))

if (BROWSER === undefined)
  process.stdout.write('Skipped the browser tests of the console: no Chromium is installed. `apt-get install chromium` provides one.\n')

const FLAGS = [
  '--no-sandbox',
  '--disable-quic',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
]

export const openBrowser = (): Promise<Browser> =>
  chromium.launch({ ...(BROWSER === undefined ? {} : { executablePath: BROWSER }), args: FLAGS })

export interface SignedIn {
  readonly context: BrowserContext
  readonly page: Page
  /** Requests to another origin than the console's. */
  readonly foreign: readonly string[]
  /** What scripts of the page reported as wrong. */
  readonly errors: readonly string[]
}

/** A page that came in by a one-time code. */
export async function signInPage(browser: Browser, server: ConsoleServer, options: { readonly width?: number } = {}): Promise<SignedIn> {
  const { width = 1280 } = options
  const context = await browser.newContext({
    viewport: { width, height: 800 },
    colorScheme: 'light',
    reducedMotion: 'reduce',
    timezoneId: 'UTC',
    locale: 'en-GB',
  })
  context.setDefaultTimeout(EVENTUALLY.timeout)
  const page = await context.newPage()
  const foreign: string[] = []
  const errors: string[] = []
  page.on('request', (request) => {
    if (!request.url().startsWith(server.url) && !/^(?:blob|data):/.test(request.url())) foreign.push(request.url())
  })
  page.on('pageerror', (error) => errors.push(error.message))
  await page.goto(`${server.url}/console/#code=${await server.code()}`)
  await page.waitForSelector('.shell')
  return { context, page, foreign, errors }
}

/** Opens a view and waits until it shows what it is about. */
export async function openView(page: Page, server: ConsoleServer, address: string, shown: string): Promise<void> {
  await page.goto(`${server.url}/console/${address}`)
  await page.waitForSelector(shown)
  await page.waitForSelector('.live:has-text("Live")', { state: 'attached' })
  await page.waitForSelector('.busy', { state: 'detached' })
}
