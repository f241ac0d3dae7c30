import type { Verdict } from './verdict.js'

export const LANES = ['in-process', 'stdio', 'http-mcp', 'http-rest', 'http-raw', 'commands'] as const
export type Lane = (typeof LANES)[number]

export interface Problem {
  readonly lane: Lane
  readonly tool: string
  readonly what: string
  /** The arguments of the call. */
  readonly input: string
}

/** Results of a run so far. */
export interface Tally {
  readonly calls: Record<Lane, number>
  readonly answered: number
  readonly refused: number
  readonly hangs: number
  readonly slowestMs: number
  readonly problems: readonly Problem[]
  readonly problemCount: number
  note(lane: Lane, tool: string, input: unknown, verdict: Verdict): void
  /** Awaits a call and counts a hang after the deadline. */
  timed<T>(lane: Lane, tool: string, input: unknown, call: Promise<T>): Promise<T | undefined>
  /** True once the run has made its calls or used its time. */
  over(lane: Lane): boolean
}

export interface Bounds {
  readonly shares: Readonly<Record<Lane, number>>
  readonly until: number
  readonly deadlineMs: number
}

const MOST_KEPT = 50

export function createTally({ shares, until, deadlineMs }: Bounds): Tally {
  const calls = { 'in-process': 0, stdio: 0, 'http-mcp': 0, 'http-rest': 0, 'http-raw': 0, commands: 0 }
  const problems: Problem[] = []
  let answered = 0
  let refused = 0
  let hangs = 0
  let slowestMs = 0
  let problemCount = 0

  const complain = (lane: Lane, tool: string, input: unknown, what: string): void => {
    problemCount++
    if (problems.length >= MOST_KEPT) return
    const problem = { lane, tool, what, input: shown(input) }
    problems.push(problem)
    process.stderr.write(`fuzz: ${lane} ${tool}: ${what}\n  ${problem.input}\n`)
  }

  return {
    calls,
    problems,
    get answered() {
      return answered
    },
    get refused() {
      return refused
    },
    get hangs() {
      return hangs
    },
    get slowestMs() {
      return slowestMs
    },
    get problemCount() {
      return problemCount
    },
    note(lane, tool, input, verdict) {
      calls[lane]++
      if (verdict.outcome === 'answered') answered++
      else refused++
      if (verdict.problem !== undefined) complain(lane, tool, input, verdict.problem)
    },
    async timed(lane, tool, input, call) {
      const since = performance.now()
      let timer: NodeJS.Timeout | undefined
      const late = new Promise<'late'>((resolve) => {
        timer = setTimeout(() => resolve('late'), deadlineMs)
      })
      const done = call.then((value) => ({ value }))
      const first = await Promise.race([done, late])
      clearTimeout(timer)
      slowestMs = Math.max(slowestMs, performance.now() - since)
      if (first !== 'late') return first.value
      done.catch(() => undefined)
      hangs++
      calls[lane]++
      complain(lane, tool, input, `no answer within ${deadlineMs} ms`)
      return undefined
    },
    over: (lane) => calls[lane] >= shares[lane] || performance.now() >= until,
  }
}

function shown(input: unknown): string {
  const text = typeof input === 'string' ? input : (JSON.stringify(input) ?? 'undefined')
  return text.length > 1500 ? `${text.slice(0, 1500)}… (${text.length} characters)` : text
}
