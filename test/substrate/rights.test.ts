import { expect, it } from 'vitest'
import { authorise } from '../../src/contracts/operation.js'
import { LOCAL_PRINCIPAL } from '../../src/core/access/access-filter.js'
import { loadContracts } from '../../src/open.js'

const READER = { ...LOCAL_PRINCIPAL, name: 'reader', rights: ['read'] as const, proof: 'key' as const, mayWrite: false }

it.each([
  ['memory_query', 'search', true],
  ['memory_maintain', 'report', true],
  ['memory_maintain', 'audit', true],
  ['memory_maintain', 'structure', true],
  ['memory_maintain', 'cycle', false],
  ['memory_maintain', 'reindex', false],
  ['memory_maintain', 'dream', false],
  ['memory_remember', 'knowledge', false],
  ['memory_ingest', 'file', false],
] as const)('a read-only caller: %s %s %s', async (name, mode, allowed) => {
  const [contract] = await loadContracts(['substrate'])
  const operation = contract?.operations.find((operation) => operation.name === name)
  if (operation === undefined) throw new Error(`There is no ${name}.`)
  const check = () => authorise(READER, operation, { args: { mode, input_data: {} } })
  if (allowed) expect(check()).toMatchObject({ name: 'reader' })
  else expect(check).toThrow(`${name} needs the right "write", which this key does not have.`)
})
