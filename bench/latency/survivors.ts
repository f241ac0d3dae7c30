import { setTimeout as delay } from 'node:timers/promises'
import { type Connection, connect, type ServerCommand } from './client.js'

export interface WriterPlan {
  readonly command: ServerCommand
  readonly processes: number
  readonly writesEach: number
  /** Stores a record and resolves to its key once acknowledged, or to null if rejected. */
  write(connection: Connection, name: string): Promise<string | null>
  /** The given keys that a fresh process can read. */
  present(connection: Connection, keys: readonly string[]): Promise<ReadonlySet<string>>
}

export interface Survival {
  readonly processes: number
  readonly acknowledged: number
  readonly present: number
  readonly lost: number
  readonly kills: number
  readonly refused: number
  readonly writesPerSecond: number
}

const KILL_EVERY_MS = 1000

/** Many processes write to one store while they are killed one after another with SIGKILL and restarted. */
export async function measureSurvival(plan: WriterPlan): Promise<Survival> {
  const acknowledged: string[] = []
  const live = new Map<number, Connection>()
  let kills = 0
  let refused = 0

  async function writer(number: number): Promise<void> {
    let written = 0
    let attempt = 0
    while (written < plan.writesEach) {
      const connection = await connect(plan.command)
      live.set(number, connection)
      try {
        while (written < plan.writesEach) {
          const key = await plan.write(connection, `writer ${number} record ${written} attempt ${attempt++}`)
          if (key === null) refused++
          else acknowledged.push(key)
          written++
        }
      } catch (failure) {
        // Only the killer may end a writer; any other exit is a defect.
        if (live.has(number)) throw failure
      } finally {
        live.delete(number)
        await connection.close()
      }
    }
  }

  const stop = new AbortController()
  async function killer(): Promise<void> {
    for (let turn = 0; !stop.signal.aborted; turn++) {
      await delay(KILL_EVERY_MS, undefined, { signal: stop.signal }).catch(() => undefined)
      const victims = [...live]
      const victim = victims[turn % Math.max(1, victims.length)]
      if (stop.signal.aborted || !victim) continue
      live.delete(victim[0])
      process.kill(victim[1].pid, 'SIGKILL')
      kills++
    }
  }

  const startedAt = performance.now()
  const killing = killer()
  try {
    await Promise.all(Array.from({ length: plan.processes }, (_, number) => writer(number)))
  } finally {
    stop.abort()
    await killing
  }
  const seconds = (performance.now() - startedAt) / 1000
  const reader = await connect(plan.command)
  try {
    const present = await plan.present(reader, acknowledged)
    const kept = acknowledged.filter((key) => present.has(key)).length
    return {
      processes: plan.processes,
      acknowledged: acknowledged.length,
      present: kept,
      lost: acknowledged.length - kept,
      kills,
      refused,
      writesPerSecond: Math.round(acknowledged.length / seconds),
    }
  } finally {
    await reader.close()
  }
}
