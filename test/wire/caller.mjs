// Makes one call in a process of its own on request, and may kill itself before or after the commit.
import { once } from 'node:events'

const [dist, dataDir, contract, tool, input, end] = process.argv.slice(2)
const { openParts, loadContracts } = await import(`${dist}/open.js`)
const { createEngine } = await import(`${dist}/engine/engine.js`)
const { loadConfig } = await import(`${dist}/config.js`)

const { environment, backend, code } = await openParts(
  loadConfig({
    flags: { dataDir, embedder: 'hash' },
    env: { ...(process.env.MNEME_DATABASE && { MNEME_DATABASE: process.env.MNEME_DATABASE }) },
  }).config,
)
const die = () => process.kill(process.pid, 'SIGKILL')
const store = {
  ...environment.store,
  async commit(actor, decide, call) {
    const decideOrDie = (at) => {
      const changes = decide(at)
      if (end === 'before') die()
      return changes
    }
    const receipt = await environment.store.commit(actor, decideOrDie, call)
    if (end === 'after') die()
    return receipt
  },
}
const engine = createEngine({ ...environment, store }, backend, code)
const [{ operations }] = await loadContracts([contract])
const operation = operations.find(({ name }) => name === tool)
process.stdout.write('ready\n')
await once(process.stdin, 'data')
const call = { context: engine.context(), actor: 'test', connection: 'c', progress: () => undefined }
const answer = await operation.call(call, JSON.parse(input)).catch((error) => ({ error: error.message }))
process.stdout.write(`${JSON.stringify(answer)}\n`)
await engine.close()
process.exit(0)
