import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { Engine } from '../../src/engine/engine.js'
import { call, makeProject, open, removeTemporaryFolders, temporaryFolder } from './workbench.js'

const results = z.object({
  results: z.array(
    z.looseObject({ file_path: z.string(), name: z.string().optional(), chunk_type: z.string(), start_line: z.int(), end_line: z.int() }),
  ),
})

const COPY = 'export function frobnicate(gadget: string) {\n  return gadget.trim()\n}\n'

let engine: Engine
let root: string
beforeAll(async () => {
  engine = await open(temporaryFolder('data'))
  root = makeProject('places', {
    'two.py': 'def verify_token(t):\n    return bool(t)\n\n\ndef refresh_token(t):\n    return t + "x"\n',
    'one.py': 'import os\nimport sys\n\nLIMIT = 3\n\n\ndef load_config(path):\n    with open(path) as f:\n        return f.read()\n',
    'lib/a.ts': COPY,
    ...Object.fromEntries(Array.from({ length: 8 }, (_, i) => [`copies/${i}/a.ts`, COPY])),
    'lib/gadgets.ts': 'export function gadgetList() {\n  return ["gadget"]\n}\n',
    'lib/orders.ts':
      '/** Sums the open orders of a customer, by their number. */\nexport function sumOrders(orders: number[]) {\n  return orders.length\n}\n',
    'lib/orders.test.ts': '/** Sums the open orders. */\nexport function sumOrders(orders: number[]) {\n  return orders.length > 0\n}\n',
  })
  await call(engine, 'index_project', { path: root })
})
afterAll(async () => {
  await engine.close()
  removeTemporaryFolders()
})

const search = async (query: string, more = {}) => results.parse(await call(engine, 'search_code', { query, ...more })).results
const places = async (query: string, more = {}) =>
  (await search(query, more)).map(
    (entry) => `${entry.file_path}:${entry.start_line}-${entry.end_line} ${entry.chunk_type} ${entry.name ?? ''}`,
  )

describe('search_code', () => {
  it('finds small functions by name and kind, at their own lines', async () => {
    expect((await places('verify_token', { chunk_type: 'function' }))[0]).toBe('two.py:1-2 function verify_token')
    expect((await places('refresh_token', { chunk_type: 'function' }))[0]).toBe('two.py:5-6 function refresh_token')
    expect((await places('load_config', { chunk_type: 'function' }))[0]).toBe('one.py:7-9 function load_config')
  })

  it('does not fill the results with copies of one text', async () => {
    const found = (await search('frobnicate gadget', { limit: 3 })).map((entry) => entry.file_path)
    expect(found).toContain('lib/gadgets.ts')
    expect(found.filter((path) => path.endsWith('/a.ts')).length).toBeLessThan(3)
    expect(await search('frobnicate', { path: '**/a.ts', limit: 20 })).toHaveLength(9)
  })

  it('ranks code before its tests, unless the query asks for tests', async () => {
    expect((await search('sums the open orders', { path: 'lib/orders*' })).map((entry) => entry.file_path)).toEqual([
      'lib/orders.ts',
      'lib/orders.test.ts',
    ])
    expect((await search('tests that sum the open orders test', { path: 'lib/orders*' }))[0]?.file_path).toBe('lib/orders.test.ts')
  })

  it('accepts an absolute path as a place in its project', async () => {
    expect(new Set((await search('function', { path: join(root, 'lib/*.ts') })).map((entry) => entry.file_path.split('/')[0]))).toEqual(
      new Set(['lib']),
    )
    expect((await search('token', { path: join(root, 'two.py') })).map((entry) => entry.file_path)).toEqual(['two.py', 'two.py'])
    expect((await search('token', { path: `${root}/`, project_id: 'places' })).length).toBeGreaterThan(2)
    expect(await search('token', { path: '/nowhere/two.py' })).toEqual([])
  })

  it('rejects an unfinished pattern', async () => {
    await expect(search('x', { path: '[' })).rejects.toThrow('the brackets of "[" do not match')
  })
})
