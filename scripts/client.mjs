// What the clients know of the operations: generated with the reference by `npm run docs`.
import { toType } from './client-types.mjs'

/** Effect, and the place of those that have one of their own: `r`, `w`, or `k` for a write that takes an idempotency key. */
export function describeOperation(operation, contract) {
  const keyed = operation.schemas.exact().input.properties?.idempotency_key !== undefined
  const effect = operation.effect === 'read' ? 'r' : keyed ? 'k' : 'w'
  const [route] = operation.routes
  const usual = route.method === 'POST' && route.path === `/v1/${contract.name}/${operation.name}`
  return usual ? effect : `${effect} ${route.method} ${route.path.replace(/:(\w+)(?:\{[^}]*\})?/g, ':$1')}`
}

export function typescriptClient(contracts, version) {
  const lines = [
    '// Generated from the operations by `npm run docs`. Do not edit it by hand.',
    '',
    `export const CLIENT_VERSION = '${version}'`,
    '',
    '/** Effect (r read, w write, k write with an idempotency key) and route, where it is not POST /v1/contract/tool. */',
    'export const OPERATIONS = {',
  ]
  for (const contract of contracts) {
    const entries = contract.operations.map((operation) => `${operation.name}: '${describeOperation(operation, contract)}'`)
    lines.push(`  ${contract.name}: { ${entries.join(', ')} },`)
  }
  lines.push('} as const', '', '/** Input and output of every tool of every contract. */', 'export interface Tools {')
  for (const contract of contracts) {
    lines.push(`  readonly ${contract.name}: {`)
    for (const operation of contract.operations) {
      const { input, output } = operation.schemas.exact()
      lines.push(`    readonly ${operation.name}: { readonly input: ${toType(input)}; readonly output: ${toType(output)} }`)
    }
    lines.push('  }')
  }
  lines.push('}')
  return `${lines.join('\n')}\n`
}
