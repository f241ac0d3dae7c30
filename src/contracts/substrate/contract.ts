import { type Contract, contract } from '../contract.js'
import { memoryIngest } from './ingest.js'
import { memoryMaintain } from './maintain.js'
import { PROMPTS } from './prompts.js'
import { memoryQuery } from './query.js'
import { memoryRemember } from './remember.js'
import { RESOURCES } from './resources.js'

export const substrate: Contract = contract({
  name: 'substrate',
  title: 'Memory substrate',
  instructions:
    'memory-substrate: agent memory, a persistent memory of evidence and of knowledge that cites it.\n' +
    'Every call is {"args": {"mode", "input_data", "options"}}; unknown fields are refused.\n' +
    'Call memory_query with mode context at the start of a task; search again with other words when little is found.\n' +
    'memory_ingest captures evidence (folder, file, page, PDF, conversation) and decides nothing. ' +
    'memory_remember writes knowledge with reason, source, scope and evidence: what is inferred stays a candidate until promoted, a duplicate is refused, ' +
    'a contradiction is contested; look at possible_duplicates in its answers. ' +
    'memory_maintain reports what needs review and, with options.apply=true, carries out what was decided.\n' +
    'More in the resources memory://policy, memory://agent-playbook and memory://mcp-api-summary. ' +
    'A write repeated with the same idempotency_key within 24 hours is done once and answered alike.',
  operations: [memoryIngest, memoryQuery, memoryRemember, memoryMaintain],
  resources: RESOURCES,
  prompts: PROMPTS,
})
