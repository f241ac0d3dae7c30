import { BaseStore, InvalidNamespaceError, type Operation, type OperationResults } from '@langchain/langgraph-checkpoint'
import type { MemoryClient } from 'mneme/client'
import type { StoreOptions } from './namespaces.js'
import { createOperations, type StoreOperation } from './operations.js'

export type { StoreOptions } from './namespaces.js'

/** A LangGraph store over a memory: values are kept unchanged, and searches match by meaning and keywords. */
export class MnemeStore extends BaseStore {
  readonly #run: (operations: readonly StoreOperation[]) => Promise<unknown[]>

  constructor(memory: MemoryClient, options: StoreOptions = {}) {
    super()
    this.#run = createOperations(memory, options)
  }

  async batch<Op extends readonly Operation[]>(operations: Op): Promise<OperationResults<Op>> {
    for (const operation of operations) if ('value' in operation) checkNamespace(operation.namespace)
    return (await this.#run(operations)) as OperationResults<Op>
  }
}

/** Graphs write with `batch`, for which the framework checks no namespace. */
function checkNamespace(namespace: unknown): void {
  if (!Array.isArray(namespace) || namespace.length === 0)
    throw new InvalidNamespaceError("Namespace must be a list of at least one label, for example ['users', 'ann'].")
  const wrong = namespace.findIndex((label) => typeof label !== 'string')
  if (wrong !== -1) throw new InvalidNamespaceError(`Namespace labels must be strings, but got ${typeof namespace[wrong]}.`)
}
