import { setTimeout as delay } from 'node:timers/promises'
import { z } from 'zod'
import { loadConfig } from '../../src/config.js'
import { createEngine } from '../../src/engine/engine.js'
import type { Environment } from '../../src/engine/environment.js'
import { recall } from '../../src/engine/recall/recall.js'
import { openParts } from '../../src/open.js'
import { ownerName, ownWord } from './fill.js'

const planSchema = z.object({
  directory: z.string(),
  owners: z.number(),
  facts: z.number(),
  asked: z.number(),
  memoryMb: z.number(),
  /** All owners have the words of the first. */
  copied: z.boolean(),
  model: z.enum(['hash', 'local']),
})

const IDLE_MINUTES = 0.05
const MB = 2 ** 20

const residentMb = (): number => {
  globalThis.gc?.()
  return Math.round(process.memoryUsage().rss / MB)
}

function cpuMs(since: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(since)
  return (user + system) / 1000
}

async function ask(env: Environment, owner: number, word: string): Promise<boolean> {
  const { results } = await recall(env, {
    text: `Where is ${word}?`,
    owner: ownerName(owner),
    limit: 5,
    effort: 'fast',
    signal: new AbortController().signal,
  })
  return results[0]?.fact.text.includes(`${word} `) === true && results.every(({ fact }) => fact.owner === ownerName(owner))
}

/** Runs in a process of its own with empty caches. */
export async function measure(input: unknown): Promise<Readonly<Record<string, number | string>>> {
  const { directory, owners, facts, asked: requested, memoryMb, copied, model } = planSchema.parse(input)
  const flags = { dataDir: directory, embedder: model, searchMemoryMb: memoryMb, searchIdleMinutes: IDLE_MINUTES }
  const { environment, backend, code } = await openParts(loadConfig({ flags, env: {} }).config, { log: { warn: () => undefined } })
  const engine = createEngine(environment, backend, code)
  try {
    await environment.backlog.model()
    // No queries: the time of loading the model alone.
    if (requested === 0) {
      const since = performance.now()
      await environment.embedding.query('Where is it?', new AbortController().signal)
      return { modelMs: Math.round((performance.now() - since) * 10) / 10 }
    }
    const before = residentMb()
    const times: number[] = []
    const cpuBefore = process.cpuUsage()
    let firstCpuMs = 0
    let right = 0
    let mostMb = 0
    let mostResident = 0
    for (let i = 0; i < requested; i++) {
      const since = performance.now()
      if (await ask(environment, i % owners, ownWord(copied ? 0 : i % owners, (i * 7) % facts))) right++
      times.push(performance.now() - since)
      if (i === 0) firstCpuMs = cpuMs(cpuBefore)
      mostMb = Math.max(mostMb, environment.memoryBytes() / MB)
      mostResident = Math.max(mostResident, process.memoryUsage().rss / MB)
    }
    const loaded = residentMb()
    // Waits until the idle process has evicted everything.
    for (let i = 0; environment.memoryBytes() > MB && i < 300; i++) await delay(100)
    const sorted = [...times].sort((a, b) => a - b)
    return {
      // CPU time of the first search, independent of other load.
      firstCpuMs: Math.round(firstCpuMs * 10) / 10,
      firstMs: Math.round((times[0] ?? 0) * 10) / 10,
      medianMs: Math.round((sorted[Math.floor(sorted.length / 2)] ?? 0) * 10) / 10,
      right: `${right} of ${requested}`,
      searchMemoryMb: Math.round(mostMb * 10) / 10,
      residentBeforeMb: before,
      residentMostMb: Math.round(mostResident),
      residentLoadedMb: loaded,
      residentIdleMb: residentMb(),
    }
  } finally {
    await engine.close()
  }
}
