import { generateKeyPairSync, sign } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { aFact, NOON } from '../../../test/contract/samples.js'
import { originOf } from '../access/attestation.js'
import type { Fact } from '../facts/fact.js'
import { RETRACTS_KEY } from '../statements/statement-effects.js'
import { toHlc } from '../time/hlc.js'
import { isPublicKey, isSigned } from './signature.js'
import { fromWire, hasContentId, isAhead, toWire } from './wire-fact.js'

const said = (more: Partial<Fact> = {}): Fact =>
  aFact({
    ...{
      id: 'f',
      subject: 'user:ann',
      predicate: 'likes',
      value: 'tea',
      valueType: 'string',
      assertedConfidence: 0.8,
      hlc: 'h',
      scope: 'public',
    },
    ...more,
  })
const arrival = {
  owner: 'bob',
  peer: 'p',
  origin: 'o',
  trust: 0.5,
  at: NOON + 10,
  eventAt: NOON,
  validUntil: null,
  scope: 'public',
} as const

describe('a fact on its way', () => {
  test('has what was said, and null for what was not', () => {
    expect(toWire(said())).toMatchObject({
      ...{ id: 'f', entity: 'user:ann', confidence: 0.8, hlc: 'h', valid_until: null, derived_from: null, attestation_chain: null },
    })
    expect(toWire(said())).not.toHaveProperty('retracts')
    const full = said({
      derivedFrom: ['x'],
      attestation: { chain: ['a', 5, 'b'], origin: 'o' },
      details: { validUntil: '2027-01-01T00:00:00Z' },
    })
    expect(toWire(full)).toMatchObject({ derived_from: ['x'], attestation_chain: ['a', 'b'], valid_until: '2027-01-01T00:00:00Z' })
    expect([
      originOf(full),
      originOf(said()),
      originOf(said({ attestation: { origin: 5 } })),
      originOf(said({ attestation: ['origin'] })),
    ]).toEqual(['o', null, null, null])
    expect(toWire(said({ attestation: { chain: 'a' } })).attestation_chain).toBeNull()
  })

  test('takes another back only without confidence', () => {
    const taken = { metadata: { [RETRACTS_KEY]: 'other' }, assertedConfidence: 0 }
    expect(toWire(said(taken))).toHaveProperty('retracts', 'other')
    expect(toWire(said({ ...taken, assertedConfidence: 0.8 }))).not.toHaveProperty('retracts')
    expect(toWire(said({ ...taken, metadata: { [RETRACTS_KEY]: 5 } }))).not.toHaveProperty('retracts')
  })

  test('is stored as it was sent', () => {
    const sent = toWire(said())
    const stored = fromWire(sent, arrival)
    expect(stored).toMatchObject({
      ...{ owner: 'bob', status: 'active', metadata: {}, autoLink: false, trust: 0.5, receivedFrom: 'p', details: { warnings: [] } },
      ...{ attestation: { attested: null, origin: 'o' }, hash: sent.hash, text: 'ann likes tea' },
    })
    expect(stored.attestation).not.toHaveProperty('chain')
    const full = fromWire({ ...sent, retracts: 'x', attestation_chain: ['a'], valid_until: '2027-01-01T00:00:00Z', confidence: 0 }, arrival)
    expect(full).toMatchObject({ status: 'retracted', metadata: { [RETRACTS_KEY]: 'x' }, attestation: { chain: ['a'] } })
    expect(full.details).toMatchObject({ validUntil: '2027-01-01T00:00:00Z' })
    expect(toWire(stored)).toEqual(sent)
  })

  test('is named by its content', () => {
    const sent = toWire(said())
    expect([hasContentId(sent), hasContentId({ ...sent, confidence: 0.7 })]).toEqual([true, false])
  })

  test('may be so far ahead, and no further', () => {
    const hlc = toHlc(NOON)
    expect([isAhead(hlc, NOON - 1000, 1000), isAhead(hlc, NOON - 2000, 1000), isAhead('nonsense', NOON, 1000)]).toEqual([false, true, true])
  })

  test('is signed by the holder of a key', () => {
    const { publicKey, privateKey } = generateKeyPairSync('ed25519')
    const key = String(publicKey.export({ format: 'jwk' }).x)
    const signature = sign(null, Buffer.from('text'), privateKey).toString('base64url')
    expect([isPublicKey(key), isPublicKey(`${key}a`), isPublicKey('short')]).toEqual([true, false, false])
    expect([isSigned('text', signature, key), isSigned('other', signature, key), isSigned('text', signature, 'no key')]).toEqual([
      true,
      false,
      false,
    ])
  })
})
