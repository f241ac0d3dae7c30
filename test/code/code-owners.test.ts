import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Engine } from '../../src/engine/engine.js'
import type { Backend } from '../../src/ports/backend.js'
import { EVENTUALLY } from '../eventually.js'
import { call, makeProject, openParted, removeTemporaryFolders, temporaryFolder } from './workbench.js'

let engine: Engine
let backend: Backend
beforeEach(async () => {
  const opened = await openParted(temporaryFolder('data'))
  engine = opened.engine
  backend = opened.backend
})
afterEach(() => engine.close())
afterAll(removeTemporaryFolders)

const SECRET = 'export function launchCode(): number {\n  // opens the vault of Ann\n  return 4711\n}\n'
const OWN = 'export function countSheep(n: number): number {\n  return n + 1\n}\n'

const request = (tool: string, input: Readonly<Record<string, unknown>>) => call(engine, tool, input)

describe('projects belong to owners', () => {
  test('hides code from another owner in search and recall', async () => {
    await request('index_project', { path: makeProject('vault', { 'a.ts': SECRET }), user_id: 'ann' })
    await request('index_project', { path: makeProject('farm', { 'b.ts': OWN }), user_id: 'bea' })
    for (const query of ['launchCode', 'opens the vault of Ann']) {
      expect(await request('search_code', { query, user_id: 'ann' })).toMatchObject({ results: [{ project_id: 'vault' }] })
      expect(JSON.stringify(await request('search_code', { query, user_id: 'bea' }))).not.toContain('4711')
      expect(await request('search_code', { query })).toEqual({ results: [], count: 0 })
      expect(JSON.stringify(await request('recall', { query, include_code: true, user_id: 'bea' }))).not.toContain('4711')
      expect(JSON.stringify(await request('recall', { query, include_code: true, user_id: 'ann' }))).toContain('4711')
    }
    expect(await request('list_projects', { user_id: 'ann' })).toEqual({ projects: ['vault'], count: 1 })
    expect(await request('list_projects', {})).toEqual({ projects: [], count: 0 })
  })

  test('hides the project of another owner by state, name and path, and from deletion', async () => {
    const path = makeProject('vault', { 'a.ts': SECRET })
    await request('index_project', { path, user_id: 'ann' })
    for (const input of [{ project_id: 'vault', user_id: 'bea' }, { project_id: 'vault' }]) {
      await expect(request('get_index_status', input)).rejects.toThrow('Project not found: vault')
      await expect(request('delete_project', input)).rejects.toThrow('Project not found: vault')
      await expect(request('search_code', { query: 'launch', ...input })).rejects.toThrow('Project not found: vault')
    }
    expect(await request('search_code', { query: 'launchCode', path: 'a.ts', user_id: 'bea' })).toMatchObject({ count: 0 })
    expect(await request('get_index_status', { project_id: 'vault', user_id: 'ann' })).toMatchObject({ status: 'completed' })
    expect(await request('delete_project', { project_id: 'vault', user_id: 'ann' })).toMatchObject({ chunks_deleted: 1 })
  })

  test('two owners may index one folder; deleting one leaves the other', async () => {
    const path = makeProject('vault', { 'a.ts': SECRET })
    for (const user_id of ['ann', 'bea'])
      expect(await request('index_project', { path, user_id })).toMatchObject({ project_id: 'vault', chunks_created: 1 })
    await request('delete_project', { project_id: 'vault', user_id: 'ann' })
    expect(await request('search_code', { query: 'launchCode', user_id: 'bea' })).toMatchObject({ count: 1 })
    expect(await request('search_code', { query: 'launchCode', user_id: 'ann' })).toMatchObject({ count: 0 })
  })

  test('data of another owner does not change a score', async () => {
    for (const name of ['one', 'two'])
      await request('index_project', { path: makeProject(name, { [`${name}.ts`]: OWN.replace('Sheep', name) }) })
    const embedded = () => vi.waitFor(async () => expect(await backend.backlog.pending('passages')).toBe(0), EVENTUALLY)
    await embedded()
    const alone = await request('search_code', { query: 'count one sheep' })
    await request('index_project', {
      path: makeProject('other', Object.fromEntries(Array.from({ length: 20 }, (_, n) => [`s${n}.ts`, `// one\n${OWN}`]))),
      user_id: 'bea',
    })
    await embedded()
    const neighbours = await request('search_code', { query: 'count one sheep' })
    expect(neighbours).toEqual(alone)
  })

  test('a chunk found by id is restricted to its owner', async () => {
    await request('index_project', { path: makeProject('vault', { 'a.ts': SECRET }), user_id: 'ann' })
    const { results } = await request('search_code', { query: 'launchCode', user_id: 'ann' })
    const [{ id } = { id: '' }] = Array.isArray(results) ? results : []
    await expect(request('get_related', { entity_id: id, user_id: 'bea' })).rejects.toThrow(`Entity not found: ${id}`)
    expect(await request('get_related', { entity_id: id, user_id: 'ann' })).toMatchObject({ entity_count: 0 })
  })
})
