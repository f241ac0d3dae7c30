import { MemoryError } from '../errors.js'
import { OPERATIONS } from './operations.js'

/** One tool call as an HTTP request. */
export interface ToolRequest {
  readonly method: string
  readonly path: string
  readonly body: string | undefined
  /** True for reads, and for writes that the server deduplicates by their key. */
  readonly repeatable: boolean
}

type Input = Readonly<Record<string, unknown>>

const TABLE: Readonly<Record<string, Readonly<Record<string, string>>>> = OPERATIONS

export function toolRequest(contract: string, tool: string, fields: Input): ToolRequest {
  const [effect, method = 'POST', template = `/v1/${contract}/${tool}`] = lookUp(contract, tool).split(' ')
  const keyed = effect === 'k' && fields.idempotency_key === undefined
  const input: Record<string, unknown> = keyed ? { ...fields, idempotency_key: crypto.randomUUID() } : { ...fields }
  const path = template.replace(/:(\w+)/gu, (_, name: string) => {
    const value = input[name]
    if (typeof value !== 'string' || value === '')
      throw new MemoryError('invalid_input', `Missing ${name}: ${contract}/${tool} needs it as text.`, { hint: `Pass { ${name}: '...' }.` })
    delete input[name]
    return encodeURIComponent(value)
  })
  const repeatable = effect !== 'w'
  if (method !== 'GET' && method !== 'DELETE') return { method, path, body: bodyOf(input), repeatable }
  const query = queryOf(input)
  return { method, path: query === '' ? path : `${path}?${query}`, body: undefined, repeatable }
}

function bodyOf(input: Input): string {
  try {
    return JSON.stringify(input)
  } catch (failure) {
    const reason = failure instanceof Error ? failure.message : String(failure)
    throw new MemoryError('invalid_input', `The input cannot be written as JSON: ${reason}`, {
      hint: 'Pass plain values: no BigInt and no object that contains itself.',
    })
  }
}

function lookUp(contract: string, tool: string): string {
  const tools = Object.hasOwn(TABLE, contract) ? TABLE[contract] : undefined
  if (tools === undefined)
    throw new MemoryError('invalid_input', `There is no contract "${contract}".`, { hint: `There are ${Object.keys(TABLE).join(', ')}.` })
  const found = Object.hasOwn(tools, tool) ? tools[tool] : undefined
  if (found === undefined)
    throw new MemoryError('invalid_input', `The ${contract} contract has no tool "${tool}".`, {
      hint: `It has ${Object.keys(tools).join(', ')}.`,
    })
  return found
}

function queryOf(input: Input): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(input)) {
    if (value === undefined || value === null) continue
    for (const element of Array.isArray(value) ? value : [value])
      query.append(name, typeof element === 'object' ? JSON.stringify(element) : String(element))
  }
  return query.toString()
}
