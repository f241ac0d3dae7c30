import type { MemoryError } from '../errors.js'
import type { Answer, Operation, Right, Route } from './operation.js'

/** Who a contract is for: agents and programs, over every surface, or the person at the machine, as commands alone. */
export type Audience = 'everyone' | 'operator'

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

/** An operation with its place in a contract. */
export interface ServedOperation extends Operation {
  readonly route: Route
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
  readonly audience?: Audience
  readonly operations: readonly Operation[]
  readonly resources?: readonly Resource[]
  readonly prompts?: readonly Prompt[]
}

/** Gives every operation its place: one without a route of its own is a POST under the name of its contract. */
export function contract({ operations, audience = 'everyone', resources = [], prompts = [], ...spec }: ContractSpec): Contract {
  return {
    ...spec,
    audience,
    resources,
    prompts,
    operations: operations.map((operation) => ({
      ...operation,
      route: operation.route ?? { method: 'POST', path: `/v1/${spec.name}/${operation.name}`, status: 200 },
      right: operation.right ?? (audience === 'operator' ? 'admin' : operation.effect === 'read' ? 'read' : 'write'),
    })),
  }
}

export const isServed = (one: Contract): boolean => one.audience === 'everyone'
