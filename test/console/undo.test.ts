import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runs } from '../runs.js'
import { runProgram, temporaryFolder } from '../wire/program.js'
import { type ConsoleServer, removeTemporaryFolders, startConsoleServer } from './console-server.js'

let server: ConsoleServer
let cookie: string

beforeAll(async () => {
  server = await startConsoleServer()
  cookie = await server.signIn()
})
afterAll(async () => {
  await server.stop()
  removeTemporaryFolders()
})

interface Done {
  readonly ids: readonly string[]
  readonly undo: readonly object[]
}

async function act(tool: string, input: object): Promise<Done> {
  const response = await server.call(cookie, `console/${tool}`, input)
  const text = await response.text()
  if (!response.ok) throw new Error(text)
  return JSON.parse(text)
}

const undo = ({ undo: commits }: Done): Promise<Done> => act('undo', { commits })

/** Facts and relations as they are exported, without versions and the times of changes. */
async function exported(): Promise<readonly string[]> {
  const { out } = await runProgram(['export', '--data-dir', server.folder, '--embedder', 'hash'])
  return out
    .split('\n')
    .filter((line) => line.startsWith('{') && !line.includes('"header"') && !line.includes('exportedAt'))
    .map((line) =>
      JSON.stringify(JSON.parse(line), (key, value) =>
        ['version', 'updatedAt', 'recordedAt', 'at', 'dedupAt'].includes(key) ? undefined : value,
      ),
    )
    .sort()
}

async function remember(...texts: readonly string[]): Promise<readonly string[]> {
  for (const text of texts) await runProgram(['remember', text, '--data-dir', server.folder, '--embedder', 'hash'])
  const page: { readonly facts: readonly { readonly id: string; readonly text: string }[] } = JSON.parse(
    await (await server.call(cookie, 'console/browse', { limit: 200 })).text(),
  )
  return texts.map((text) => page.facts.find((fact) => fact.text === text)?.id ?? '')
}

async function journalOf(id: string): Promise<readonly { readonly op: string; readonly actor: string; readonly reason?: string }[]> {
  const answer: { readonly versions: readonly { readonly op: string; readonly actor: string; readonly reason?: string }[] } = JSON.parse(
    await (await server.call(cookie, 'console/fact', { id })).text(),
  )
  return answer.versions
}

