import { resolve } from 'node:path'
import type { Call } from './operation.js'

/** Resolves a path in the caller's working directory, which may differ from this process's. */
export const callerPath = ({ cwd }: Pick<Call, 'cwd'>, path: string): string =>
  cwd === undefined || path === '' ? path : resolve(cwd, path)
