import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { defaultDriver } from '../../src/backends/sqlite/driver-choice.js'
import { EVENTUALLY } from '../eventually.js'
import { fact } from './node.js'

const records = z.object({ facts: z.array(z.object({ confidence: z.number() })) })
const card = z.object({ fact_hashes: z.array(z.string()) })

/** A server that can be killed. */
class Server {
  readonly #directory: string
  #child: ChildProcess | undefined
  #url = ''

  constructor(directory: string) {
    this.#directory = directory
  }

  async start(): Promise<void> {
    const args = ['dist/main.js', 'serve', '--port', '0', '--data-dir', this.#directory, '--embedder', 'hash', '--recall-debug']
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'pipe'] })
    this.#child = child
    let text = ''
    child.stderr?.on('data', (chunk: Buffer) => {
      text += chunk.toString()
    })
    await vi.waitFor(() => {
      const [, url] = /(http:\/\/127\.0\.0\.1:\d+)/u.exec(text) ?? []
      if (url === undefined) throw new Error(`no address yet: ${text}`)
      this.#url = url
    }, EVENTUALLY)
  }

  async ask(path: string, body?: unknown): Promise<Record<string, unknown>> {
    const options =
      body === undefined ? {} : { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
    return z.record(z.string(), z.unknown()).parse(await (await fetch(this.#url + path, options)).json())
  }

  /** Recall counts of facts in the file. */
  counted(): readonly number[] {
    const db = defaultDriver().open(join(this.#directory, 'mneme.db'))
    try {
      const rows = db.prepare('SELECT access_count FROM facts WHERE access_count > 0').all()
      return rows.map((row) => Number(row.access_count))
    } finally {
      db.close()
    }
  }

  async kill(): Promise<void> {
    const child = this.#child
    this.#child = undefined
    if (child === undefined || child.exitCode !== null) return
    child.kill('SIGKILL')
    await once(child, 'exit')
  }
}

const debugged = z.object({ scores_debug: z.record(z.string(), z.object({ access: z.number() })) })

describe('killed server', () => {
  let directory = ''
  let server = new Server('')
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'mneme-killed-'))
    server = new Server(directory)
  })
  afterEach(async () => {
    await server.kill()
    rmSync(directory, { recursive: true, force: true })
  })

  test('during sweeps and refreshes leaves the same facts as without a kill, and correct cards', async () => {
    await server.start()
    const old = new Date(Date.now() - 7_200_000).toISOString()
    for (let i = 0; i < 60; i++) await server.ask('/v1/facts', fact(`user:${i % 6}`, `weather:w${i}`, `sky ${i}`, { timestamp: old }))
    await server.ask('/v1/decay/policies', { relation: 'weather:*', half_life_s: 3600 })
    for (let i = 0; i < 6; i++) await server.ask(`/v1/cards/user:${i}`)
    // Killed at different points of the sweep and the refreshes.
    for (const wait of [0, 5, 25]) {
      const sweep = server.ask('/v1/decay/sweep', { scope: 'company' }).catch(() => undefined)
      const refresh = server.ask('/v1/cards/user:0?refresh=true').catch(() => undefined)
      const recall = server.ask('/v1/recall', { query: 'sky', token_budget: 500 }).catch(() => undefined)
      await new Promise((resolve) => setTimeout(resolve, wait))
      await server.kill()
      await Promise.all([sweep, refresh, recall])
      await server.start()
    }
    expect((await server.ask('/v1/facts?limit=1')).total).toBe(60)
    // The lease of the killed process expires.
    await vi.waitFor(async () => {
      const { swept_at: sweptAt, error } = await server.ask('/v1/decay/sweep', { scope: 'company' })
      if (sweptAt === undefined) throw new Error(JSON.stringify(error))
    }, EVENTUALLY)
    const { facts } = records.parse(await server.ask('/v1/facts?limit=100'))
    for (const { confidence } of facts) expect(confidence).toBeCloseTo(0.25, 1)
    // The remaining confidence is too low for a card: no outdated one is served.
    expect(await server.ask('/v1/cards/user:0')).toMatchObject({ error: { code: 'card_not_found' } })
    await server.ask('/v1/facts', fact('user:0', 'memory:role', 'watches the sky'))
    const { fact_hashes: hashes } = card.parse(await server.ask('/v1/cards/user:0'))
    expect(hashes).toHaveLength(1)
  })

  // Waits for half a minute: `MNEME_KILL_COUNTS=1` runs it.
  test.runIf(process.env.MNEME_KILL_COUNTS !== undefined)(
    'loses at most the recall counts of the last half minute, and no fact',
    async () => {
      await server.start()
      for (const name of ['harbour', 'pier']) await server.ask('/v1/facts', fact('user:0', `memory:${name}`, `the ${name} is open`))
      const ask = (query: string) =>
        server.ask('/v1/recall', { query, token_budget: 60, weights: { lex: 1, vec: 0, graph: 0 }, debug: true })
      await ask('harbour')
      // Written within half a minute without a request.
      await vi.waitFor(() => expect(server.counted()).toEqual([1]), { ...EVENTUALLY, interval: 500 })
      await ask('pier')
      await server.kill()
      expect(server.counted()).toEqual([1])
      await server.start()
      const { scores_debug: debug } = debugged.parse(await server.ask('/v1/recall', { query: 'open', token_budget: 500, debug: true }))
      expect(Object.values(debug).map(({ access }) => access)).toEqual(expect.arrayContaining([1, 0.5]))
    },
  )
})