describe('actions of the console', () => {
  test('each leaves an entry in the journal that names the console and the reason', async () => {
    const [id = ''] = await remember('The lamp is green')
    await act('edit', { id, text: 'The lamp is blue', reason: 'looked again' })
    await act('end', { ids: [id], reason: 'it broke' })
    await act('restore', { ids: [id] })
    await act('tag', { ids: [id], tag: 'home' })
    await act('mark', { id, mark: 'right' })
    const entries = await journalOf(id)
    expect(entries).toHaveLength(6)
    expect(entries.slice(0, 5).map(({ op, actor }) => [op, actor])).toEqual(Array.from({ length: 5 }, () => ['fact.put', 'console']))
    expect(entries.map(({ reason }) => reason).filter((reason) => reason !== undefined)).toEqual(['it broke', 'looked again'])
  })

  test('an edit is refused where the fact was changed since it was read', async () => {
    const [id = ''] = await remember('The chair is oak')
    await act('edit', { id, version: 1, text: 'The chair is ash' })
    await expect(act('edit', { id, version: 1, text: 'The chair is elm' })).rejects.toThrow('is at version 2, not 1')
  })

  test('keep one of two facts, or both permanently', async () => {
    const [first = '', second = ''] = await remember('The door is red', 'The door is white')
    const kept = await act('decide', { verdict: 'keep', ids: [first, second], keep: second })
    expect((await (await server.call(cookie, 'console/fact', { id: first })).text()).includes('"superseded_by":"')).toBe(true)
    await undo(kept)
    const both = await act('decide', { verdict: 'both', ids: [first, second] })
    expect(both.undo).toHaveLength(1)
    await expect(act('decide', { verdict: 'keep', ids: [first, second], keep: 'other' })).rejects.toThrow('one of the two')
  })

  test('undo leaves later changes as they are and reports them', async () => {
    const [id = ''] = await remember('The cup is full')
    const first = await act('edit', { id, text: 'The cup is empty' })
    await act('edit', { id, text: 'The cup is gone' })
    await expect(undo(first)).rejects.toThrow('changed again since')
  })

  test('a merge of two entities is undone with all names and relations, and once only', async () => {
    const lines = [
      { type: 'entity', name: 'Redis', entityType: 'technology', observations: ['is a cache'] },
      { type: 'entity', name: 'Valkey', entityType: 'technology', observations: ['is a fork'] },
      { type: 'entity', name: 'cart', entityType: 'service', observations: ['is a service'] },
      { type: 'relation', from: 'cart', to: 'Valkey', relationType: 'stores_in' },
      { type: 'relation', from: 'Valkey', to: 'Redis', relationType: 'forks' },
    ]
    const file = join(temporaryFolder(), 'graph.jsonl')
    writeFileSync(file, lines.map((line) => JSON.stringify(line)).join('\n'))
    await runProgram(['import', file, '--data-dir', server.folder, '--embedder', 'hash'])
    const idOf = async (q: string): Promise<string> =>
      JSON.parse(await (await server.call(cookie, 'console/entities', { q })).text()).entities[0]?.id
    const [keep, drop] = [await idOf('Redis'), await idOf('Valkey')]
    const before = await exported()
    const response = await server.call(cookie, 'console/merge_entities', { keep, drop })
    const merged = JSON.parse(await response.text())
    expect(merged.aliases).toEqual(['Valkey'])
    expect(await idOf('Valkey')).toBe(keep)
    expect(await exported()).not.toEqual(before)
    const separate = () => server.call(cookie, 'console/separate_entities', { before: merged.before })
    expect(await (await separate()).text()).toContain('"aliases":[]')
    expect(await idOf('Valkey')).toBe(drop)
    expect(await exported()).toEqual(before)
    const again = await separate()
    expect([again.status, await again.text()]).toEqual([409, expect.stringContaining('an entity of its own again')])
    const foreign = { ...merged.before, dropped: { ...merged.before.dropped, id: 'new', owner: 'someone' } }
    expect((await server.call(cookie, 'console/separate_entities', { before: foreign })).status).toBe(400)
  })

  test('any actions and their undos leave the export as it was', async () => {
    const texts = ['apples', 'pears', 'plums', 'figs', 'limes'].map((fruit) => `We buy ${fruit} on Mondays`)
    const ids = await remember(...texts)
    const before = await exported()
    const action = fc.record({
      tool: fc.constantFrom('edit', 'end', 'restore', 'tag', 'mark', 'supersede', 'decide', 'merge', 'both'),
      at: fc.nat(ids.length - 1),
      other: fc.nat(ids.length - 1),
      word: fc.constantFrom('one', 'two', 'three'),
    })
    const perform = async ({
      tool,
      at,
      other,
      word,
    }: {
      tool: string
      at: number
      other: number
      word: string
    }): Promise<Done | undefined> => {
      const id = ids[at] ?? ''
      const pair = [id, ids[other] ?? '']
      if (tool === 'edit') return act('edit', { id, text: `edited ${word}` })
      if (tool === 'end' || tool === 'restore') return act(tool, { ids: [id], ...(tool === 'end' ? { reason: word } : {}) })
      if (tool === 'tag') return act('tag', { ids: [id], tag: word })
      if (tool === 'mark') return act('mark', { id, mark: word === 'one' ? 'right' : 'wrong' })
      if (tool === 'supersede') return act('supersede', { id, text: `later ${word}` }).catch(() => undefined)
      if (at === other) return undefined
      if (tool === 'both') return act('decide', { verdict: 'both', ids: pair }).catch(() => undefined)
      return act('decide', {
        verdict: tool === 'merge' ? 'merge' : 'keep',
        ids: pair,
        keep: pair[1],
        ...(tool === 'merge' ? { text: `merged ${word}` } : {}),
      })
    }
    const actions = fc.sample(action, { numRuns: 10 * runs(8, 20), seed: 20261118 })
    for (let from = 0; from < actions.length; from += 10) {
      const done: Done[] = []
      for (const action of actions.slice(from, from + 10)) {
        const answer = await perform(action)
        if (answer !== undefined && answer.undo.length > 0) done.push(answer)
      }
      for (const action of done.reverse()) await undo(action)
    }
    expect(await exported()).toEqual(before)
  })
})
