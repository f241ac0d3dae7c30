import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { openFile } from '../../src/backends/sqlite/driver-choice.js'
import type { Connection } from '../latency/client.js'

/** Resources that must not grow. Of several processes the maximum counts. */
export interface Sample {
  readonly minute: number
  readonly calls: number
  readonly fileMb: number
  readonly logMb: number
  readonly journalRows: number
  readonly facts: number
  readonly handles: number
  readonly residentMb: number
}

const megabytes = (path: string): number => (existsSync(path) ? Math.round(statSync(path).size / 1e4) / 100 : 0)

const handlesOf = (pid: number): number => (existsSync(`/proc/${pid}/fd`) ? readdirSync(`/proc/${pid}/fd`).length : 0)

export function sampleOf(folder: string, connections: readonly Connection[], minute: number, calls: number): Sample {
  const file = join(folder, 'mneme.db')
  const db = openFile(file, { readonly: true })
  try {
    const count = (table: string): number => Number(db.prepare(`SELECT count(*) FROM ${table}`).value())
    return {
      minute: Math.round(minute * 10) / 10,
      calls,
      fileMb: megabytes(file),
      logMb: megabytes(`${file}-wal`),
      journalRows: count('journal'),
      facts: count('facts'),
      handles: Math.max(...connections.map(({ pid }) => handlesOf(pid))),
      residentMb: Math.max(...connections.map((connection) => Math.round(connection.residentMegabytes()))),
    }
  } finally {
    db.close()
  }
}

const COLUMNS = ['minute', 'calls', 'fileMb', 'logMb', 'journalRows', 'facts', 'handles', 'residentMb'] as const

export function table(samples: readonly Sample[], head: boolean): string {
  const rows = samples.map((sample) => COLUMNS.map((column) => String(sample[column]).padStart(12)).join(''))
  return [...(head ? [COLUMNS.map((column) => column.padStart(12)).join('')] : []), ...rows].join('\n')
}

export const RULE =
  'Flat: the highest value of the last third of the run is at most 15 per cent, and a little (2 MB, 2 handles, 2,000 rows, 25 MB of memory), above the highest of the middle third. The first third is for filling up.'

export interface Verdict {
  readonly what: string
  readonly start: number
  readonly end: number
  readonly flat: boolean
}

const TOLERANCES = { fileMb: 2, logMb: 2, journalRows: 2000, handles: 2, residentMb: 25 } as const

export function verdicts(samples: readonly Sample[]): readonly Verdict[] {
  const third = Math.floor(samples.length / 3)
  const middle = samples.slice(third, 2 * third)
  const end = samples.slice(2 * third)
  return (['fileMb', 'logMb', 'journalRows', 'handles', 'residentMb'] as const).map((what) => {
    const highest = (part: readonly Sample[]): number => Math.max(0, ...part.map((sample) => sample[what]))
    const [before, after] = [highest(middle), highest(end)]
    return { what, start: before, end: after, flat: middle.length > 0 && after <= before * 1.15 + TOLERANCES[what] }
  })
}
