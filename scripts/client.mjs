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

const PYTHON_WORDS = new Set([
  'from',
  'import',
  'class',
  'def',
  'global',
  'in',
  'is',
  'lambda',
  'not',
  'or',
  'and',
  'pass',
  'with',
  'async',
])
const PYTHON_TYPES = { string: 'str', integer: 'int', number: 'float', boolean: 'bool', array: 'List[Any]', object: 'Mapping[str, Any]' }

const pythonType = (schema) => {
  if (schema.enum?.every((value) => typeof value === 'string'))
    return `Literal[${schema.enum.map((value) => JSON.stringify(value)).join(', ')}]`
  if (schema.type === 'array' && PYTHON_TYPES[schema.items?.type])
    return `List[${PYTHON_TYPES[schema.items.type].replace('Mapping[str, Any]', 'Any')}]`
  return PYTHON_TYPES[schema.type] ?? 'Any'
}

export function pythonOperations(contracts, version) {
  const lines = [
    '# Generated from the operations by `npm run docs`. Do not edit it by hand.',
    '',
    'from typing import Dict',
    '',
    `CLIENT_VERSION = "${version}"`,
    '',
  ]
  lines.push(
    '#: Effect (r read, w write, k write with an idempotency key) and route, where it is not POST /v1/contract/tool.',
    'OPERATIONS: Dict[str, Dict[str, str]] = {',
  )
  for (const contract of contracts) {
    lines.push(`    "${contract.name}": {`)
    for (const operation of contract.operations) lines.push(`        "${operation.name}": "${describeOperation(operation, contract)}",`)
    lines.push('    },')
  }
  return `${[...lines, '}'].join('\n')}\n`
}

/** One class for each contract; what a method answers depends on who calls: a value, or something to await. */
export function pythonTools(contracts) {
  const lines = [
    '# Generated from the operations by `npm run docs`. Do not edit it by hand.',
    '',
    'from __future__ import annotations',
    '',
    'from typing import Any, Callable, Generic, List, Literal, Mapping, Optional, TypeVar',
    '',
    'Answer = TypeVar("Answer")',
    'Call = Callable[[str, str, Mapping[str, Any]], Answer]',
  ]
  for (const contract of contracts) {
    const name = `${contract.name[0].toUpperCase()}${contract.name.slice(1)}Tools`
    lines.push(
      '',
      '',
      `class ${name}(Generic[Answer]):`,
      `    """${contract.title}."""`,
      '',
      '    def __init__(self, call: Call[Answer]) -> None:',
      '        self._call = call',
    )
    for (const operation of contract.operations) lines.push('', ...pythonMethod(contract, operation))
  }
  return `${lines.join('\n')}\n`
}

function pythonMethod(contract, operation) {
  const { properties = {}, required = [] } = operation.schemas.input
  const named = Object.entries(properties).map(([key, schema]) => ({
    key,
    name: PYTHON_WORDS.has(key) ? `${key}_` : key,
    type: pythonType(schema),
    needed: required.includes(key),
  }))
  const ordered = [...named.filter(({ needed }) => needed), ...named.filter(({ needed }) => !needed)]
  const parameters = ordered.map(({ name, type, needed }) => (needed ? `${name}: ${type}` : `${name}: Optional[${type}] = None`))
  const signature = ['self', ...(parameters.length === 0 ? [] : ['*', ...parameters])].join(', ')
  const description = operation.description.replaceAll('\\', '\\\\').replaceAll('"', "'")
  return [
    `    def ${operation.name}(${signature}) -> Answer:`,
    `        """${description}"""`,
    `        return self._call("${contract.name}", "${operation.name}", {${ordered.map(({ key, name }) => `"${key}": ${name}`).join(', ')}})`,
  ]
}

const COROUTINES = [
  'add',
  'recall',
  'search',
  'get',
  'list',
  'update',
  'delete',
  'history',
  'forget_all',
  'call',
  '_send',
  'close',
  '__enter__',
  '__exit__',
]

/** The asynchronous client is the synchronous one with its waits awaited. */
export function pythonAsyncClient(synchronous) {
  let text = synchronous
    .replace('from __future__', '# Generated from _client.py by `npm run docs`. Do not edit it by hand.\n\nfrom __future__')
    .replace('import time\n', 'import asyncio\n')
    .replace('time.sleep(', 'await asyncio.sleep(')
    .replaceAll('class Client', 'class AsyncClient')
    .replaceAll('-> Client', '-> AsyncClient')
    .replaceAll('httpx.Client', 'httpx.AsyncClient')
    .replaceAll('httpx.BaseTransport', 'httpx.AsyncBaseTransport')
    .replaceAll('Iterator', 'AsyncIterator')
    .replaceAll('with self._http.stream', 'async with self._http.stream')
    .replaceAll('for chunk in response.iter_bytes', 'async for chunk in response.aiter_bytes')
    .replaceAll('self._http.close()', 'await self._http.aclose()')
    .replace('        self.close()', '        await self.close()')
    .replaceAll('Tools[Dict[str, Any]]', 'Tools[Awaitable[Dict[str, Any]]]')
    .replace('from typing import Any,', 'from typing import Any, Awaitable,')
  for (const name of COROUTINES) text = text.replace(new RegExp(`    def ${name}\\(`), `    async def ${name}(`)
  text = text.replace(/self\.(call|get|_send)\(/g, 'await self.$1(')
  return text
    .replaceAll('__enter__', '__aenter__')
    .replaceAll('__exit__', '__aexit__')
    .replace('AsyncIterator, List', 'AsyncIterator, List')
}
