import { describe, expect, test } from 'vitest'
import { aFact } from '../../../test/contract/samples.js'
import { FACT_FIELDS, FIELDS, isFact, isLate } from './fact.js'

describe('table of fields', () => {
  test('names each column once', () => {
    expect(new Set(FIELDS.map(([, { column }]) => column)).size).toBe(FIELDS.length)
  })

  test('distinguishes a complete fact from one that lacks a field', () => {
    const fact = aFact({ id: 'a' })
    expect(Object.keys(fact).sort()).toEqual(Object.keys(FACT_FIELDS).sort())
    expect(isFact(fact)).toBe(true)
    for (const [name] of FIELDS) expect([name, isFact({ ...fact, [name]: undefined })]).toEqual([name, false])
  })

  test('fields added later may be null', () => {
    for (const [name] of FIELDS) if (isLate(name)) expect([name, Reflect.get(aFact({ id: 'a' }), name)]).toEqual([name, null])
  })

  test('lists fields that only the store sets, and fields whose text may contain a secret', () => {
    const own = FIELDS.filter(([, { isInput }]) => !isInput).map(([name]) => name)
    expect(own).toEqual(
      expect.arrayContaining(['id', 'garden', 'recordedAt', 'updatedAt', 'supersededBy', 'dedupAt', 'version', 'receivedFrom']),
    )
    for (const name of ['owner', 'text', 'status', 'derivedFrom', 'form', 'details', 'trust']) expect(own).not.toContain(name)
    const written = FIELDS.filter((field) => field[1].written).map(([name]) => name)
    expect(written).toEqual(expect.arrayContaining(['text', 'title', 'value', 'source', 'metadata', 'evidence', 'details']))
    // What identifies or counts is left as it is.
    for (const name of ['id', 'owner', 'kind', 'version', 'hash', 'receivedFrom', 'form', 'trust']) expect(written).not.toContain(name)
  })
})
