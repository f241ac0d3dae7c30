import type { Contract } from '../operation.js'
import { history } from './history.js'
import { jobs, undo } from './maintenance.js'
import { exportMemory, importMemory } from './transfer.js'
import { backup, compact, doctor, mend, reindex } from './upkeep.js'

/** For the person at the machine: commands only, never served to agents or over the network. */
export const admin: Contract = {
  name: 'admin',
  title: 'Administration',
  instructions: '',
  operations: [history, exportMemory, importMemory, backup, doctor, mend, reindex, compact, jobs, undo],
}
