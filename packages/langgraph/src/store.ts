import { BaseStore, type Operation, type OperationResults } from '@langchain/langgraph-checkpoint'
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
    return (await this.#run(operations)) as OperationResults<Op>
  }
}
