import { describe, expect, test } from 'vitest'
import { trustOf } from '../../access/attestation.js'
import { DAY_US } from '../../facts/lifecycle.js'
import { statementHash } from '../../statements/statement.js'
import { estimateCost, type PackedItem, packDiverse } from './packing.js'
import { accessWeight, computeRecency, confidenceWeight, productOf, salienceOf, trustMultiplier } from './salience.js'
import { checkWeights, computeEdgeScore, computeScore, normaliseScores, rescaleCosine } from './stages.js'

const vector = (...values: number[]): Float32Array => new Float32Array(values)

interface Scored extends PackedItem {
  readonly score: number
  readonly vector: Float32Array | undefined
}

/** Packs candidates of which only an upper bound of the score is known at first. */
const packed = <T extends Scored>(all: readonly T[], budget: number, lambda: number, boundOf = ({ score }: T): number => score) => {
  const packing = packDiverse<T>(
    all.map((item) => ({ bound: boundOf(item), vector: item.vector })),
    budget,
    lambda,
  )
  let step = packing.next([])
  while (step.done !== true) {
    const { ask, places } = step.value
    step = packing.next(places.map((place) => (ask === 'scores' ? all[place]?.score : all[place])))
  }
  return step.value
}

describe('formulas, against numbers computed by hand', () => {
  test('edge score: nearness times confidence over the logarithm of the degree', () => {
    // (1 / 2) * 0.8 / ln 2, (1 / 2) * 0.8 / ln 4, (1 / 3) * 0.9 / ln 11
    expect(computeEdgeScore(1, 0.8, 1)).toBeCloseTo(0.577078, 6)
    expect(computeEdgeScore(1, 0.8, 3)).toBeCloseTo(0.288539, 6)
    expect(computeEdgeScore(2, 0.9, 10)).toBeCloseTo(0.12511, 5)
  })

  test('the guard against hubs: a thousand edges leave a tenth of one', () => {
    expect(computeEdgeScore(1, 1, 1000) / computeEdgeScore(1, 1, 1)).toBeCloseTo(0.100328, 5)
  })

  test('normalisation divides by the best of a stage, and leaves 0 where it did not reach', () => {
    const all = normaliseScores([
      { lex: 4, vec: 0.5, graph: 0 },
      { lex: 1, vec: 0, graph: 0.2 },
    ])
    expect(all).toEqual([
      { lex: 1, vec: 1, graph: 0 },
      { lex: 0.25, vec: 0, graph: 1 },
    ])
    expect(computeScore({ lex: 0.25, vec: 0, graph: 1 }, { lex: 0.3, vec: 0.5, graph: 0.2 })).toBeCloseTo(0.275, 9)
    expect(rescaleCosine(0.85, 0.7)).toBeCloseTo(0.5, 9)
    expect(rescaleCosine(0.6, 0.7)).toBe(0)
  })

  test('each factor of the salience has the value computed by hand', () => {
    expect(computeRecency(0, 0)).toBe(1)
    expect(computeRecency(0, 10 * DAY_US)).toBeCloseTo(0.904837, 6)
    expect(computeRecency(0, 100 * DAY_US)).toBeCloseTo(0.367879, 6)
    expect(computeRecency(5 * DAY_US, 0)).toBe(1)
    expect(confidenceWeight(0.8, 0)).toBe(0.8)
    expect(confidenceWeight(0.8, 2)).toBeCloseTo(0.648, 9)
    expect(confidenceWeight(1, 9)).toBeCloseTo(0.59049, 9)
    expect(accessWeight(0, 0)).toBe(0.5)
    expect(accessWeight(0, 7)).toBe(0.5)
    expect(accessWeight(7, 7)).toBe(1)
    // 0.5 + 0.5 * ln 2 / ln 8
    expect(accessWeight(1, 7)).toBeCloseTo(0.666667, 6)
    const fact = { eventAt: 0, confidence: 0.9, quarantine: null }
    const signs = { now: 20 * DAY_US, derivations: 1, accesses: 3, mostAccesses: 15, contradicted: true }
    const salience = salienceOf(fact, signs)
    expect(salience).toEqual({ recency: Math.exp(-0.2), confidence: 0.81, access: 0.75, contradiction: 0.7, garden: 1 })
    // 0.818731 * 0.81 * 0.75 * 0.7
    expect(productOf(salience)).toBeCloseTo(0.348165, 6)
    expect(salienceOf({ ...fact, quarantine: 'pending' }, signs).garden).toBe(0.2)
    expect(salienceOf({ ...fact, quarantine: 'promoted' }, { ...signs, contradicted: false })).toMatchObject({
      garden: 1,
      contradiction: 1,
    })
  })

  test('trust of a source, and what it leaves of a score', () => {
    // 0.35 * 0.4 + 0.3 * 0.5 + 0.25 * 1 + 0.1 * 1
    expect(trustOf({ identity: 'key', history: { facts: 0, failures: 0 }, authority: 'token', mode: 'enforce' })).toBe(0.64)
    // 0.35 * 1 + 0.3 * 1 + 0.25 * 1 + 0.1 * 1
    expect(trustOf({ identity: 'logged', history: { facts: 100, failures: 0 }, authority: 'token', mode: 'enforce' })).toBe(1)
    // 0.35 * 0.1 + 0.3 * 0.3 + 0.25 * 0.2 + 0.1 * 0.6
    expect(trustOf({ identity: 'uri', history: { facts: 20, failures: 1 }, authority: 'none', mode: 'warn' })).toBeCloseTo(0.235, 9)
    // 0.35 * 0.7 + 0.3 * 0.7 + 0.25 * 0.7 + 0.1 * 0.2
    expect(trustOf({ identity: 'manifest', history: { facts: 10, failures: 0 }, authority: 'authority', mode: 'off' })).toBeCloseTo(0.65, 9)
    expect(trustMultiplier(0.64, 'relaxed')).toBeCloseTo(0.82, 9)
    expect([trustMultiplier(0.64, 'off'), trustMultiplier(null, 'strict')]).toEqual([1, 1])
  })

  test('token cost: a quarter of the bytes of the serialised result', () => {
    expect(estimateCost({ v: 'CEO' })).toBe(3)
    expect(estimateCost({ v: '12345678' })).toBe(5)
    expect(estimateCost({ v: 'äöü€' })).toBe(5)
    expect(estimateCost({ v: null })).toBe(3)
  })

  test('packing takes what is relevant and unlike what was taken, and ends with the first that does not fit', () => {
    const a = { name: 'a', score: 1, cost: 50, vector: vector(1, 0) }
    const b = { name: 'b', score: 0.9, cost: 50, vector: vector(1, 0) }
    const c = { name: 'c', score: 0.5, cost: 50, vector: vector(0, 1) }
    const d = { name: 'd', score: 0.2, cost: 10, vector: undefined }
    const order = (lambda: number, budget = 1000) => packed([a, b, c, d], budget, lambda).chosen.map(({ name }) => name)
    // 0.7 * 0.9 - 0.3 * 1 = 0.33 against 0.7 * 0.5 = 0.35
    expect(order(0.7)).toEqual(['a', 'c', 'b', 'd'])
    expect(order(1)).toEqual(['a', 'b', 'c', 'd'])
    expect(packed([a, b, c, d], 105, 0.7)).toMatchObject({ used: 100, truncated: true, chosen: [{ name: 'a' }, { name: 'c' }] })
    expect(packed([a], 49, 0.7)).toEqual({ chosen: [], used: 0, truncated: true })
    expect(packed([], 10, 0.7)).toEqual({ chosen: [], used: 0, truncated: false })
  })

  test('packing that learns of candidates as it needs them takes the same as if it had known all', () => {
    const many = Array.from({ length: 200 }, (_, i) => {
      const score = ((i * 7919) % 1000) / 1000
      return { name: i, score, bound: score / (i % 3 === 0 ? 0.7 : 1), cost: 41 + (i % 5), vector: vector(Math.cos(i), Math.sin(i)) }
    })
    const names = (boundOf: (item: (typeof many)[number]) => number, lambda: number) =>
      packed(many, 2500, lambda, boundOf).chosen.map(({ name }) => name)
    for (const lambda of [0.3, 0.7, 1]) expect(names(({ bound }) => bound, lambda)).toEqual(names(({ score }) => score, lambda))
  })

  test('weights sum to one, and none is below zero', () => {
    expect(checkWeights({ lex: 0.3, vec: 0.5, graph: 0.2009 })).toEqual({ lex: 0.3, vec: 0.5, graph: 0.2009 })
    for (const [lex, vec, graph] of [
      [0.3, 0.5, 0.3],
      [-0.1, 0.6, 0.5],
      [0, 0, 0],
      [Number.NaN, 0.5, 0.5],
    ] as const)
      expect(() => checkWeights({ lex, vec, graph })).toThrow('Invalid weights')
  })

  test('the hash of a fact in other scripts', () => {
    // sha256 of {"confidence":0.9,"entity":"user:zoë","relation":"memory:名前","scope":"public","source":"agent:ü","ts":"2026-05-01T12:00:00.000Z","value":{"type":"text","v":"Ζωή 😀 \"q\""}}
    const hash = statementHash({
      ...{ entity: 'user:zoë', relation: 'memory:名前', value: { type: 'text', v: 'Ζωή 😀 "q"' }, scope: 'public', source: 'agent:ü' },
      ...{ confidence: 0.9, timestamp: '2026-05-01T12:00:00.000Z' },
    })
    expect(hash).toBe('cf7935c9f39f836882ed8f4a0a74083ffaffd6a135017a439a3e9c995bf5cf87')
  })

  test('the score of a statement is a weighted sum, and its salience a product', () => {
    expect(computeScore({ lex: 0.5, vec: 0.25, graph: 0.4 }, { lex: 0.3, vec: 0.5, graph: 0.2 })).toBeCloseTo(0.355, 9)
    expect(checkWeights({ lex: 0, vec: 0.8, graph: 0.2 })).toEqual({ lex: 0, vec: 0.8, graph: 0.2 })
    expect(productOf({ recency: 0.5, confidence: 0.5, access: 0.5, contradiction: 0.7, garden: 0.2 })).toBeCloseTo(0.0175, 9)
  })
})
