// npm run bench:drivers: the same work on the store by each SQLite that it is used through: better-sqlite3 on Node 20, Node's own on 22,
// 24 and 26. In turns, so that what else the machine does falls on all alike. Without a model: what is measured is the store.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { nodeOf, run } from '../../scripts/fetched-tools.mjs'
import { root } from '../../scripts/install.mjs'

const FACTS = 10_000
const TIMES = 300
const ROUNDS = 3

if (process.argv.includes('--one')) process.stdout.write(JSON.stringify(await measure()))
else await compare()

async function compare() {
  const nodes = [process.execPath, await nodeOf('22'), await nodeOf('24'), await nodeOf('26')]
  const results = new Map()
  const load = loadavg()[0]
  for (let round = 0; round < ROUNDS; round++)
    for (const node of nodes) {
      const said = JSON.parse(
        await run(node, [fileURLToPath(new URL('../../bench/drivers/main.mjs', import.meta.url)), '--one'], { cwd: root }),
      )
      results.set(said.name, [...(results.get(said.name) ?? []), said.figures])
      process.stderr.write(`${said.name} ${JSON.stringify(said.figures)}\n`)
    }
  const middle = (values) => values.sort((a, b) => a - b)[Math.floor(values.length / 2)]
  const report = [...results].map(([name, rounds]) => ({
    name,
    figures: Object.fromEntries(Object.keys(rounds[0]).map((key) => [key, middle(rounds.map((figures) => figures[key]))])),
  }))
  const columns = Object.keys(report[0].figures)
  const lines = [
    ['', ...columns],
    ['---', ...columns.map(() => '---')],
    ...report.map(({ name, figures }) => [name, ...columns.map((key) => figures[key])]),
  ]
  process.stdout.write(`${lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n')}\n`)
  const file = join(root, 'bench', 'results', 'drivers.json')
  writeFileSync(
    file,
    `${JSON.stringify({ facts: FACTS, times: TIMES, rounds: ROUNDS, loadAverage: Math.round(load * 10) / 10, report }, null, 2)}\n`,
  )
}

async function measure() {
  const { openMemory } = await import(new URL('../../dist/library.js', import.meta.url))
  const { defaultDriver } = await import(new URL('../../dist/backends/sqlite/driver-choice.js', import.meta.url))
  const dataDir = mkdtempSync(join(tmpdir(), 'mneme-drivers-'))
  const open = () => openMemory({ dataDir, embedder: 'none' })
  const figures = {}
  const round = (ms) => Math.round(ms * 100) / 100
  const time = async (work) => {
    const startedAt = performance.now()
    await work()
    return performance.now() - startedAt
  }
  const many = async (name, work) => {
    const took = []
    for (let i = 0; i < TIMES; i++) took.push(await time(() => work(i)))
    took.sort((a, b) => a - b)
    figures[`${name} p50`] = round(took[Math.floor(TIMES * 0.5)])
    figures[`${name} p95`] = round(took[Math.floor(TIMES * 0.95)])
  }
  try {
    let memory = await open()
    const text = (i) =>
      `Boat ${i} of the harbour at ${['Porto', 'Faro', 'Vigo'][i % 3]} was painted ${['green', 'red', 'blue'][i % 3]} by worker ${i % 97}`
    figures['store 10,000, s'] = round(
      (await time(async () => {
        for (let i = 0; i < FACTS; i += 500) await memory.remember(...Array.from({ length: 500 }, (_, k) => text(i + k)))
      })) / 1000,
    )
    await many('store', (i) => memory.remember(text(FACTS + i)))
    await many('search', (i) => memory.searchByWords(`boat ${i * 7} painted`, { limit: 10 }))
    await many('list', (i) => memory.call('memory', 'list_memories', { limit: 50, offset: i }))
    await memory.close()
    figures['open and first search'] = round(
      await time(async () => {
        memory = await open()
        await memory.searchByWords('boat painted', { limit: 10 })
      }),
    )
    await memory.close()
  } finally {
    rmSync(dataDir, { recursive: true, force: true })
  }
  return { name: `${defaultDriver().name}, Node ${process.versions.node}`, figures }
}
