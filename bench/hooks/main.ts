import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { root, saveResult } from '../result.js'
import { hasData, measureInjection, type Row } from './injection.js'
import { measureWaiting } from './waiting.js'

// npm run bench hooks -- [waiting | injection]: the delay that a hook adds to a prompt, and how often injected facts are relevant.
const SIZES = [1000, 100_000]
const [part] = process.argv.slice(2)
const file = join(root, 'bench', 'results', 'hooks.json')
const earlier = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')).results : {}
const report: Record<string, unknown> = { ...earlier }

if (part !== 'injection') {
  const rows = []
  for (const facts of SIZES) {
    rows.push(await measureWaiting(resolve('dist', 'main.js'), facts, { server: 100, process: 20 }))
    process.stdout.write(`${JSON.stringify(rows.at(-1))}\n`)
  }
  report.waiting = rows
}
if (part !== 'waiting') {
  if (hasData()) {
    const sets: Record<string, unknown> = {}
    for (const set of ['notes-dev', 'realmem-dev'] as const)
      for (const embedder of ['local', 'none'] as const) {
        sets[`${set}, ${embedder === 'local' ? 'with the model' : 'by words'}`] = sharesOf(await measureInjection(set, embedder))
        process.stdout.write(`${JSON.stringify(sets)}\n`)
      }
    report.injection = sets
  } else process.stderr.write('There is no evaluation data here; see MNEME_EVALDATA.\n')
}
saveResult('hooks', report)

/** Per kind of prompt: share with an injection, share of those with a relevant fact, and share of relevant facts. */
function sharesOf(rows: readonly Row[]): Record<string, unknown> {
  const shares: Record<string, unknown> = {}
  for (const sort of ['answerable', 'unanswerable', 'of another store'] as const) {
    const ofKind = rows.filter(({ asked: query }) => query === sort)
    const prompts = new Set(ofKind.map(({ prompt }) => prompt)).size
    const injectedRows = ofKind.filter((row) => row.injected)
    const injected = new Set(injectedRows.map(({ prompt }) => prompt)).size
    const wanted = new Set(injectedRows.filter(({ gold }) => gold).map(({ prompt }) => prompt)).size
    shares[sort] = {
      prompts,
      injected: share(injected, prompts),
      withWanted: share(wanted, injected),
      factsWanted: share(injectedRows.filter(({ gold }) => gold).length, injectedRows.length),
    }
  }
  return shares
}

function share(part: number, whole: number): number {
  return whole === 0 ? 0 : Math.round((1000 * part) / whole) / 1000
}
