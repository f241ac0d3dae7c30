import { BaseStore, type Operation, type OperationResults } from '@langchain/langgraph-checkpoint'
import type { MemoryClient } from 'mneme/client'
import { createOperations, type StoreOperation, type StoreOptions } from './operations.js'

export type { StoreOptions } from './operations.js'

/** A LangGraph store in a memory: items are kept as they are, and found by meaning and words. */
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
