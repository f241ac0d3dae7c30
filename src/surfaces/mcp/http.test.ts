import { expect, it } from 'vitest'
import { fakeContract, fakeHost, memoryLog } from '../../../test/surfaces/fake-host.js'
import { LOCAL_PRINCIPAL } from '../../contracts/operation.js'
import { createDispatch } from '../host.js'
import { createMcpEndpoint } from './http.js'

it('rejects a handshake without its parameters in one sentence', async () => {
  const [host, log] = [fakeHost(), memoryLog()]
  const endpoint = createMcpEndpoint({ dispatch: createDispatch(host, log), log, version: host.version, contracts: [fakeContract] })
  const body = { jsonrpc: '2.0', id: 7, method: 'initialize' }
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
  const request = new Request('http://127.0.0.1/mcp', { method: 'POST', headers, body: JSON.stringify(body) })
  const response = await endpoint.handle(request, body, LOCAL_PRINCIPAL)
  expect(response.status).toBe(400)
  expect(await response.json()).toEqual({
    jsonrpc: '2.0',
    id: 7,
    error: { code: -32602, message: expect.stringContaining('initialize needs') },
  })
  await endpoint.close()
})
