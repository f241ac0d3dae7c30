import { once } from 'node:events'
import { afterAll, expect, it } from 'vitest'
import { removeTemporaryFolders, runProgram, temporaryFolder } from './program.js'
import { find, openStdio, type StdioWire, store, type Tools, useTools } from './wire.js'

// Eight processes of dist/main.js on one file. The long run with 500 writes each is `npm run bench latency`.
const WRITERS = 8
const WRITES_EACH = 12
const KILL_EVERY = 3

afterAll(removeTemporaryFolders)

const wordOf = (writer: number, write: number): string => `w${writer}x${write}y`

it('keeps every acknowledged memory while writers are killed and started again', async () => {
  const args = ['--data-dir', temporaryFolder(), '--embedder', 'hash', '--log-level', 'error']
  const acknowledged = new Map<string, string>()
  let kills = 0

  const open = async (): Promise<{ wire: StdioWire; tools: Tools }> => {
    const wire = openStdio(args)
    return { wire, tools: await useTools(wire) }
  }

  const write = async (writer: number): Promise<void> => {
    let { wire, tools } = await open()
    for (let n = 0; n < WRITES_EACH; n++) {
      const word = wordOf(writer, n)
      const storing = store(tools, `The ${word} record of the concurrent load.`)
      // One writer is killed repeatedly, always with a write running.
      if (writer === 0 && n % KILL_EVERY === KILL_EVERY - 1) {
        wire.program.child.kill('SIGKILL')
        kills++
        await storing.then(
          (id) => acknowledged.set(id, word),
          () => undefined,
        )
        await wire.program.ended()
        ;({ wire, tools } = await open())
      } else acknowledged.set(await storing, word)
    }
    await wire.close()
  }
  await Promise.all(Array.from({ length: WRITERS }, (_, writer) => write(writer)))

  expect(kills).toBe(WRITES_EACH / KILL_EVERY)
  expect(acknowledged.size).toBeGreaterThanOrEqual(WRITERS * WRITES_EACH - kills)
  const { wire, tools } = await open()
  const missing: string[] = []
  for (const [id, word] of acknowledged) {
    const [read, words, meaning] = await Promise.all([
      tools.call('get_memory', { id }),
      find(tools, 'search_text', word),
      find(tools, 'search', `The ${word} record of the concurrent load.`),
    ])
    if (read.content !== `The ${word} record of the concurrent load.` || !words.includes(id) || !meaning.includes(id)) missing.push(word)
  }
  expect(missing).toEqual([])
  await wire.close()

  const { code, out } = await runProgram(['doctor', ...args])
  expect([code, JSON.parse(out)]).toMatchObject([0, { healthy: true, findings: [], store: { pending_vectors: 0 } }])
}, 240_000)

it('loses nothing that a process had acknowledged when it is killed right after', async () => {
  const args = ['--data-dir', temporaryFolder(), '--embedder', 'hash']
  const wire = openStdio(args)
  const tools = await useTools(wire)
  const ids = await Promise.all(Array.from({ length: 20 }, (_, n) => store(tools, `fact number ${n}`)))
  wire.program.child.kill('SIGKILL')
  await once(wire.program.child, 'close')
  const again = openStdio(args)
  const after = await useTools(again)
  expect(await after.call('list_memories', { limit: 1 })).toMatchObject({ total: 20 })
  for (const id of ids) expect(await after.call('get_memory', { id })).toMatchObject({ id: { id: { String: id } } })
  await again.close()
})
