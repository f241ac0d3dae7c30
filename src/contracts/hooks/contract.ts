import { type Contract, contract } from '../contract.js'
import { hook } from './hook.js'

/** For the hooks of clients: served beside every profile, and listed in none. */
export const hooks: Contract = contract({
  name: 'hooks',
  title: 'Hooks of clients',
  instructions: '',
  operations: [hook],
})
