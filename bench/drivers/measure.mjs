// One process of the bench: prints the figures of the SQLite driver that this Node uses.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const FACTS = 10_000
const REPEATS = 300

process.stdout.write(JSON.stringify(await measure()))

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
  const repeat = async (name, work) => {
    const durations = []
    for (let i = 0; i < REPEATS; i++) durations.push(await time(() => work(i)))
    durations.sort((a, b) => a - b)
    figures[`${name} p50`] = round(durations[Math.floor(REPEATS * 0.5)])
    figures[`${name} p95`] = round(durations[Math.floor(REPEATS * 0.95)])
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
    await repeat('store', (i) => memory.remember(text(FACTS + i)))
    await repeat('search', (i) => memory.searchByWords(`boat ${i * 7} painted`, { limit: 10 }))
    await repeat('list', (i) => memory.call('memory', 'list_memories', { limit: 50, offset: i }))
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
