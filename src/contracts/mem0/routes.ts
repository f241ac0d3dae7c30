import type { Route } from '../operation.js'

const ROOT = '/compat/mem0'

type Method = Route['method']

/** The address of the hosted service and that of the self-hosted server, below the same root. */
export const routes = (...places: readonly (readonly [Method, string])[]): readonly Route[] =>
  places.map(([method, path]) => ({ method, path: `${ROOT}${path}`, status: 200 }))
