import { type Contract, contract } from '../contract.js'
import { memoryIngest } from './ingest.js'
import { memoryQuery } from './query.js'
import { memoryRemember } from './remember.js'

export const substrate: Contract = contract({
  name: 'substrate',
  title: 'Memory substrate',
  instructions:
    'memory-substrate: agent memory, a persistent memory of evidence and of knowledge that cites it.\n' +
    'Every call is {"args": {"mode", "input_data", "options"}}; unknown fields are refused.\n' +
    'Call memory_query with mode context at the start of a task; search again with other words when little is found.',
  operations: [memoryIngest, memoryQuery, memoryRemember],
})
