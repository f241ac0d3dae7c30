import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Outcome } from './metrics.js'
import { type Mode, rankedBy, startServer } from './server.js'
import type { EvalMemory, EvalQuestion, EvalSet } from './sets.js'

/** Anything that stores memories and answers questions with their ids. */
export interface System {
  store(memory: EvalMemory): Promise<void>
  /** Waits for what is made in the background, such as the vectors of long texts. */
  settle?(): Promise<void>
  ask(question: EvalQuestion, mode: Mode, limit: number): Promise<Answered>
  close(): Promise<void>
}

/** What a system answered; not all of them tell the rest. */
export type Answered = Pick<Outcome, 'ranked' | 'milliseconds'> &
  Partial<Pick<Outcome, 'lengths' | 'confidence' | 'relevances' | 'incomplete'>>

const untold = { lengths: [], confidence: null, relevances: [], incomplete: false }

export interface Run {
  readonly name: string
  readonly outcomes: readonly Outcome[]
  readonly storeMilliseconds: readonly number[]
}

/** As many as the tools return at most. */
export const askedFor = 50

/**
 * Sets without an order of their own are stored in a fixed shuffled order: their files list the evidence of a question side by side,
 * and a system that treats successive memories as neighbours must not profit from that.
 */
export function storingOrder(set: EvalSet): readonly EvalMemory[] {
  if (set.ordered) return [...set.memories].sort((a, b) => a.sessionNo - b.sessionNo)
  let state = 12345
  const keyed = set.memories.map((memory) => {
    state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff
    return { memory, key: state }
  })
  return keyed.sort((a, b) => a.key - b.key).map(({ memory }) => memory)
}

export interface RunOptions {
  readonly modes: readonly Mode[]
  /** False where the system already holds the memories. */
  readonly storing: boolean
  readonly progress: (text: string) => void
}

/** Stores and asks in the order of time, so that no question can be answered by a later memory. */
export async function runSet(set: EvalSet, system: System, options: RunOptions): Promise<Map<Mode, Run>> {
  const memories = storingOrder(set)
  const questions = [...set.questions].sort((a, b) => a.before - b.before)
  const outcomes = new Map<Mode, Outcome[]>(options.modes.map((mode) => [mode, []]))
  const storeMilliseconds: number[] = []
  let next = 0
  const storeUntil = async (before: number) => {
    const from = next
    for (; next < memories.length; next += 1) {
      const memory = memories[next]
      if (!memory || memory.sessionNo >= before) break
      const start = performance.now()
      await system.store(memory)
      storeMilliseconds.push(performance.now() - start)
      if (next % 500 === 499) options.progress(`${set.name}: ${next + 1} of ${memories.length} stored`)
    }
    if (next > from) await system.settle?.()
  }
  let asked = 0
  for (const question of questions) {
    if (options.storing) await storeUntil(question.before)
    for (const mode of options.modes) {
      const answer = await system.ask(question, mode, askedFor)
      outcomes.get(mode)?.push({ question, ...untold, ...answer })
    }
    asked += 1
    if (asked % 200 === 0) options.progress(`${set.name}: ${asked} of ${questions.length} asked`)
  }
  return new Map([...outcomes].map(([mode, list]) => [mode, { name: mode, outcomes: list, storeMilliseconds }]))
}

/** True where every question may see every memory, so that one filled store serves several configurations. */
export function isTimeless(set: EvalSet): boolean {
  return set.questions.every((question) => question.before === Number.POSITIVE_INFINITY)
}

export interface Store {
  readonly folder: string
  /** Ids of the server to ids of the set; two equal texts may share one memory. */
  readonly ids: Map<string, string[]>
  filled: boolean
  remove(): void
}

export function createStore(): Store {
  const folder = mkdtempSync(join(tmpdir(), 'mneme-quality-'))
  return { folder, ids: new Map(), filled: false, remove: () => rmSync(folder, { recursive: true, force: true }) }
}

export interface ServerLaunch {
  readonly entry: string
  /** Flags that choose the embedder. */
  readonly embedder: readonly string[]
}

export async function openServer(launch: ServerLaunch, store: Store, recipe: Readonly<Record<string, unknown>> | null): Promise<System> {
  const flags = ['--embed-cache-enabled', 'false', '--search-cache-enabled', 'false']
  const command = [process.execPath, launch.entry, 'mcp', '--data-dir', store.folder, ...flags, ...launch.embedder]
  const server = await startServer({ command, recipe })
  return {
    async store(memory) {
      const id = await server.store(memory)
      const same = store.ids.get(id)
      if (same) same.push(memory.id)
      else store.ids.set(id, [memory.id])
    },
    settle: () => server.settle(),
    async ask(question, mode, limit) {
      const answer = await server.ask(mode, question.query, question.pool, limit)
      return { ...rankedBy(answer, store.ids), milliseconds: answer.milliseconds }
    },
    close: () => server.close(),
  }
}
