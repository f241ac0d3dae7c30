import { type Contract, contract } from '../contract.js'
import { addPeerOperation, federationFacts, listPeersOperation, pushFacts } from './federation.js'
import {
  addMember,
  changeMember,
  createGardenOperation,
  deleteGardenOperation,
  getGarden,
  listGardensOperation,
  listMembers,
  promoteFact,
  rejectFact,
  removeMemberOperation,
  setMemberOperation,
} from './gardens.js'
import { createKeyOperation, listKeysOperation, revokeKeyOperation } from './keys.js'

/** API keys and gardens. */
export const access: Contract = contract({
  name: 'access',
  title: 'Keys, gardens and peers',
  instructions: 'Keys and gardens decide who reads and writes what.',
  gardens: true,
  operations: [
    createKeyOperation,
    listKeysOperation,
    revokeKeyOperation,
    createGardenOperation,
    listGardensOperation,
    getGarden,
    deleteGardenOperation,
    addMember,
    setMemberOperation,
    changeMember,
    listMembers,
    removeMemberOperation,
    promoteFact,
    rejectFact,
    addPeerOperation,
    listPeersOperation,
    federationFacts,
    pushFacts,
  ],
})
