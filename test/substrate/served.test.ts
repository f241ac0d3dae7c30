import { afterAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { removeTemporaryFolders, temporaryFolder } from '../wire/program.js'
import { openHttp } from '../wire/wire.js'
import { KNOWLEDGE } from './bench.js'

// A real process of dist/main.js.
afterAll(removeTemporaryFolders)

const answered = z.object({ result: z.record(z.string(), z.unknown()) })

describe('the substrate profile over HTTP', () => {
  it('repair 8: lists tools, resources and prompts, and answers calls', async () => {
    const wire = await openHttp(['--profile', 'substrate', '--embedder', 'hash', '--data-dir', temporaryFolder()])
    try {
      const ask = async (method: string, params: Readonly<Record<string, unknown>> = {}) =>
        answered.parse(await wire.send({ jsonrpc: '2.0', id: method, method, params })).result
      const client = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'substrate-test', version: '1' } }
      expect(await ask('initialize', client)).toMatchObject({ capabilities: { tools: {}, resources: {}, prompts: {} } })
      await wire.send({ jsonrpc: '2.0', method: 'notifications/initialized' })
      expect(await ask('tools/list')).toMatchObject({
        tools: ['ingest', 'query', 'remember', 'maintain'].map((name) => ({ name: `memory_${name}` })),
      })
      expect(await ask('resources/list')).toMatchObject({ resources: [{ uri: 'memory://policy' }, {}, {}] })
      // There are no templates, and asking for them is no error.
      expect(await ask('resources/templates/list')).toMatchObject({ resourceTemplates: [] })
      expect(await ask('prompts/get', { name: 'memory_review' })).toMatchObject({ messages: [{ role: 'user' }] })
      const args = { mode: 'knowledge', input_data: KNOWLEDGE }
      expect(await ask('tools/call', { name: 'memory_remember', arguments: { args } })).toMatchObject({
        isError: false,
        structuredContent: { status: 'active' },
      })
      const file = { mode: 'file', input_data: { path: '/etc/hostname' } }
      expect(await ask('tools/call', { name: 'memory_ingest', arguments: { args: file } })).toMatchObject({ isError: true })
    } finally {
      await wire.close()
    }
  })
})
