import { expect, test } from 'vitest'
import { statementOf } from './render.js'

test('numbers placeholders, except in quoted texts and hints for SQLite', () => {
  expect(statementOf({ text: `SELECT '?' FROM t WHERE +owner = ? AND id = ?`, values: ['ann', 'x'] })).toEqual({
    text: `SELECT '?' FROM t WHERE owner = $1 AND id = $2`,
    values: ['ann', 'x'],
    isSilent: false,
  })
})

test('turns a list into one typed array of its distinct values', () => {
  const text = `SELECT id FROM t WHERE owner = ? AND id IN (?, ?, ?, ?) AND n = ?`
  expect(statementOf({ text, values: ['ann', 'a', 'b', 'b', 'b', 5] })).toMatchObject({
    text: `SELECT id FROM t WHERE owner = $1 AND id = ANY ($2::text[]) AND n = $3`,
    values: ['ann', ['a', 'b'], 5],
  })
  expect(statementOf({ text, values: ['ann', 1, 2, 3, 3, 5] })).toMatchObject({
    text: `SELECT id FROM t WHERE owner = $1 AND id = ANY ($2::bigint[]) AND n = $3`,
    values: ['ann', [1, 2, 3], 5],
  })
})

test('leaves mixed values, owners and NOT IN lists unchanged', () => {
  const text = `DELETE FROM t WHERE owner IN (?, ?) AND a NOT IN (?, ?) AND b IN (?, ?) AND c IN (?)`
  expect(statementOf({ text, values: ['ann', 'bob', 1, 2, 'x', null, 'y'] })).toEqual({
    text: `DELETE FROM t WHERE owner IN ($1, $2) AND a NOT IN ($3, $4) AND b IN ($5, $6) AND c IN ($7)`,
    values: ['ann', 'bob', 1, 2, 'x', null, 'y'],
    isSilent: true,
  })
})
