import { Agent, request } from 'node:http'
import { afterEach, expect, it } from 'vitest'
import { LOCAL_PRINCIPAL } from '../../src/contracts/operation.js'
import { createKey } from '../../src/engine/access/keys.js'
import { type Node, openNode } from './nodes.js'

let node: Node | undefined
afterEach(async () => {
  await node?.close()
  node = undefined
})

it('a thousand concurrent connections each get the right response', async () => {
  node = await openNode()
  const { url } = node.server
  const { key } = await createKey(
    node.engine.context(),
    { actor: 'test', principal: LOCAL_PRINCIPAL },
    { owner: 'default', entity: 'user:ann' },
  )
  const agent = new Agent({ maxSockets: 1000 })
  const ask = (path: string, authorization?: string): Promise<number> =>
    new Promise((resolve, reject) => {
      const headers = authorization === undefined ? {} : { authorization }
      request(url + path, { agent, headers }, (response) => response.resume().on('end', () => resolve(response.statusCode ?? 0)))
        .on('error', reject)
        .end()
    })
  const answers = await Promise.all(
    Array.from({ length: 1000 }, (_, i) =>
      i % 3 === 0 ? ask('/healthz') : i % 3 === 1 ? ask('/v1/gardens', `Bearer ${key}`) : ask('/v1/gardens', 'Bearer mneme_wrong'),
    ),
  )
  agent.destroy()
  expect(answers.map((status, i) => [i % 3, status]).filter(([kind, status]) => status !== [200, 200, 401][kind ?? 0])).toEqual([])
  expect(await ask('/healthz')).toBe(200)
})
