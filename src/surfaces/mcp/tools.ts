import type { Tool, ToolAnnotations } from '@modelcontextprotocol/server'
import type { Contract } from '../../contracts/contract.js'
import type { Operation } from '../../contracts/operation.js'

export interface ListedTool {
  readonly contract: Contract
  readonly operation: Operation
  /** The tool in protocol format. */
  listing(): Tool
}

/** Tools by listed name: if two contracts share a name, the later one is prefixed with its contract. */
export function listTools(contracts: readonly Contract[]): ReadonlyMap<string, ListedTool> {
  const tools = new Map<string, ListedTool>()
  for (const contract of contracts) {
    for (const operation of contract.operations) {
      const name = tools.has(operation.name) ? `${contract.name}_${operation.name}` : operation.name
      tools.set(name, { contract, operation, listing: () => toListing(name, operation) })
    }
  }
  return tools
}

function toListing(name: string, operation: Operation): Tool {
  return {
    name,
    title: operation.title,
    description: operation.description,
    inputSchema: { ...operation.schemas.input, type: 'object' },
    // Responses are objects; without this, the SDK would rewrite a union for older clients.
    outputSchema: { ...operation.schemas.output, type: 'object' },
    annotations: toAnnotations(operation),
  }
}

/**
 * Only values that differ from the protocol's defaults (not read-only, destructive, not idempotent, open world), because listings cost
 * tokens per session.
 */
function toAnnotations({ effect, idempotent }: Operation): ToolAnnotations {
  if (effect === 'read') return { readOnlyHint: true, openWorldHint: false }
  return {
    ...(effect === 'write' ? { destructiveHint: false } : {}),
    ...(idempotent ? { idempotentHint: true } : {}),
    openWorldHint: false,
  }
}
