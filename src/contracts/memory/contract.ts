import { type Contract, contract } from '../contract.js'
import { deleteMemory } from './delete-memory.js'
import { deleteProject } from './delete-project.js'
import { createEntityOperation, createRelation, getRelated } from './entities.js'
import { getIndexStatus } from './get-index-status.js'
import { getMemory } from './get-memory.js'
import { getMemoryHistory } from './get-memory-history.js'
import { indexProject } from './index-project.js'
import { listMemories } from './list-memories.js'
import { listProjects } from './list-projects.js'
import { recall } from './recall.js'
import { decideReview, reviewMemories } from './review-memories.js'
import { search, searchText } from './search.js'
import { searchCodeOperation } from './search-code.js'
import { storeMemory } from './store-memory.js'
import { getStatus, resetAllMemory } from './system.js'
import { updateMemory } from './update-memory.js'
import { getValid, getValidAt, invalidateOperation } from './validity.js'
import { views } from './views.js'

export const memory: Contract = contract({
  name: 'memory',
  title: 'Memory',
  instructions:
    'Long-term memory that lasts across conversations and clients.\n' +
    'Call recall at the start of a task and whenever something from before may matter (a preference, decision, name, date, earlier work): ask in plain words.\n' +
    'Call store_memory as soon as you learn what will matter later: a fact, decision, preference, correction or event; one self-contained statement each, no secrets. ' +
    'If it replaces a memory, name that one in supersedes; if a memory is merely no longer true, call invalidate; update_memory mends a wording.\n' +
    'To find: recall for any question; search by meaning alone; search_text for exact words, names or codes; list_memories to page through all, ended ones too; ' +
    'get_valid for all that is true now and get_valid_at for then, without a question; search_code for code of folders given to index_project.\n' +
    'create_entity and create_relation say who and what there is and how it relates; get_related follows that.\n' +
    "user_id is the owner. Without it, writes and code are the default owner's, and recall, search and lists look at everyone's.\n" +
    'A write repeated with the same idempotency_key within 24 hours is done once and answered alike.',
  operations: [
    storeMemory,
    getMemory,
    getMemoryHistory,
    updateMemory,
    deleteMemory,
    listMemories,
    search,
    searchText,
    recall,
    createEntityOperation,
    createRelation,
    getRelated,
    getValid,
    getValidAt,
    invalidateOperation,
    indexProject,
    searchCodeOperation,
    getIndexStatus,
    listProjects,
    deleteProject,
    getStatus,
    resetAllMemory,
    reviewMemories,
    decideReview,
  ],
  views,
})
