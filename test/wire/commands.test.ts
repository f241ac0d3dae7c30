import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { PROGRAM, removeTemporaryFolders, runProgram, temporaryFolder } from './program.js'

// The commands for memories, as a person and a script use them.
const folder = temporaryFolder()
const SETTINGS = ['--data-dir', folder, '--embedder', 'hash', '--log-level', 'error']
const mneme = (...args: readonly string[]) => runProgram([...args, ...SETTINGS])
const answerOf = async (...args: readonly string[]): Promise<Readonly<Record<string, unknown>>> => {
  const { code, out, err } = await mneme(...args)
  expect([code, err]).toEqual([0, ''])
  return z.record(z.string(), z.unknown()).parse(JSON.parse(out))
}
const remember = async (text: string, ...flags: readonly string[]): Promise<string> =>
  String((await answerOf('remember', text, ...flags)).id)
const contentsOf = async (...args: readonly string[]): Promise<readonly unknown[]> =>
  z
    .array(z.looseObject({ content: z.unknown() }))
    .parse((await answerOf('list', ...args)).memories)
    .map(({ content }) => content)

const ids: string[] = []
beforeAll(async () => {
  for (const text of ['The gate width is 4711', 'The cellar key hangs left', 'Anna drinks tea']) ids.push(await remember(text))
})
afterAll(removeTemporaryFolders)

describe('show, edit and forget', () => {
  it('repair 10: accept several ids and prefixes, and reject unknown or ambiguous ones', async () => {
    const [first = '', second = ''] = ids
    expect(await answerOf('show', first.slice(0, 8), second)).toMatchObject({ memories: [{ id: first }, { id: second }] })
    expect(await answerOf('show', first)).toMatchObject({ id: first, content: 'The gate width is 4711' })
    expect(await answerOf('edit', second.slice(0, 8), 'The cellar key hangs right')).toMatchObject({
      content: 'The cellar key hangs right',
    })
    for (const command of ['show', 'edit', 'forget'])
      expect(await mneme(command, 'nope')).toMatchObject({ code: 3, out: '', err: expect.stringContaining('Memory not found: nope') })
    expect(await mneme('forget', first, 'nope')).toMatchObject({ code: 3 })
    expect(await answerOf('show', first)).toMatchObject({ id: first })
  })

  it('repair 10: list filters by text, time, kind and owner', async () => {
    await remember('Bob sails', '--owner', 'bob', '--memory-type', 'episodic')
    expect(await contentsOf('GATE width')).toEqual(['The gate width is 4711'])
    expect(await contentsOf('--kind', 'episodic')).toEqual(['Bob sails'])
    expect(await contentsOf('--owner', 'bob')).toEqual(['Bob sails'])
    expect(await contentsOf('--since', '2099-01-01')).toEqual([])
    expect(await contentsOf('--until', '2020-01-01')).toEqual([])
    expect(await contentsOf('100%')).toEqual([])
    expect(await answerOf('list', '-n', '1', 'a')).toMatchObject({ memories: [{}], limit: 1 })
  })

  it('repair 10: restore forgotten memories with their relations until they are erased', async () => {
    const id = await remember('The lighthouse blinks twice')
    const other = await remember('The harbour has a lighthouse')
    await answerOf('call', 'memory', 'create_relation', '--from-entity', id, '--to-entity', other, '--relation-type', 'near')
    expect(await answerOf('forget', id)).toMatchObject({ deleted: true, forgotten: [{ id: id }], restorable_until: expect.any(String) })
    expect(await contentsOf('lighthouse')).toEqual(['The harbour has a lighthouse'])
    expect(await answerOf('recall', 'how does the lighthouse blink')).toMatchObject({
      results: expect.not.arrayContaining([expect.objectContaining({ id: id })]),
    })
    expect(readFileSync(join(folder, 'mneme.db')).includes('The lighthouse blinks twice')).toBe(false)
    expect(await answerOf('trash')).toMatchObject({ trash: [{ id: id, content: 'The lighthouse blinks twice' }] })
    expect(await answerOf('trash', 'restore', id.slice(0, 8))).toEqual({ trash: [], restored: [id] })
    expect(await answerOf('show', id)).toMatchObject({ content: 'The lighthouse blinks twice' })
    expect(await answerOf('call', 'memory', 'get_related', id)).toMatchObject({
      relation_count: 1,
      entities: [{ content: 'The harbour has a lighthouse' }],
    })

    await answerOf('forget', id)
    expect(await answerOf('trash', 'erase')).toMatchObject({ trash: [], erased: [id] })
    expect(await mneme('trash', 'restore', id)).toMatchObject({ code: 3 })
    const gone = await remember('Erased at once')
    expect(await answerOf('forget', '--forever', gone)).toMatchObject({ deleted: true })
    expect(await answerOf('trash')).toEqual({ trash: [] })
    expect(readdirSync(join(folder, 'trash'))).toEqual([])
  })

  it('overwrite expired contents of the trash', async () => {
    const id = await remember('Old enough to go')
    await answerOf('forget', id)
    const [name = ''] = readdirSync(join(folder, 'trash'))
    const file = join(folder, 'trash', name)
    writeFileSync(file, readFileSync(file, 'utf8').replace(/"until":\d+/, '"until":1'))
    expect(await answerOf('trash')).toEqual({ trash: [] })
    expect(existsSync(file)).toBe(false)
  })

  it.skipIf(!existsSync('/usr/bin/script'))('repair 10: forget asks at a terminal, and takes --yes', async () => {
    const id = await remember('Asked about first')
    const atTerminal = async (typed: string, ...flags: readonly string[]): Promise<string> => {
      const command = [process.execPath, PROGRAM, 'forget', id, ...flags, ...SETTINGS].join(' ')
      const child = spawn('script', ['-qec', command, '/dev/null'], { env: { PATH: process.env.PATH, HOME: folder, MNEME_SHARED: 'off' } })
      let shown = ''
      child.stdout.on('data', (chunk: Buffer) => {
        if (!shown.includes('[y/N]') && `${shown}${String(chunk)}`.includes('[y/N]')) child.stdin.write(typed)
        shown += String(chunk)
      })
      await once(child, 'close')
      return shown
    }
    expect(await atTerminal('n\n')).toContain('[y/N]')
    expect(await answerOf('show', id)).toMatchObject({ id })
    expect(await atTerminal('y\n')).toContain('Deleted 1 memory')
    await answerOf('trash', 'restore', id)
    expect(await atTerminal('', '--yes')).not.toContain('[y/N]')
    expect(await mneme('show', id)).toMatchObject({ code: 3 })
  })
})

