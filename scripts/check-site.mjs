// npm run docs site -- --check: opens every page of the built site in Chromium, light, dark and narrow.
import { createReadStream, existsSync, readdirSync } from 'node:fs'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import { extname, join } from 'node:path'
import { chromium } from 'playwright-core'

const TYPES = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.txt': 'text/plain',
}
const VIEWS = [
  { name: 'light', colorScheme: 'light', viewport: { width: 1280, height: 900 } },
  { name: 'dark', colorScheme: 'dark', viewport: { width: 1280, height: 900 } },
  { name: 'narrow', colorScheme: 'light', viewport: { width: 360, height: 740 } },
]
const axe = createRequire(import.meta.url).resolve('axe-core/axe.min.js')

/** One line for each problem. */
export async function checkSite(dist, { shots } = {}) {
  const executablePath = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find((path) => existsSync(path))
  if (executablePath === undefined) return ['There is no Chromium: `apt-get install chromium` provides one.']
  const server = await serve(dist)
  const origin = `http://127.0.0.1:${server.address().port}`
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] })
  const problems = []
  try {
    for (const { name, ...options } of VIEWS) {
      const context = await browser.newContext(options)
      const page = await context.newPage()
      page.on('request', (request) => {
        if (!request.url().startsWith(origin) && !request.url().startsWith('data:'))
          problems.push(`${name}: asks another host: ${request.url()}`)
      })
      page.on('pageerror', (failure) => problems.push(`${name}: ${failure.message}`))
      for (const path of pagesOf(dist)) {
        const response = await page.goto(`${origin}/${path}`, { waitUntil: 'networkidle' })
        if (response?.status() !== 200) problems.push(`${name} /${path}: status ${response?.status()}`)
        problems.push(...(await checkPage(page)).map((problem) => `${name} /${path}: ${problem}`))
        if (shots !== undefined) await page.screenshot({ path: join(shots, `${name}-${path.replaceAll('/', '-') || 'home'}.png`) })
      }
      await context.close()
    }
  } finally {
    await browser.close()
    server.close()
  }
  return problems
}

/** Addresses of all pages; of the decisions, which look the same, the list alone. */
function pagesOf(dist) {
  return readdirSync(dist, { recursive: true })
    .map((file) => String(file).replaceAll('\\', '/'))
    .filter((file) => file.endsWith('.html') && file !== '404.html' && !/^docs\/decisions\/\d/.test(file))
    .map((file) => file.replace(/(^|\/)index\.html$/, '$1').replace(/\.html$/, ''))
    .sort()
}

async function checkPage(page) {
  await page.addScriptTag({ path: axe })
  const { found, violations } = await page.evaluate(async () => {
    const description = document.querySelector('meta[name=description]')?.getAttribute('content') ?? ''
    const found = []
    if (document.title.length < 3) found.push('has no title')
    if (description.length < 10) found.push('has no description')
    if (document.querySelectorAll('h1').length !== 1) found.push(`has ${document.querySelectorAll('h1').length} h1`)
    if ([...document.images].some((image) => !image.alt)) found.push('has an image without a text')
    if (document.documentElement.lang === '') found.push('has no language')
    if (document.documentElement.scrollWidth > window.innerWidth + 1) found.push('is wider than the screen')
    const result = await globalThis.axe.run(document, { resultTypes: ['violations'] })
    return {
      found,
      violations: result.violations.map(
        ({ id, nodes }) => `${id} (${nodes.length}): ${nodes[0]?.html.slice(0, 160)} ${nodes[0]?.any[0]?.message ?? ''}`,
      ),
    }
  })
  return [...found, ...violations.map((violation) => `axe: ${violation}`)]
}

function serve(dist) {
  const server = createServer((request, response) => {
    const path = decodeURIComponent(new URL(request.url ?? '/', 'http://x').pathname)
    const file = [path, `${path}.html`, join(path, 'index.html')]
      .map((one) => join(dist, one))
      .find((one) => existsSync(one) && extname(one) !== '')
    if (file === undefined || path.includes('..')) return response.writeHead(404).end()
    response.writeHead(200, { 'Content-Type': TYPES[extname(file)] ?? 'application/octet-stream' })
    createReadStream(file).pipe(response)
  })
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)))
}
