import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openWorld, type World } from '../graph/world.js'
import { ofKind, readText, withFolder, writeFiles } from './read-tree.js'

const dayOf = (at: number | undefined): string | undefined =>
  at === undefined ? undefined : new Date(at / 1000).toLocaleDateString('sv-SE')

describe('dates of tables', () => {
  test.each([
    ['2025-12-31', '2025-12-31'],
    ['31.12.2025', '2025-12-31'],
    ['03.04.2026', '2026-04-03'],
    ['12/31/2025 10:00 PM', '2025-12-31'],
    ['31/12/2025', '2025-12-31'],
    ['05/05/2026', '2026-05-05'],
    ['May 3, 2026', '2026-05-03'],
    ['Fri, 02 Jan 2026 12:00:00 GMT', '2026-01-02'],
    ['1700000000', '2023-11-14'],
    ['1700000000000', '2023-11-14'],
  ])('%s is read as %s', async (written, day) => {
    const [fact] = ofKind((await readText('t.csv', `content,date\nA,"${written}"\n`)).records, 'fact')
    // The noon of a time with a zone is the same day in most zones.
    expect(dayOf(fact?.createdAt)).toBe(day)
  })

  test('a date that may mean two days, one in words and one far ahead are left out and counted', async () => {
    const { records } = await readText('t.csv', 'content,date\nA,03/04/2026\nB,room 5\nC,2099-01-01T00:00:00Z\n')
    expect(ofKind(records, 'fact').map(({ createdAt }) => createdAt)).toEqual([undefined, undefined, undefined])
    expect(ofKind(records, 'note').map(({ text }) => text)).toEqual([
      '1 time cannot be read and was left out.',
      '1 time such as 03/04/2026 may mean two days and was left out.',
      '1 time lies in the future and was left out.',
    ])
  })
})

test('a single chat of Gemini names no project', async () => {
  const about = { sessionId: 's', projectHash: 'h', startTime: '2026-01-01T00:00:00Z' }
  const said = { id: '1', timestamp: '2026-01-01T00:00:00Z', type: 'user', content: [{ text: 'We decided to use Go.' }] }
  const { records } = await readText('chat.jsonl', [about, said].map((line) => JSON.stringify(line)).join('\n'))
  expect(ofKind(records, 'conversation')).toMatchObject([{ client: 'gemini', folder: undefined, project: undefined }])
})

describe('columns named with --map', () => {
  let world: World
  beforeEach(async () => {
    world = await openWorld()
  })
  afterEach(() => world.close())
  const importRows = (map: readonly string[], name = 'rows.jsonl', text = '{"words":"A","when":1700000000}\n') =>
    withFolder(async (folder) =>
      world.call('admin/import', { paths: [join(await writeFiles(folder, { [name]: text }), name)], from: 'table', map }),
    )

  test('are fields or their usual names', async () => {
    expect(await importRows(['text=words,created_at=when'])).toMatchObject({ facts: 1, bad: 0 })
  })

  test('are refused where there is no such field, no such column, or no table', async () => {
    await expect(importRows(['foo=words'])).rejects.toThrow('--map names the field "foo"')
    await expect(importRows(['content=nope'])).rejects.toThrow('--map names the column "nope", which the file does not have')
    const graph = '{"type":"entity","name":"a","entityType":"t","observations":["one"]}'
    await withFolder(async (folder) => {
      const path = join(await writeFiles(folder, { 'm.jsonl': graph }), 'm.jsonl')
      await expect(world.call('admin/import', { paths: [path], map: ['content=x'] })).rejects.toThrow('--map names columns of a table')
    })
  })
})
