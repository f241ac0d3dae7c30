import { describe, expect, test } from 'vitest'
import type { JsonObject } from '../encoding/json.js'
import { peerOf } from './peer.js'
import { checkTokenTimes, readToken, tokenHeader, tokenText } from './peer-token.js'

const TOKEN = { iss: 'node-a', sub: 'node-b', aud: 'b.example', iat: 1000, exp: 1600, nonce: 'n'.repeat(8), scopes: ['company'] }
const header = (said: JsonObject | string): string => tokenHeader(typeof said === 'string' ? said : JSON.stringify(said), 'SIGNED')

describe('what a node signs to ask another', () => {
  test('is read as it was signed', () => {
    const text = tokenText(TOKEN)
    expect(readToken(tokenHeader(text, 'SIGNED'))).toEqual({ token: TOKEN, text, signature: 'SIGNED' })
    expect(readToken(`${header(TOKEN)}  `)?.token).toEqual(TOKEN)
    for (const nonce of ['n'.repeat(8), 'n'.repeat(128)]) expect(readToken(header({ ...TOKEN, nonce }))).toBeDefined()
  })

  test('is nothing where anything is missing or of another kind', () => {
    const wrong: readonly JsonObject[] = [
      { iss: 1 },
      { sub: null },
      { aud: '' },
      { aud: 7 },
      { nonce: 7 },
      { nonce: 'n'.repeat(7) },
      { nonce: 'n'.repeat(129) },
      { iat: '1000' },
      { exp: null },
      { scopes: 'company' },
      { scopes: ['company', 1] },
    ]
    for (const other of wrong) expect(readToken(header({ ...TOKEN, ...other })), JSON.stringify(other)).toBeUndefined()
    expect(readToken(header(JSON.stringify(TOKEN).replace('1000', '1e999')))).toBeUndefined()
    expect(readToken(header(JSON.stringify(TOKEN).replace('1600', '1e999')))).toBeUndefined()
    for (const text of ['[]', 'null', '{', '7']) expect(readToken(header(text))).toBeUndefined()
    for (const other of ['', 'Bearer abc.def', 'Stigmem-Peer abc', 'Stigmem-Peer .abc']) expect(readToken(other)).toBeUndefined()
    const long = header({ ...TOKEN, more: 'x'.repeat(4000) })
    expect([long.length > 4096, readToken(long)]).toEqual([true, undefined])
  })

  test('holds for an hour at most, not before its time but for a few minutes, and not after it', () => {
    const at = (seconds: number, fields: Partial<typeof TOKEN> = {}) => checkTokenTimes({ ...TOKEN, ...fields }, seconds * 1e6)
    expect([at(1000), at(1600), at(700), at(1000, { exp: 4600 }), at(1000, { exp: 1000 })]).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
      undefined,
    ])
    expect([at(1601), at(699), at(1000, { exp: 4601 }), at(1000, { exp: 999 })]).toEqual([
      'has expired',
      'is dated ahead',
      'lives longer than an hour',
      'ends before it begins',
    ])
  })
})

test('a peer is read as it was kept; it is pulled from unless said otherwise, and pushed to only where said', () => {
  const peer = (data: JsonObject, name: string | null = 'node-b') =>
    peerOf({ id: 'p', kind: 'peer', owner: 'ann', name, data, createdAt: 1, updatedAt: 1, version: 1 })
  const kept = { url: 'http://b', publicKey: 'k', scopes: ['public', 'local'], trust: 0.9, pull: false, push: true, cursor: 'c', pushed: 4 }
  expect(peer(kept)).toEqual({ id: 'p', owner: 'ann', nodeId: 'node-b', ...kept, scopes: ['public'] })
  expect(peer({ url: 7, scopes: 'public', trust: 'x', push: 'yes', cursor: 1, pushed: 'x' }, null)).toEqual({
    ...{
      id: 'p',
      owner: 'ann',
      nodeId: '',
      url: '',
      publicKey: '',
      scopes: [],
      trust: 0.5,
      pull: true,
      push: false,
      cursor: null,
      pushed: 0,
    },
  })
})
