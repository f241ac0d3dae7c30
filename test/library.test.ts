import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type Memory, openMemory } from '../src/library.js'

let dataDir: string
let memory: Memory
beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'mneme-library-'))
  memory = await openMemory({ dataDir, embedder: 'hash' })
})
afterEach(async () => {
  await memory.close()
  rmSync(dataDir, { recursive: true, force: true })
})

it('remembers, recalls and calls every tool', async () => {
  const [lamp] = await memory.remember('The lamp in the hall is broken.', { text: 'The door is green.', owner: 'ann' })
  expect((await memory.recall('What about the hall lamp?')).results[0]?.fact.id).toBe(lamp?.id)
  expect((await memory.searchByWords('door')).map(({ fact }) => fact.text)).toEqual(['The door is green.'])
  expect(await memory.searchByWords('door', { owner: 'default' })).toEqual([])
  expect((await memory.searchByMeaning('green door', { limit: 1 })).length).toBe(1)
  expect(await memory.call('graph', 'get_node', { node_id: lamp?.id })).toMatchObject({ success: true })
  await memory.close()
  memory = await openMemory({ dataDir, embedder: 'hash' })
  expect((await memory.recall('hall lamp')).results[0]?.fact.id).toBe(lamp?.id)
})

it('says what is wrong with a setting, a contract, a tool or an argument', async () => {
  await expect(Reflect.apply(openMemory, undefined, [null])).rejects.toThrow('Settings must be an object')
  await expect(Reflect.apply(openMemory, undefined, [{ dataDri: dataDir }])).rejects.toThrow('There is no setting "dataDri"')
  await expect(memory.call('memroy', 'recall')).rejects.toThrow('There is no contract "memroy"')
  await expect(memory.call('memory', 'rcall')).rejects.toThrow('has no tool "rcall"')
  await expect(memory.call('memory', 'recall', {})).rejects.toThrow('Missing query')
})

it('stores nothing that could not be read again, and searches no owner by mistake', async () => {
  const bad: readonly unknown[] = [
    { text: 'x', metadata: 'str' },
    { text: 'x', confidence: 'high' },
    { text: 'x', trust: 2 },
    { text: 'x', ttlDays: 0 },
    { text: 'x', version: 3 },
    { text: 'x', validFrom: '2020-01-01' },
    { text: 'x', sesion: 's' },
    {},
    5,
    null,
  ]
  for (const fact of bad)
    await expect(Reflect.apply(memory.remember, memory, [fact]), JSON.stringify(fact)).rejects.toMatchObject({ code: 'invalid_input' })
  for (const options of [{ user_id: 'u' }, { limit: Number.NaN }, { limit: -1 }, { asOf: 'yesterday' }])
    await expect(Reflect.apply(memory.recall, memory, ['x', options]), JSON.stringify(options)).rejects.toMatchObject({
      code: 'invalid_input',
    })
  await expect(Reflect.apply(memory.recall, memory, [])).rejects.toThrow('Missing text')
  expect((await memory.recall('anything')).results).toEqual([])
  await memory.close()
  await expect(memory.remember('late')).rejects.toMatchObject({ code: 'unavailable' })
})

it('repair 17: reads, lists, corrects and deletes facts, with their history', async () => {
  const [lamp, door] = await memory.remember('The lamp is broken.', { text: 'The door is green.', owner: 'ann' })
  const id = lamp?.id ?? ''
  expect(await memory.get(id)).toMatchObject({ text: 'The lamp is broken.' })
  expect(await memory.get(id, 'ann')).toBeUndefined()
  expect(await memory.list({ owner: 'ann' })).toMatchObject({ facts: [{ id: door?.id }], total: 1 })
  expect(await memory.update(id, { text: 'The lamp works.' }, { ifVersion: 1 })).toMatchObject({ text: 'The lamp works.', version: 2 })
  await expect(memory.update(id, { text: 'Late' }, { ifVersion: 1 })).rejects.toThrow('is at version 2')
  expect((await memory.history(id)).map(({ op }) => op)).toEqual(['fact.put', 'fact.put'])
  expect([...(await memory.owners())].sort()).toEqual(['ann', 'default'])
  expect(await memory.delete(id, 'nope')).toBe(1)
  expect(await memory.deleteAll('ann')).toMatchObject({ copy: expect.anything() })
  expect(await memory.list()).toMatchObject({ facts: [], total: 0 })
})

it('repair 17: answers facts without fields that are null', async () => {
  const [stored] = await memory.remember('The lamp is broken.')
  const { results } = await memory.recall('the lamp')
  const [hit] = await memory.searchByWords('lamp')
  const { facts } = await memory.list()
  const changed = await memory.update(stored?.id ?? '', { text: 'The lamp works.' })
  for (const fact of [stored, results[0]?.fact, hit?.fact, facts[0], changed, await memory.get(stored?.id ?? '')]) {
    expect(fact?.title).toBeUndefined()
    expect(Object.values(fact ?? { missing: null })).not.toContain(null)
  }
})

it('repair 17: takes asOf as a Date or ISO text', async () => {
  await memory.remember({ text: 'The annex opened.', eventAt: Date.parse('2021-05-01') * 1000 })
  for (const asOf of [new Date('2021-06-01'), '2021-06-01', Date.parse('2021-06-01') * 1000])
    expect((await memory.recall('annex', { asOf })).results).toHaveLength(1)
  expect((await memory.recall('annex', { asOf: new Date('2021-04-01') })).results).toHaveLength(0)
})
