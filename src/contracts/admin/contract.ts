import { type Contract, contract } from '../contract.js'
import { forgetLastCaptured, pause, projectConfirm } from './capture.js'
import { history } from './history.js'
import { importMemory } from './import.js'
import { ingest } from './ingest.js'
import { keysCreate, keysList, keysRevoke } from './keys.js'
import { jobs, undo } from './maintenance.js'
import { node, peersAdd, peersList, peersRemove, peersSync } from './peers.js'
import { exportMemory } from './transfer.js'
import { backup, compact, doctor, mend, reindex } from './upkeep.js'

/** Operator commands; not served to agents. */
export const admin: Contract = contract({
  name: 'admin',
  title: 'Administration',
  instructions: '',
  audience: 'operator',
  operations: [
    ingest,
    history,
    exportMemory,
    importMemory,
    backup,
    doctor,
    mend,
    reindex,
    compact,
    jobs,
    undo,
    pause,
    forgetLastCaptured,
    projectConfirm,
    keysCreate,
    keysList,
    keysRevoke,
    node,
    peersAdd,
    peersList,
    peersRemove,
    peersSync,
  ],
})
