import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runProgram, temporaryFolder } from '../wire/program.js'
import { type ConsoleServer, removeTemporaryFolders, startConsoleServer } from './console-server.js'

const MENTIONS = 1200
const OTHERS = 12

let server: ConsoleServer
let cookie: string

beforeAll(async () => {
  server = await startConsoleServer()
  cookie = await server.signIn()
  const graph = [
    { type: 'entity', name: 'Harbour', entityType: 'place', observations: [] },
    ...Array.from({ length: OTHERS }, (_, nth) => ({ type: 'entity', name: `Pier${nth}`, entityType: 'place', observations: [] })),
    { type: 'relation', from: 'Pier0', to: 'Harbour', relationType: 'part_of' },
  ]
  const facts = Array.from({ length: MENTIONS }, (_, nth) => ({ content: `Note ${nth}: Harbour and Pier${nth % OTHERS} are open` }))
  for (const [name, lines] of Object.entries({ graph, facts })) {
    const file = join(temporaryFolder(), `${name}.jsonl`)
    writeFileSync(file, lines.map((line) => JSON.stringify(line)).join('\n'))
    await runProgram(['import', file, '--data-dir', server.folder, '--embedder', 'none'])
  }
}, 120_000)
afterAll(async () => {
  await server.stop()
  removeTemporaryFolders()
})

const ask = async (tool: string, input: object) => JSON.parse(await (await server.call(cookie, `console/${tool}`, input)).text())

test('relations of every entity are counted, however many facts mention them', async () => {
  const { entities }: { entities: readonly { id: string; name: string; relations: number }[] } = await ask('entities', { limit: 50 })
  const counts = new Map(entities.map(({ name, relations }) => [name, relations]))
  expect(counts.get('Harbour')).toBeGreaterThanOrEqual(1000)
  for (let nth = 0; nth < OTHERS; nth++) expect(counts.get(`Pier${nth}`), `Pier${nth}`).toBe(MENTIONS / OTHERS + (nth === 0 ? 1 : 0))
})

test('a stated relation is shown first among the neighbours of an entity that many facts mention', async () => {
  const { entities } = await ask('entities', { q: 'harbour', limit: 1 })
  const { nodes, edges, more } = await ask('entity', { id: entities[0].id, nodes: 60 })
  expect(nodes).toHaveLength(60)
  expect(more).toBeGreaterThan(300)
  expect(nodes[1]).toMatchObject({ kind: 'entity', label: 'Pier0', isHub: true })
  expect(edges).toContainEqual(expect.objectContaining({ type: expect.stringMatching(/part_of/i) }))
})
