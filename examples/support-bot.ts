// A support bot with one owner per customer: nothing of one customer reaches another.
import { openMemory } from 'mneme'
import { connect, type MemoryClient } from 'mneme/client'
import { temporaryFolder } from './run-mneme.ts'

const engine = await openMemory({ dataDir: temporaryFolder() })

/** The memory of one customer. Over HTTP this is `connect(url, { key, owner })`. */
const memoryOf = (customer: string): MemoryClient => connect(engine, { owner: `customer:${customer}` })

async function ticket(customer: string, text: string): Promise<void> {
  await memoryOf(customer).add([{ role: 'user', content: text, name: customer }], { metadata: { channel: 'mail' } })
}

async function answer(customer: string, question: string): Promise<string> {
  const { results } = await memoryOf(customer).recall(question, { limit: 3 })
  return results[0]?.text ?? 'nothing is known'
}

await ticket('1001', 'The router of type B loses its connection every night.')
await ticket('1002', 'The invoice for March was paid twice.')
console.log('1001:', await answer('1001', 'What is wrong with the router?'))
console.log('1002:', await answer('1002', 'What is wrong with the router?'))

const { memories } = await memoryOf('1001').forgetAll('customer:1001')
console.log(`erased ${memories} of 1001:`, await answer('1001', 'What is wrong with the router?'))
console.log('1002 keeps:', await answer('1002', 'Which invoice was paid twice?'))
await engine.close()
