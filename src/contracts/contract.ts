import type { MemoryError } from '../errors.js'
import type { Answer, Operation, Right, Route } from './operation.js'

/**
 * Who a contract is for: agents and programs, over every surface; the person at the machine, as commands alone; or clients
 * of another system, over HTTP where a profile names it.
 */
export type Audience = 'everyone' | 'operator' | 'compatibility'

/** A text that clients may read by its address. */
export interface Resource {
  readonly uri: string
  readonly name: string
  readonly title: string
  readonly description: string
  readonly mimeType: string
  text(): string
}

export interface PromptMessage {
  readonly role: 'user' | 'assistant'
  readonly text: string
}

/** A conversation's beginning that a person may ask for by name. */
export interface Prompt {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly arguments: readonly { readonly name: string; readonly description: string; readonly required: boolean }[]
  render(given: Readonly<Record<string, string>>): readonly PromptMessage[]
}

/** An operation with its place in a contract: at least one route, and the right it asks for. */
export interface ServedOperation extends Operation {
  readonly plain: boolean
  readonly right: Right
}

/** A published wire contract: what it offers, to whom, and how it words a failure. */
export interface Contract {
  readonly name: string
  readonly title: string
  readonly instructions: string
  readonly audience: Audience
  readonly operations: readonly ServedOperation[]
  readonly resources: readonly Resource[]
  readonly prompts: readonly Prompt[]
  /** The answer for a failed call; the surfaces mark it as an error. Without it the plain message is the answer. */
  failure?(error: MemoryError): Answer
}

export interface ContractSpec extends Omit<Contract, 'audience' | 'operations' | 'resources' | 'prompts'> {
  /** Knows scopes and gardens; the others see what stands in no garden, and are for keys that read all scopes. */
  readonly gardens?: boolean
  readonly audience?: Audience
  readonly operations: readonly Operation[]
  readonly resources?: readonly Resource[]
  readonly prompts?: readonly Prompt[]
}

const postUnder = (contract: string, tool: string): Route => ({ method: 'POST', path: `/v1/${contract}/${tool}`, status: 200 })

/** Gives every operation its place: one without a route of its own is a POST under the name of its contract. */
export function contract({
  operations,
  audience = 'everyone',
  resources = [],
  prompts = [],
  gardens = audience === 'operator',
  ...spec
}: ContractSpec): Contract {
  return {
    ...spec,
    audience,
    resources,
    prompts,
    operations: operations.map((operation) => ({
      ...operation,
      routes: operation.routes.length > 0 ? operation.routes : [postUnder(spec.name, operation.name)],
      plain: !gardens,
      right: operation.right ?? (audience === 'operator' ? 'admin' : operation.effect === 'read' ? 'read' : 'write'),
    })),
  }
}

export const isServed = (one: Contract): boolean => one.audience === 'everyone'

export const isCompatibility = (one: Contract): boolean => one.audience === 'compatibility'
