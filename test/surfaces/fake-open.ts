import type { Config } from '../../src/config.js'
import { type Contract, contract } from '../../src/contracts/contract.js'
import type { Host } from '../../src/surfaces/host.js'
import { adminContract, fakeContract, fakeHost, otherContract } from './fake-host.js'

/** Replaces the composition root, so that the real program runs without a store. */
const operations = fakeContract.operations.map((operation) => ({ ...operation, routes: [] }))
const contracts = [
  contract({ ...fakeContract, name: 'memory', operations }),
  otherContract,
  adminContract,
  contract({ ...otherContract, name: 'hooks', operations: [] }),
]

export const CONTRACT_NAMES: readonly string[] = contracts.map(({ name }) => name)

export const operatorContracts: readonly string[] = ['admin']

export async function loadContracts(names: readonly string[]): Promise<readonly Contract[]> {
  return names.flatMap((name) => contracts.filter((contract) => contract.name === name))
}

export async function openHost(config: Config): Promise<Host> {
  const host = fakeHost(await loadContracts(config.profile))
  return {
    ...host,
    async close() {
      process.stderr.write('store closed\n')
    },
  }
}
export const VERSION = '1.2.3'
