import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const FOLDER = 'test/stigmem'
const REQUIREMENT = /^(L\d+\.\d+) (MUST NOT|MUST|SHOULD|MAY) \S/u

const required = readFileSync(join(FOLDER, 'requirements.txt'), 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'))

/** Requirements named in test titles. */
const cited = new Set(
  readdirSync(FOLDER)
    .filter((file) => file.endsWith('.test.ts'))
    .flatMap((file) => [...readFileSync(join(FOLDER, file), 'utf8').matchAll(/\btest(?:\.each\([^)]*\))?\(\s*'([^']*)'/gu)])
    .flatMap(([, title = '']) => title.match(/\bL\d+\.\d+\b/gu) ?? []),
)

test('every requirement of the document is named by a test', () => {
  expect(required.filter((line) => !REQUIREMENT.test(line))).toEqual([])
  const ids = required.map((line) => line.split(' ')[0] ?? '')
  expect([ids.length, new Set(ids).size]).toEqual([72, 72])
  expect(required.filter((line) => !cited.has(line.split(' ')[0] ?? ''))).toEqual([])
})

test('no test names an unknown requirement', () => {
  const ids = new Set(required.map((line) => line.split(' ')[0]))
  expect([...cited].filter((id) => !ids.has(id))).toEqual([])
})
