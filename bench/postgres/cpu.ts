import { readdirSync, readFileSync } from 'node:fs'

const TICKS_PER_SECOND = 100

/** CPU milliseconds of a process and its children, including ended ones. */
export function serverCpu(pid: number): number {
  let ticks = 0
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue
    const fields = statOf(name)
    if (fields === undefined || (Number(name) !== pid && Number(fields[1]) !== pid)) continue
    const [user, system, deadUser, deadSystem] = fields.slice(11, 15).map(Number)
    ticks += (user ?? 0) + (system ?? 0)
    if (Number(name) === pid) ticks += (deadUser ?? 0) + (deadSystem ?? 0)
  }
  return (ticks * 1000) / TICKS_PER_SECOND
}

/** The fields after the name in `/proc/<pid>/stat`: state, parent, ... */
function statOf(pid: string): readonly string[] | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return text.slice(text.lastIndexOf(')') + 2).split(' ')
  } catch {
    return undefined
  }
}
