/** What the room of statements works with: loaded by whoever first comes in, so that a start does not pay for it. */

export { answerStatements } from './stigmem/answer-recall.js'
export { assertStatement, readStatement, retractStatement } from './stigmem/assert.js'
export { listConflicts, resolveConflict } from './stigmem/conflicts.js'
export { createPolicy, deletePolicy, listPolicies, sweepStatements } from './stigmem/decay.js'
export { lintStatements } from './stigmem/lint.js'
export { callerOf, listStatements } from './stigmem/list.js'
export { neighboursOf } from './stigmem/neighbours.js'
export { provenanceOf } from './stigmem/provenance.js'
export { readCard } from './stigmem/read-card.js'
export { ownerOf } from './stigmem/speaker.js'
