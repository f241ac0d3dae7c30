import { resolve } from 'node:path'
import type { Call } from './operation.js'

/** A path of the caller, whose process may have another current folder than this one. */
export const callerPath = ({ cwd }: Pick<Call, 'cwd'>, path: string): string =>
  cwd === undefined || path === '' ? path : resolve(cwd, path)
