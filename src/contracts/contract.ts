import type { MemoryError } from '../errors.js'
import type { Answer, Operation, Right, Route } from './operation.js'

/**
 * The clients of a contract: `everyone` over all surfaces, `operator` as commands only, `compatibility` for clients of another system over
 * HTTP if a profile includes it.
 */
export type Audience = 'everyone' | 'operator' | 'compatibility'

/** A text that clients read by its URI. */
export interface Resource {
  readonly uri: string
  readonly name: string
  readonly title: string
  readonly description: string
  readonly mimeType: string
  text(): string
}

interface PromptMessage {
  readonly role: 'user' | 'assistant'
  readonly text: string
}

/** A predefined start of a conversation that a person selects by name. */
export interface Prompt {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly arguments: readonly { readonly name: string; readonly description: string; readonly required: boolean }[]
  render(values: Readonly<Record<string, string>>): readonly PromptMessage[]
}

/** An operation as part of a contract, with at least one route and a required right. */
export interface ServedOperation extends Operation {
  readonly plain: boolean
  readonly right: Right
}

/** A published contract: its operations, its audience and its error format. */
export interface Contract {
  readonly name: string
  readonly title: string
  readonly instructions: string
  readonly audience: Audience
  readonly operations: readonly ServedOperation[]
  readonly resources: readonly Resource[]
  /** Pages of its tools, for hosts with MCP Apps. */
  readonly views: readonly Resource[]
  readonly prompts: readonly Prompt[]
  /** The response to a failed call, marked as an error by the surface. Without it, the response is the message. */
  failure?(error: MemoryError): Answer
}

interface ContractSpec extends Omit<Contract, 'audience' | 'operations' | 'resources' | 'views' | 'prompts'> {
  /** True if the contract supports scopes and gardens. Others exclude facts in gardens and require keys with access to all scopes. */
  readonly gardens?: boolean
  readonly audience?: Audience
  readonly operations: readonly Operation[]
  readonly resources?: readonly Resource[]
  readonly views?: readonly Resource[]
  readonly prompts?: readonly Prompt[]
}

const postUnder = (contract: string, tool: string): Route => ({ method: 'POST', path: `/v1/${contract}/${tool}`, status: 200 })

/** Completes every operation: without a route, it is a POST under the name of the contract. */
export function contract({
  operations,
  audience = 'everyone',
  resources = [],
  views = [],
  prompts = [],
  gardens = audience === 'operator',
  ...spec
}: ContractSpec): Contract {
  return {
    ...spec,
    audience,
    resources,
    views,
    prompts,
    operations: operations.map((operation) => ({
      ...operation,
      routes: operation.routes.length > 0 ? operation.routes : [postUnder(spec.name, operation.name)],
      plain: !gardens,
      right: operation.right ?? (audience === 'operator' ? 'admin' : operation.effect === 'read' ? 'read' : 'write'),
    })),
  }
}

export const isServed = (served: Contract): boolean => served.audience === 'everyone'

export const isCompatibility = (served: Contract): boolean => served.audience === 'compatibility'
