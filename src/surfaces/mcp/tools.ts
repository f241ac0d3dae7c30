import type { Tool, ToolAnnotations } from '@modelcontextprotocol/server'
import type { Contract } from '../../contracts/contract.js'
import type { Operation } from '../../contracts/operation.js'

export interface ListedTool {
  readonly contract: Contract
  readonly operation: Operation
  /** As the protocol tells it. */
  listing(): Tool
}

/** Tools by the name they are listed under: where two contracts share one, the later is told apart by its contract's name. */
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
    // Answers are objects always; a union without this would be rewritten by the SDK for older clients.
    outputSchema: { ...operation.schemas.output, type: 'object' },
    annotations: toAnnotations(operation),
  }
}

/** Only what differs from the protocol's defaults (not read-only, destructive, not idempotent, open world): bytes are paid per session. */
function toAnnotations({ effect, idempotent }: Operation): ToolAnnotations {
  if (effect === 'read') return { readOnlyHint: true, openWorldHint: false }
  return {
    ...(effect === 'write' ? { destructiveHint: false } : {}),
    ...(idempotent ? { idempotentHint: true } : {}),
    openWorldHint: false,
  }
}
