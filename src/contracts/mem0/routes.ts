import type { Route } from '../operation.js'

const ROOT = '/compat/mem0'

type Method = Route['method']

/** Routes of the hosted service and of the self-hosted server under one root. */
export const routes = (...places: readonly (readonly [Method, string])[]): readonly Route[] =>
  places.map(([method, path]) => ({ method, path: `${ROOT}${path}`, status: 200 }))
