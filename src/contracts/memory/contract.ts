import type { Contract } from '../operation.js'
import { deleteMemory } from './delete-memory.js'
import { deleteProject } from './delete-project.js'
import { createEntity, createRelation, getRelated } from './entities.js'
import { getIndexStatus } from './get-index-status.js'
import { getMemory } from './get-memory.js'
import { indexProject } from './index-project.js'
import { listMemories } from './list-memories.js'
import { listProjects } from './list-projects.js'
import { recall } from './recall.js'
import { search, searchText } from './search.js'
import { searchCode } from './search-code.js'
import { storeMemory } from './store-memory.js'
import { getStatus, resetAllMemory } from './system.js'
import { updateMemory } from './update-memory.js'
import { getValid, getValidAt, invalidate } from './validity.js'

export const memory: Contract = {
  name: 'memory',
  title: 'Memory',
  instructions:
    'Long-term memory across conversations. Call recall before you start a task, store_memory when you learn something that will matter later ' +
    '(one statement each), and invalidate when a stored fact is no longer true.',
  operations: [
    storeMemory,
    getMemory,
    updateMemory,
    deleteMemory,
    listMemories,
    search,
    searchText,
    recall,
    createEntity,
    createRelation,
    getRelated,
    getValid,
    getValidAt,
    invalidate,
    indexProject,
    searchCode,
    getIndexStatus,
    listProjects,
    deleteProject,
    getStatus,
    resetAllMemory,
  ],
}
