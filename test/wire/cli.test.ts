import { existsSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { removeTemporaryFolders, runProgram, temporaryFolder } from './program.js'
import { openStdio, store, useTools } from './wire.js'

// The commands of dist/main.js, as typed by a person.
const folder = temporaryFolder()
const HASH = ['--embedder', 'hash', '--log-level', 'error']
const mneme = (...args: readonly string[]) => runProgram([...args, '--data-dir', folder, ...HASH])
const answerOf = async (...args: readonly string[]): Promise<Readonly<Record<string, unknown>>> => {
  const { code, out, err } = await mneme(...args)
  expect([code, err]).toEqual([0, ''])
  return z.record(z.string(), z.unknown()).parse(JSON.parse(out))
}

let id = ''
beforeAll(async () => {
  const wire = openStdio(['--data-dir', folder, ...HASH])
  const tools = await useTools(wire)
  id = await store(tools, 'The gate width is 4711', {
    metadata: { session: 'door', n: 1.5, deep: { list: [null, true] } },
    user_id: 'ann',
    importance_score: 3,
  })
  const old = await store(tools, 'The gate width is 1234\n"quoted" 👋', {
    event_time: '2020-02-29T01:02:03.456789Z',
    valid_from: '2020-02-29',
    user_id: 'ann',
  })
  await tools.call('invalidate', { id: old, reason: 'changed', superseded_by: id })
  const gate = await tools.call('create_entity', { name: 'gate', entity_type: 'door', description: 'At the back' })
  const yard = await tools.call('create_entity', { name: 'yard' })
  await tools.call('create_relation', { from_entity: gate.id, to_entity: yard.id, relation_type: 'leads_to', weight: 0.5 })
  const gone = await store(tools, 'Deleted again')
  await tools.call('delete_memory', { id: gone })
  await wire.close()
})
afterAll(removeTemporaryFolders)

describe('export and import', () => {
  it('repair 33: an export does not follow a link at the place of its draft', async () => {
    const place = temporaryFolder()
    const victim = join(place, 'victim')
    writeFileSync(victim, 'precious')
    symlinkSync(victim, join(place, 'out.jsonl.partial'))
    expect(await mneme('export', join(place, 'out.jsonl'))).toMatchObject({ code: 0 })
    expect(readFileSync(victim, 'utf8')).toBe('precious')
    expect(readdirSync(place).sort()).toEqual(['out.jsonl', 'out.jsonl.partial', 'victim'])
  })

  it('carry a whole memory into a fresh store, byte for byte', async () => {
    const fresh = temporaryFolder()
    const exported = await mneme('export')
    expect(exported).toMatchObject({ code: 0, err: '' })
    expect(exported.out.trim().split('\n')).toHaveLength(1 + 2 + 2 + 1)
    expect(exported.out).not.toContain('Deleted again')
    const imported = await runProgram(['import', '--data-dir', fresh, ...HASH], exported.out)
    expect([imported.code, JSON.parse(imported.out)]).toEqual([0, { facts: 2, entities: 2, edges: 1, skipped: 0, run: expect.any(String) }])
    const again = await runProgram(['export', '--data-dir', fresh, ...HASH])
    expect(again.out).toBe(exported.out)
    const repeated = await runProgram(['import', '--data-dir', fresh, ...HASH], exported.out)
    expect(JSON.parse(repeated.out)).toEqual({ facts: 0, entities: 0, edges: 0, skipped: 5, run: expect.any(String) })
    const doctor = await runProgram(['doctor', '--data-dir', fresh, ...HASH])
    expect(JSON.parse(doctor.out)).toMatchObject({ healthy: true, findings: [] })
  })

  it('work with files, and reject other paths', async () => {
    const file = join(temporaryFolder(), 'memory.jsonl')
    expect(await answerOf('export', file)).toEqual({ file, lines: 6 })
    expect(readFileSync(file, 'utf8')).toBe((await mneme('export')).out)
    expect(await mneme('import', '/no/such/file')).toMatchObject({
      code: 3,
      out: '',
      err: expect.stringContaining('There is no file /no/such/file.'),
    })
    writeFileSync(file, '{"content":"fine"}\n{"content":5}\n')
    expect(await mneme('import', file)).toMatchObject({ code: 2, out: '', err: expect.stringContaining('Line 2') })
    writeFileSync(file, '{"content":"fi')
    expect(await mneme('import', file)).toMatchObject({ code: 2, err: expect.stringContaining('Line 1 is not JSON.') })
    expect(await answerOf('call', 'memory', 'search_text', 'fine')).toMatchObject({ count: 0 })
  })
})

describe('commands', () => {
  it('store, recall and search memories', async () => {
    const { id: stored } = await answerOf('remember', 'The', 'cellar', 'key', 'hangs', 'left', '--memory-type', 'procedural')
    expect(await answerOf('recall', 'where is the cellar key')).toMatchObject({
      results: [{ id: stored, content: 'The cellar key hangs left' }],
      more: 1,
    })
    expect(await answerOf('search', 'cellar key', '--limit', '1')).toMatchObject({
      count: 1,
      results: [{ id: stored, memory_type: 'procedural' }],
    })
    expect(await answerOf('call', 'memory', 'delete_memory', String(stored))).toEqual({ deleted: true })
  })

  it('repair 11: list and show print plain ids in a pipe; call answers in the form of the contract', async () => {
    const { memories } = z.object({ memories: z.array(z.looseObject({ id: z.unknown() })) }).parse(await answerOf('list'))
    expect(memories.map((memory) => memory.id)).toContain(id)
    expect(await answerOf('show', id)).toMatchObject({ id })
    expect(await answerOf('call', 'memory', 'get_memory', id)).toMatchObject({ id: { tb: 'memories', id: { String: id } } })
  })

  it('a dated event is valid from its date without valid_from', async () => {
    const { id: stored } = await answerOf('remember', 'The annex opened', '--event-time', '2021-05-01', '--user-id', 'bob')
    const asOf = (url: string) => answerOf('recall', 'the annex', '--as-of', url, '--user-id', 'bob')
    expect(await asOf('2021-06-01')).toMatchObject({ results: [{ id: stored }] })
    expect(await asOf('2021-04-01')).toMatchObject({ results: [] })
    expect(await answerOf('forget', String(stored))).toMatchObject({ deleted: true })
  })

  it('status and its settings', async () => {
    expect(await answerOf('status')).toMatchObject({ memories_count: 2, entities_count: 2, embedding: { status: 'ready', pending: 0 } })
    const { settings } = await answerOf('status', '--config')
    expect(settings).toContainEqual({
      key: 'dataDir',
      value: folder,
      origin: 'flag --data-dir',
      flag: '--data-dir',
      variable: 'MNEME_DATA_DIR',
    })
  })

  it('show the history of one memory and of all', async () => {
    const { changes } = await answerOf('history', id, '--values')
    expect(changes).toMatchObject([
      {
        op: 'fact.put',
        kind: 'fact',
        target: id,
        owner: 'ann',
        actor: 'mcp:wire-test',
        before: null,
        after: { text: 'The gate width is 4711' },
      },
    ])
    const all = await answerOf('history', '--limit', '1000', '--values')
    expect(all.changes).toEqual(
      expect.arrayContaining([expect.objectContaining({ op: 'fact.delete' }), expect.objectContaining({ op: 'edge.put' })]),
    )
    // The journal keeps the deletion, not the content.
    expect(JSON.stringify(all)).not.toContain('Deleted again')
  })

  it('backup to a file that opens as a store, and never over one', async () => {
    const copy = temporaryFolder()
    const file = join(copy, 'mneme.db')
    expect(await answerOf('backup', file)).toEqual({ file })
    expect((await runProgram(['export', '--data-dir', copy, ...HASH])).out).toBe((await mneme('export')).out)
    expect(await mneme('backup', file)).toMatchObject({ code: 2, err: expect.stringContaining('already exists') })
    expect(existsSync(`${file}.partial`)).toBe(false)
  })

  it('compact, regardless of pauses between its steps', async () => {
    const other = temporaryFolder()
    const own = ['--data-dir', other, ...HASH]
    const lines = Array.from({ length: 400 }, (_, i) => JSON.stringify({ content: `Note ${i} ${'of the harbour '.repeat(20)}` }))
    expect((await runProgram(['import', ...own], lines.join('\n'))).code).toBe(0)
    expect((await runProgram(['call', 'memory', 'reset_all_memory', '--confirm', '--reset-copy', 'false', ...own])).code).toBe(0)
    const { code, out, err } = await runProgram(['compact', ...own])
    expect([code, err]).toEqual([0, ''])
    const { bytes_before: before, bytes_after: after } = JSON.parse(out)
    expect(after).toBeLessThan(before)
  })

  it('verify and reindex a store', async () => {
    expect(await answerOf('doctor')).toMatchObject({ healthy: true, findings: [], store: { facts: 2, pending_vectors: 0 } })
    expect(await answerOf('reindex')).toEqual({ relinked: 2, embedded: 2 })
    expect(await answerOf('reindex', '--links')).toEqual({ relinked: 2, embedded: 0 })
    expect(await answerOf('doctor')).toMatchObject({ healthy: true, findings: [] })
  })
})

describe('call', () => {
  it('accepts flags, JSON and standard input', async () => {
    const wanted = { count: 1, query: 'gate width', results: [{ id }] }
    const search = ['call', 'memory', 'search_text']
    expect(await answerOf(...search, '--query', 'gate width', '--user-id', 'ann')).toMatchObject(wanted)
    expect(await answerOf(...search, '--json', '{"query":"gate width","user_id":"ann"}')).toMatchObject(wanted)
    const piped = await runProgram([...search, '--json', '-', '--data-dir', folder, ...HASH], '{"query":"gate width","user_id":"ann"}')
    expect([piped.code, JSON.parse(piped.out)]).toMatchObject([0, wanted])
    expect(await answerOf('call', 'memory', 'recall', 'gate width', '--include-memories', 'false', '--include-code', 'true')).toMatchObject(
      {
        results: [],
      },
    )
  })

  it.each([
    [2, ['call', 'memory', 'search_text', '--limit', '99', 'gate'], 'Invalid limit: must be from 1 to 50'],
    [2, ['call', 'memory', 'search_text', '--json', '{"query":'], 'JSON'],
    [2, ['call', 'memory', 'search_text', '--json', '[]'], 'must be one JSON object'],
    [2, ['call', 'memory', 'no_such_tool'], 'There is no tool "no_such_tool".'],
    [2, ['call', 'no-such-contract', 'x'], 'There is no contract "no-such-contract".'],
    [2, ['call', 'memory', 'search_text', 'gate', '--no-such-flag'], 'unknown option'],
    [2, ['no-such-command'], 'unknown command'],
    [2, ['status', '--embedder', 'psychic'], 'Invalid embedder (from flag --embedder)'],
    [3, ['call', 'memory', 'get_memory', 'nope'], 'Memory not found: nope'],
    [6, ['call', 'memory', 'search', 'gate', '--embedder', 'none'], 'Embedding service not ready. Please try again.'],
    [7, ['status', '--data-dir', '/dev/null/nowhere'], 'The data directory /dev/null/nowhere cannot be used'],
  ] as const)('exits with %i and an empty stdout for %j', async (code, args, message) => {
    const result = await runProgram(['--data-dir', folder, ...HASH, ...args])
    expect(result).toMatchObject({ code, out: '' })
    expect(result.err).toContain(message)
  })
})
