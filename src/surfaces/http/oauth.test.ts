import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose'
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest'
import { LOCAL_PRINCIPAL } from '../../contracts/operation.js'
import type { TokenIssuer } from './authenticator.js'
import { openIssuer } from './oauth.js'

const ISSUER = 'https://issuer.example'
const AUDIENCE = 'https://memory.example'
const folder = mkdtempSync(join(tmpdir(), 'mneme-jwks-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

interface Signer {
  readonly jwk: JWK
  readonly key: Parameters<SignJWT['sign']>[0]
  readonly alg: string
}

async function signer(alg: string, kid?: string): Promise<Signer> {
  const { publicKey, privateKey } = await generateKeyPair(alg, { extractable: true })
  return { alg, key: privateKey, jwk: { ...(await exportJWK(publicKey)), ...(kid === undefined ? {} : { kid }) } }
}

const now = (): number => Math.floor(Date.now() / 1000)
const claims = (more: object = {}) => ({ iss: ISSUER, aud: AUDIENCE, sub: 'ann', exp: now() + 300, scope: 'mneme:read', ...more })
const token = ({ alg, key }: Signer, more: object = {}, header: object = {}) =>
  new SignJWT(claims(more)).setProtectedHeader({ alg, ...header }).sign(key)

let serial = 0
const fileOf = (...keys: readonly JWK[]): string => {
  const file = join(folder, `${++serial}.json`)
  writeFileSync(file, JSON.stringify({ keys }))
  return file
}

const open = (jwks: string, ownerClaim = 'sub'): Promise<TokenIssuer> =>
  openIssuer({
    ...{ issuer: ISSUER, jwks, ownerClaim, audience: () => [AUDIENCE, `${AUDIENCE}/mcp`] },
    principalOf: async ({ subject, owner, rights }) => ({ ...LOCAL_PRINCIPAL, name: `${owner}/${subject}/${rights.join(',')}` }),
  })
const named = async (issuer: TokenIssuer, token: string) => (await issuer.verify(token))?.name

describe('a token', () => {
  let ec: Signer
  let issuer: TokenIssuer
  beforeEach(async () => {
    ec = await signer('ES256', 'k')
    issuer = await open(fileOf(ec.jwk))
  })

  it('is accepted by signature, audience and times within half a minute', async () => {
    const cases: readonly (readonly [string, object, boolean])[] = [
      ['as it is', {}, true],
      ['audience among others', { aud: ['https://other.example', AUDIENCE] }, true],
      ['the address of MCP', { aud: `${AUDIENCE}/mcp` }, true],
      ['no audience of ours', { aud: ['https://other.example'] }, false],
      ['no audience', { aud: [] }, false],
      ['an audience that begins like ours', { aud: `${AUDIENCE}.evil.example` }, false],
      ['issuer with a slash more', { iss: `${ISSUER}/` }, false],
      ['a little late', { exp: now() - 20 }, true],
      ['late', { exp: now() - 40 }, false],
      ['a little early', { nbf: now() + 20 }, true],
      ['early', { nbf: now() + 60 }, false],
      ['an end that is no number', { exp: 'never' }, false],
      ['an end that is null', { exp: null }, false],
      ['dated ahead', { iat: now() + 86_400 }, true],
      ['nobody', { sub: '' }, false],
      ['nobody visible', { sub: ' ' }, false],
      ['everyone', { sub: '*' }, false],
      ['a number', { sub: 7 }, false],
      ['a line break', { sub: 'ann\nbob' }, false],
      ['half a character', { sub: 'ann\ud800' }, false],
      ['a page', { sub: 'a'.repeat(501) }, false],
    ]
    for (const [what, change, isTaken] of cases)
      expect([what, (await named(issuer, await token(ec, change, { kid: 'k' }))) !== undefined]).toEqual([what, isTaken])
  })

  it('lists its rights as text or list', async () => {
    expect(await named(issuer, await token(ec, { scope: 'mneme:read mneme:write openid' }))).toBe('ann/ann/read,write')
    expect(await named(issuer, await token(ec, { scope: undefined, scp: ['mneme:admin', 'peer', 7] }))).toBe('ann/ann/admin')
    expect(await named(issuer, await token(ec, { scope: { 'mneme:admin': true } }))).toBe('ann/ann/')
    expect(await named(issuer, await token(ec, { scope: 'MNEME:ADMIN mneme:adminx' }))).toBe('ann/ann/')
  })

  it('names its owner in the configured claim; inherited members are no claims', async () => {
    const byOrg = await open(fileOf(ec.jwk), 'org')
    expect(await named(byOrg, await token(ec, { org: 'acme' }))).toBe('acme/ann/read')
    for (const org of [undefined, '', '*', 7, ['acme'], { name: 'acme' }])
      expect(await named(byOrg, await token(ec, { org }))).toBeUndefined()
    expect(await named(await open(fileOf(ec.jwk), 'constructor'), await token(ec))).toBeUndefined()
  })

  it('is rejected regardless of the algorithm in its header', async () => {
    const other = await signer('ES256', 'k')
    const secret = new TextEncoder().encode(JSON.stringify(ec.jwk))
    const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url')
    const good = await token(ec, {}, { kid: 'k' })
    const [head = '', body = '', signature = ''] = good.split('.')
    const forged: Readonly<Record<string, string>> = {
      'signed by the public key as a secret': await new SignJWT(claims()).setProtectedHeader({ alg: 'HS256', kid: 'k' }).sign(secret),
      'a key in addition to it': await token(other, {}, { jwk: other.jwk }),
      'an address of keys in addition to it': await token(other, {}, { jku: 'http://127.0.0.1:1/keys', kid: 'k' }),
      'another key under the same name': await token(other, {}, { kid: 'k' }),
      'an unknown name': await token(ec, {}, { kid: 'x' }),
      'a name with a path': await token(other, {}, { kid: '../../dev/null' }),
      'no algorithm': `${encode({ alg: 'none' })}.${body}.`,
      'no algorithm, in capitals': `${encode({ alg: 'NONE', kid: 'k' })}.${body}.${signature}`,
      'an algorithm of another kind': `${encode({ alg: 'RS256', kid: 'k' })}.${body}.${signature}`,
      'an unknown critical header': `${encode({ alg: 'ES256', kid: 'k', crit: ['x'], x: 1 })}.${body}.${signature}`,
      'other claims': `${head}.${encode(claims({ sub: 'root' }))}.${signature}`,
      'no signature': `${head}.${body}.`,
      'a signature of zeros': `${head}.${body}.${Buffer.alloc(64).toString('base64url')}`,
      'four parts': `${good}.x`,
      'no JSON': `${Buffer.from('{').toString('base64url')}.${body}.${signature}`,
      nothing: '..',
    }
    expect(await named(issuer, good)).toBe('ann/ann/read')
    for (const [what, token] of Object.entries(forged)) expect([what, await named(issuer, token)]).toEqual([what, undefined])
  })

  it('signed with a shared secret among the keys is rejected', async () => {
    const secret = new Uint8Array(32).fill(7)
    const withSecret = await open(fileOf({ kty: 'oct', k: Buffer.from(secret).toString('base64url'), kid: 's', alg: 'HS256' }, ec.jwk))
    expect(await named(withSecret, await new SignJWT(claims()).setProtectedHeader({ alg: 'HS256', kid: 's' }).sign(secret))).toBeUndefined()
    expect(await named(withSecret, await token(ec, {}, { kid: 'k' }))).toBe('ann/ann/read')
  })
})

describe('keys of an issuer', () => {
  it('may be many, named or unnamed: a token without a key id is tried with those of its type', async () => {
    const many = await Promise.all([...Array(6)].map(() => signer('ES256')))
    const rsa = await signer('RS256')
    const issuer = await open(fileOf(...many.map(({ jwk }) => jwk), rsa.jwk))
    for (const key of [...many, rsa]) expect(await named(issuer, await token(key))).toBe('ann/ann/read')
    expect(await named(issuer, await token(await signer('ES256')))).toBeUndefined()
    const [last] = many.slice(-1)
    if (last !== undefined) expect(await named(issuer, await token(last, { exp: now() - 60 }))).toBeUndefined()
  })

  it('in a file are reloaded with the file, and a partial file changes nothing', async () => {
    const [before, after] = [await signer('ES256', 'a'), await signer('EdDSA', 'b')]
    const file = fileOf(before.jwk)
    const issuer = await open(file)
    const [old, fresh] = [await token(before, {}, { kid: 'a' }), await token(after, {}, { kid: 'b' })]
    expect([await named(issuer, old), await named(issuer, fresh)]).toEqual(['ann/ann/read', undefined])
    writeFileSync(file, '{"keys": [')
    expect(await named(issuer, old)).toBe('ann/ann/read')
    writeFileSync(file, JSON.stringify({ keys: [after.jwk] }))
    expect([await named(issuer, old), await named(issuer, fresh)]).toEqual([undefined, 'ann/ann/read'])
    await expect(open(join(folder, 'none.json'))).rejects.toThrow('cannot be read')
  })

  const servers: ReturnType<typeof createServer>[] = []
  afterEach(() => {
    for (const server of servers.splice(0)) server.close()
  })

  it('repair 27: at an address whose answer does not end are read up to a limit', async () => {
    let sent = 0
    const ended = new Promise<void>((resolve) => {
      const server = createServer((_, response) => {
        response.writeHead(200, { 'content-type': 'application/json' })
        const chunk = Buffer.alloc(100_000, ' ')
        const more = (): void => {
          while (!response.destroyed && response.write(chunk)) sent += chunk.length
        }
        response.on('drain', more).once('close', resolve)
        more()
      }).listen(0, '127.0.0.1')
      servers.push(server)
    })
    const [server] = servers
    if (server === undefined) throw new Error('no server')
    await new Promise((resolve) => server.once('listening', resolve))
    const address = server.address()
    const issuer = await open(`http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/jwks`)
    await expect(issuer.verify(await token(await signer('ES256', 'k'), {}, { kid: 'k' }))).rejects.toMatchObject({ code: 'unavailable' })
    await ended
    // What the connection holds on its way is lost with it.
    expect(sent).toBeLessThan(20_000_000)
  })

  it('at an address that does not respond do not make a token invalid', async () => {
    let status = 503
    const key = await signer('ES256', 'k')
    const server = createServer((_, response) => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify({ keys: [key.jwk] }))
    }).listen(0, '127.0.0.1')
    servers.push(server)
    await new Promise((resolve) => server.once('listening', resolve))
    const address = server.address()
    const issuer = await open(`http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/jwks`)
    await expect(issuer.verify(await token(key, {}, { kid: 'k' }))).rejects.toMatchObject({ code: 'unavailable' })
    status = 200
    expect(await named(issuer, await token(key, {}, { kid: 'k' }))).toBe('ann/ann/read')
  })
})
