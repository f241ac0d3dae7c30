import { statSync } from 'node:fs'

/** Increases with every incompatible change of the frames. */
export const PROTOCOL = 1

/** Names this copy of the program: two copies may differ even where their versions are the same. */
export function buildId(script: string): string {
  return `${PROTOCOL} ${script} ${statSync(script, { throwIfNoEntry: false })?.mtimeMs ?? 0} ${process.version}`
}
