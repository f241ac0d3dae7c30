import type { StoredModel } from '../sql/owners/stored-model.js'
import { BlockMemory } from '../vector/block-memory.js'

/** One memory for all vectors of a model. */
export class VectorMemory {
  #memory: BlockMemory | undefined
  #epoch = -1

  for(model: StoredModel | undefined): BlockMemory | undefined {
    if (model === undefined) return undefined
    if (this.#memory === undefined || (this.#epoch !== model.epoch && this.#memory.dimensions !== model.dimensions))
      this.#memory = new BlockMemory(model.dimensions)
    this.#epoch = model.epoch
    return this.#memory
  }
}
