import { PassThrough } from 'node:stream'
import { expect, it } from 'vitest'
import { LineTransport } from './line-transport.js'

it('rejects bytes that are not UTF-8 instead of changing them, and reads the next line', async () => {
  const input = new PassThrough()
  const output = new PassThrough()
  const transport = new LineTransport(input, output)
  const got: unknown[] = []
  transport.onmessage = (message) => void got.push(message)
  await transport.start()
  const ping = (text: Buffer | string) =>
    Buffer.concat([Buffer.from('{"jsonrpc":"2.0","id":1,"method":"ping","params":{"text":"'), Buffer.from(text), Buffer.from('"}}\n')])
  input.write(ping(Buffer.from([0xc3, 0x28])))
  const answer = await new Promise<Buffer>((resolve) => output.once('data', resolve))
  expect(JSON.parse(answer.toString())).toEqual({
    jsonrpc: '2.0',
    id: null,
    error: { code: -32700, message: 'Parse error: the line is not valid UTF-8' },
  })
  expect(got).toEqual([])
  const whole = ping('é')
  // In the middle of a character.
  const cut = whole.indexOf(0xc3) + 1
  input.write(whole.subarray(0, cut))
  input.write(whole.subarray(cut))
  await new Promise((resolve) => setImmediate(resolve))
  expect(got).toEqual([{ jsonrpc: '2.0', id: 1, method: 'ping', params: { text: 'é' } }])
})