describe('mistakes at the terminal', () => {
  it('repair 15: import - reads standard input, as import without a file does', async () => {
    const line = '{"content":"Imported from a pipe"}'
    const { code, out } = await runProgram(['import', '-', ...SETTINGS], line)
    expect([code, JSON.parse(out)]).toEqual([0, { facts: 1, entities: 0, edges: 0, skipped: 0, run: expect.any(String) }])
  })

  it('repair 15: quotes at most 200 characters of an argument', async () => {
    const long = 'x'.repeat(5000)
    for (const args of [['show', long], [long], ['export', '--nothing', long], ['import', `/nonexistent/${long}`]]) {
      const { code, err } = await mneme(...args)
      expect(code).not.toBe(0)
      expect(err).not.toContain('x'.repeat(201))
    }
  })

  it('repair 15: reports a server that refuses the connection at the first try', async () => {
    const { code, err } = await mneme('status', '--database', 'postgres://ann:kilowatt99@127.0.0.1:1/shop')
    expect([code, err]).toEqual([6, expect.stringContaining('cannot be reached (ECONNREFUSED)')])
    expect(err).not.toContain('kilowatt99')
  })

  it('repair 15: rejects a database in memory, which no two processes could share', async () => {
    for (const database of ['sqlite::memory:', 'sqlite:', 'file::memory:'])
      expect(await mneme('status', '--database', database)).toMatchObject({ code: 2, err: expect.stringContaining('names no file') })
  })
})
