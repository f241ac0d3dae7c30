import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { loadConfig } from '../../src/config.js'
import { createEngine } from '../../src/engine/engine.js'
import type { Environment } from '../../src/engine/environment.js'
import { remember } from '../../src/engine/facts/remember.js'
import { PROMPT_FACTS, RANKED_FACTS, shouldInject } from '../../src/engine/hooks/brief.js'
import { recallAcrossOwners } from '../../src/engine/recall/recall-across-owners.js'
import { openParts } from '../../src/open.js'

interface Memory {
  readonly id: string
  readonly pool: string
  readonly text: string
  readonly session_no?: number
}

interface Question {
  readonly pool: string
  readonly query: string
  readonly gold: readonly string[]
  readonly category: string
  readonly before_session?: number
}

/** A candidate for injection, with the signals of the rule. */
export interface Row {
  readonly prompt: number
  readonly asked: 'answerable' | 'unanswerable' | 'of another store'
  readonly confidence: number
  readonly relevance: number
  readonly gold: boolean
  readonly injected: boolean
}

const folder = resolve(process.env.MNEME_EVALDATA ?? '../shared/evaldata')

export const hasData = (): boolean => existsSync(join(folder, 'notes-dev'))

const lines = <T>(path: string): readonly T[] =>
  readFileSync(path, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))

/** Every query as a prompt in the project of its store, and in the project of the next store, which cannot answer it. */
export async function measureInjection(set: 'notes-dev' | 'realmem-dev', embedder: 'local' | 'none'): Promise<readonly Row[]> {
  const directory = mkdtempSync(join(tmpdir(), 'mneme-bench-hooks-'))
  const { config } = loadConfig({ flags: { dataDir: directory, embedder, logLevel: 'error' }, env: {} })
  const { environment: engine, backend, code } = await openParts(config)
  const memories = lines<Memory>(join(folder, set, 'memories.jsonl'))
  const questions = lines<Question>(join(folder, set, 'questions.jsonl'))
  const pools = [...new Set(memories.map(({ pool }) => pool))]
  const rows: Row[] = []
  const names = new Map<string, string>()
  let prompt = 0
  for (const pool of pools) {
    const waiting = memories.filter((memory) => memory.pool === pool).sort((a, b) => (a.session_no ?? 0) - (b.session_no ?? 0))
    const requested = questions
      .filter((question) => question.pool === pool)
      .sort((a, b) => (a.before_session ?? 0) - (b.before_session ?? 0))
    let stored = 0
    for (const question of requested) {
      const due = waiting.filter(
        (memory, i) => i >= stored && (memory.session_no ?? 0) < (question.before_session ?? Number.POSITIVE_INFINITY),
      )
      stored += due.length
      await storeAll(engine, pool, due, names)
      rows.push(...(await ask(engine, pool, question, prompt++, names, false)))
      const [before] = pools.slice(0, pools.indexOf(pool)).slice(-1)
      if (before !== undefined) rows.push(...(await ask(engine, before, question, prompt++, names, true)))
    }
  }
  await createEngine(engine, backend, code).close()
  rmSync(directory, { recursive: true, force: true })
  return rows
}

async function storeAll(engine: Environment, owner: string, memories: readonly Memory[], names: Map<string, string>): Promise<void> {
  for (let index = 0; index < memories.length; index += 50) {
    const page = memories.slice(index, index + 50)
    const facts = await remember(
      engine,
      { actor: 'bench' },
      page.map(({ text }) => ({ text, owner })),
    )
    for (const [i, { id }] of facts.entries()) names.set(id, page[i]?.id ?? '')
  }
}

async function ask(
  engine: Environment,
  owner: string,
  { query, gold }: Question,
  prompt: number,
  names: ReadonlyMap<string, string>,
  foreign: boolean,
): Promise<readonly Row[]> {
  const { signal } = new AbortController()
  const judged = await recallAcrossOwners(engine, [owner, 'default'], { text: query, limit: RANKED_FACTS, effort: 'fast', signal })
  let injected = 0
  return judged.map((result) => {
    const injects = shouldInject(result) && injected < PROMPT_FACTS
    if (injects) injected += 1
    const query = foreign ? 'of another store' : gold.length === 0 ? 'unanswerable' : 'answerable'
    const { confidence, relevance, memory } = result
    return {
      prompt,
      asked: query,
      confidence,
      relevance,
      gold: !foreign && gold.includes(names.get(memory.fact.id) ?? ''),
      injected: injects,
    }
  })
}
