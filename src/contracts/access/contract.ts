import { type Contract, contract } from '../contract.js'
import { addPeer, federationFacts, listPeers, pushFacts } from './federation.js'
import {
  addMember,
  changeMember,
  createGarden,
  deleteGarden,
  getGarden,
  listGardens,
  promoteFact,
  rejectFact,
  removeMember,
  setMember,
} from './gardens.js'
import { createKey, listKeys, revokeKey } from './keys.js'

/** Who may come in, and into which gardens. */
export const access: Contract = contract({
  name: 'access',
  title: 'Keys, gardens and peers',
  instructions: 'Keys and gardens decide who reads and writes what.',
  gardens: true,
  operations: [
    createKey,
    listKeys,
    revokeKey,
    createGarden,
    listGardens,
    getGarden,
    deleteGarden,
    addMember,
    setMember,
    changeMember,
    removeMember,
    promoteFact,
    rejectFact,
    addPeer,
    listPeers,
    federationFacts,
    pushFacts,
  ],
})
