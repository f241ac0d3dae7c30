import { expect, test } from 'vitest'
import { computeMinContextWeight } from './fields.js'

test('the minimum weight of a context term is that of the farthest field used', () => {
  const fields = { title: 3, text: 1, near: 0.5 }
  expect([computeMinContextWeight({ ...fields, far: 0.2 }), computeMinContextWeight({ ...fields, far: 0 })]).toEqual([0.2, 0.5])
})
