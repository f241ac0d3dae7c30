import { appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { loadConfig } from '../../src/config.js'
import { createEngine } from '../../src/engine/engine.js'
import { remember } from '../../src/engine/facts/remember.js'
import { ingestConversation, ingestFile, ingestWeb } from '../../src/engine/substrate/evidence/ingest.js'
import { ingestRepo } from '../../src/engine/substrate/evidence/ingest-repo.js'
import { openParts } from '../../src/open.js'
import { saveResult } from '../result.js'
import { watchLoop } from './held-loop.js'

// npm run bench ingest -- [--files 5000] [--out file]
// Capture of a repository, of an unchanged one and of pages, and the longest block of the event loop for any evidence.
const { values } = parseArgs({
  args: process.argv.slice(2),
  options: { files: { type: 'string', default: '5000' }, out: { type: 'string' } },
})

const progress = (text: string): void => void process.stderr.write(`${text}\n`)
const round = (value: number): number => Math.round(value * 10) / 10
const directory = mkdtempSync(join(tmpdir(), 'mneme-ingest-bench-'))
const flags = { dataDir: join(directory, 'data'), embedder: 'none', profile: 'substrate', ingestAllowPrivate: true }
const { environment, backend, code } = await openParts(loadConfig({ flags, env: {} }).config)
const engine = createEngine(environment, backend, code)
const signal = new AbortController().signal
const call = { owner: 'default', actor: 'bench', signal }
const results: Record<string, number> = {}
const held: Record<string, number> = {}

async function timed<T>(name: string, work: () => Promise<T>): Promise<T> {
  const loop = watchLoop()
  const from = performance.now()
  const done = await work()
  results[name] = round(performance.now() - from)
  held[name] = round(loop.longest())
  progress(`${name}: ${results[name]} ms, event loop held ${held[name]} ms`)
  return done
}

function makeRepository(files: number): string {
  const root = join(directory, 'repository')
  for (let i = 0; i < files; i++) {
    const folder = join(root, 'src', `part-${i % 50}`)
    mkdirSync(folder, { recursive: true })
    if (i % 10 === 0)
      writeFileSync(
        join(folder, `note-${i}.md`),
        `# Note ${i}\n\nAbout the lamp.\n\n## Details ${i}\n\n${'A few more words. '.repeat(20)}\n`,
      )
    else
      writeFileSync(
        join(folder, `module-${i}.ts`),
        `import { step${i + 1} } from './module-${i + 1}.js'\n\n/** Does step ${i}. */\nexport function step${i}(value: number): number {\n  return step${i + 1}(value) + ${i}\n}\n\nexport class Keeper${i} {\n  light(): number {\n    return step${i}(1)\n  }\n}\n`,
      )
  }
  return root
}

const write = (name: string, text: string): string => {
  const path = join(directory, name)
  writeFileSync(path, text)
  return path
}

const server = createServer((_, response) =>
  response
    .writeHead(200, { 'content-type': 'text/html' })
    .end(`<title>Deep</title>${'<div>'.repeat(20_000)}words${'</div>'.repeat(20_000)}`),
)

try {
  const files = Number(values.files)
  const path = makeRepository(files)
  const repo = { path, include: [], exclude: [], force: false }
  const inCall = { ...call, progress: () => undefined }
  await timed('repo', () => ingestRepo(engine.context(), inCall, repo))
  results['repo files/s'] = round((files / (results.repo ?? 1)) * 1000)
  await timed('repo noop', () => ingestRepo(engine.context(), inCall, repo))
  appendFileSync(join(path, 'src', 'part-1', 'module-1.ts'), '\nexport const more = 1\n')
  await timed('repo, one file changed', () => ingestRepo(engine.context(), inCall, repo))
  const pages = await timed('all pages rebuilt', () => environment.projections.rebuild('default'))
  results['pages/s'] = round((pages / (results['all pages rebuilt'] ?? 1)) * 1000)
  const rememberOne = () => remember(engine.context(), { actor: 'bench', connection: 'bench' }, [{ text: 'One more fact.' }])
  await rememberOne()
  await timed('one fact', rememberOne)
  await environment.projections.follow('default')
  await timed('one fact and its page', async () => {
    await rememberOne()
    await environment.projections.follow('default')
  })
  const messages = Array.from({ length: 2000 }, (_, i) => ({
    role: i % 2 === 0 ? 'user' : 'assistant',
    content: `Message ${i} about lighthouses.`,
  }))
  await timed('2,000 messages', () => ingestConversation(engine.context(), call, { title: 'Talk', messages }))
  const headings = write('headings.md', Array.from({ length: 100_000 }, (_, i) => `# Heading ${i}\n`).join(''))
  await timed('100,000 headings', () => ingestFile(engine.context(), call, { path: headings, mode: 'markdown' }))
  const line = write('line.md', `# One line\n\n${'word '.repeat(1_800_000)}`)
  await timed('a line of 9 MB', () => ingestFile(engine.context(), call, { path: line, mode: 'markdown' }))
  const fence = write('fence.md', `# Open\n\`\`\`\n${'a line of code\n'.repeat(500_000)}`)
  await timed('an open fence of 7 MB', () => ingestFile(engine.context(), call, { path: fence, mode: 'markdown' }))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  await timed('20,000 nested tags', () => ingestWeb(engine.context(), call, `http://127.0.0.1:${port}/`))
  saveResult('ingest', { files, ms: results, heldMs: held }, values.out)
} finally {
  server.close()
  await engine.close()
  rmSync(directory, { recursive: true, force: true })
}
