import { z } from 'zod'
import { ERRORS } from '../../src/errors.js'
import type { FuzzedTool } from './tool-calls.js'

/** Outcome of a call. `problem` is set if the contracts do not document it. */
export interface Verdict {
  readonly outcome: 'answered' | 'refused'
  readonly problem?: string
}

const ERROR_CODES = Object.keys(ERRORS).filter((code) => code !== 'internal')
/** JSON-RPC codes, and those of the MCP transport. */
const RPC_CODES = [-32700, -32600, -32601, -32602, -32000, -32001]

const rpcError = z.object({ code: z.int(), message: z.string().min(1) })
const restError = z.object({ error: z.object({ code: z.string(), message: z.string().min(1), hint: z.string().optional() }) })
const graphFailure = z.object({ success: z.literal(false), error: z.string().min(1), code: z.string().min(1), error_code: z.string() })
const toolResult = z.object({
  content: z.array(z.object({ type: z.literal('text'), text: z.string().min(1) })).min(1),
  structuredContent: z.record(z.string(), z.unknown()).optional(),
  isError: z.boolean(),
})

const schemas = new WeakMap<FuzzedTool, z.ZodType>()

function outputOf(tool: FuzzedTool): z.ZodType {
  const known = schemas.get(tool)
  if (known !== undefined) return known
  const shape = z.record(z.string(), z.json()).parse(tool.outputSchema)
  const schema = z.fromJSONSchema({ ...shape })
  schemas.set(tool, schema)
  return schema
}

const answered: Verdict = { outcome: 'answered' }
const refused: Verdict = { outcome: 'refused' }
const wrong = (problem: string, outcome: Verdict['outcome'] = 'refused'): Verdict => ({ outcome, problem })

/** The result of an operation. */
export function judgeAnswer(tool: FuzzedTool, answer: unknown): Verdict {
  // A result that is not JSON cannot be sent.
  const parsed = outputOf(tool).safeParse(JSON.parse(JSON.stringify(answer)))
  return parsed.success ? answered : wrong(`answer breaks its output schema: ${parsed.error.issues[0]?.message ?? ''}`, 'answered')
}

export function judgeError(error: { readonly code: string; readonly message: string; readonly cause?: unknown }): Verdict {
  if (error.code === 'internal') return wrong(`internal error: ${causeOf(error.cause)}`)
  if (!ERROR_CODES.includes(error.code) || error.message === '') return wrong(`undocumented error ${error.code}`)
  return /internal error/i.test(error.message) ? wrong(error.message) : refused
}

const causeOf = (cause: unknown): string => (cause instanceof Error ? (cause.stack ?? cause.message) : String(cause))

/** A message that answers a call over MCP. */
export function judgeMessage(tool: FuzzedTool, message: unknown): Verdict {
  const parts = z.object({ result: z.unknown().optional(), error: z.unknown().optional() }).safeParse(message).data
  if (parts?.error !== undefined) return judgeRpcError(parts.error)
  const result = toolResult.safeParse(parts?.result)
  if (!result.success) return wrong(`no tool result: ${brief(message)}`)
  const { isError, content, structuredContent } = result.data
  const text = content[0]?.text ?? ''
  if (!isError) {
    if (structuredContent === undefined || text !== JSON.stringify(structuredContent))
      return wrong(`text and structure differ: ${brief(message)}`)
    return judgeAnswer(tool, structuredContent)
  }
  if (/internal error/i.test(text)) return wrong(`internal error: ${brief(text)}`)
  if (tool.contract === 'graph')
    return graphFailure.safeParse(structuredContent).success ? refused : wrong(`undocumented failure: ${brief(message)}`)
  return structuredContent === undefined ? refused : wrong(`a refusal with an answer: ${brief(message)}`)
}

export function judgeRpcError(error: unknown): Verdict {
  const parsed = rpcError.safeParse(error)
  if (!parsed.success || !RPC_CODES.includes(parsed.data.code)) return wrong(`undocumented JSON-RPC error: ${brief(error)}`)
  return refused
}

/** A REST response. */
export function judgeRest(tool: FuzzedTool, status: number, text: string): Verdict {
  const body = parse(text)
  if (status === 200) return judgeAnswer(tool, body)
  if (status >= 500 && status !== 503) return wrong(`status ${status}: ${brief(text)}`)
  return judgeHttpError(status, text)
}

const REFUSALS = [...Object.values(ERRORS).map(({ http }) => http), 405, 415]

/** A rejection before any operation. */
export function judgeHttpError(status: number, text: string): Verdict {
  const body = parse(text)
  const rpc = z.object({ jsonrpc: z.literal('2.0'), error: z.unknown() }).safeParse(body)
  if (rpc.success) return judgeRpcError(rpc.data.error)
  const graph = graphFailure.safeParse(body)
  if (graph.success) return /internal error/i.test(graph.data.error) ? wrong(brief(text)) : refused
  const rest = restError.safeParse(body)
  const documented = rest.success && ERROR_CODES.includes(rest.data.error.code) && REFUSALS.some((known) => known === status)
  return documented ? refused : wrong(`undocumented refusal: status ${status}, ${brief(text)}`)
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

export const brief = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? 'undefined')).slice(0, 400)
