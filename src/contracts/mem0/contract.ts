import type { MemoryError } from '../../errors.js'
import { type Contract, contract } from '../contract.js'
import { addMemories } from './add.js'
import { batchDelete, batchUpdate } from './batch.js'
import { deleteEntity, deleteMemories, deleteMemory } from './delete.js'
import { listEntities, reset } from './entities.js'
import { ping } from './ping.js'
import { getMemories, getMemory, memoryHistory, searchMemories } from './read.js'
import { updateMemory } from './update.js'

/** Serves requests of mem0 clients from this memory, if a profile includes it. */
export const mem0: Contract = contract({
  name: 'mem0',
  title: 'mem0-compatible HTTP',
  instructions: '',
  audience: 'compatibility',
  operations: [
    ping,
    addMemories,
    getMemories,
    searchMemories,
    getMemory,
    updateMemory,
    deleteMemory,
    deleteMemories,
    memoryHistory,
    batchUpdate,
    batchDelete,
    deleteEntity,
    listEntities,
    reset,
  ],
  failure: ({ reason, message, hint }: MemoryError) => ({
    error: message,
    detail: message,
    code: reason,
    ...(hint === undefined ? {} : { suggestion: hint }),
  }),
})
