import { statSync } from 'node:fs'

/** Increases with every incompatible change of the frames. */
const PROTOCOL_VERSION = 1

/** Identifies this copy of the program, because copies of the same version may differ. */
export function buildId(script: string): string {
  return `${PROTOCOL_VERSION} ${script} ${statSync(script, { throwIfNoEntry: false })?.mtimeMs ?? 0} ${process.version}`
}
