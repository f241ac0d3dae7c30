import { type Contract, contract } from '../contract.js'
import { hook } from './hook.js'

/** Operations for client hooks: served with every profile and never listed. */
export const hooks: Contract = contract({
  name: 'hooks',
  title: 'Hooks of clients',
  instructions: '',
  operations: [hook],
})
