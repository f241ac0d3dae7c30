import { readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { afterAll, describe, expect, it, vi } from 'vitest'
import { EVENTUALLY } from '../eventually.js'
import { removeTemporaryFolders, temporaryFolder } from './program.js'
import { find, openStdio, store, type Tools, useTools } from './wire.js'

// dist/main.js whose model file is absent or invalid, until it is restored.
const MODEL = resolve('dist/models/gte-small')
const NOT_READY = 'Embedding service not ready. Please try again.'

afterAll(removeTemporaryFolders)

const link = (folder: string, ...names: readonly string[]): void => {
  for (const name of names) symlinkSync(join(MODEL, name), join(folder, name))
}

/** Polls until no memory waits for its vector. */
async function embedded(tools: Tools): Promise<void> {
  while (!JSON.stringify(await tools.call('get_status')).includes('"pending":0'));
}

describe.each([
  ['missing', (folder: string) => link(folder, 'tokenizer.json', 'tokenizer_config.json'), 'there is no model.onnx'],
  [
    'corrupt',
    (folder: string) => {
      link(folder, 'tokenizer.json', 'tokenizer_config.json')
      writeFileSync(join(folder, 'model.onnx'), 'this is no model')
    },
    'cannot be used',
  ],
] as const)('a model file that is %s', (_, spoil, problem) => {
  it('affects only the search by meaning, and the backlog is embedded when the model is back', async () => {
    const model = temporaryFolder()
    const args = ['--data-dir', temporaryFolder(), '--embed-folder', model, '--log-level', 'silent']
    spoil(model)
    const wire = openStdio(args)
    const tools = await useTools(wire)
    const id = await store(tools, 'The harbour master has a wooden leg')
    const gone = await store(tools, 'The ferry leaves at dawn')
    await tools.call('update_memory', { id: gone, content: 'The ferry leaves at dusk' })
    expect(await find(tools, 'search_text', 'harbour')).toEqual([id])
    const refusal = await tools.refusal('search', { query: 'harbour' })
    expect(refusal.split('\n')).toEqual([NOT_READY, expect.stringContaining(problem)])
    expect(await tools.call('recall', { query: 'harbour' })).toMatchObject({ results: [{ id }], notice: expect.stringContaining(problem) })
    expect(await tools.call('get_status')).toMatchObject({
      status: 'degraded',
      memories_count: 2,
      embedding: { status: 'error', pending: 2, problem: expect.stringContaining(problem) },
    })

    rmSync(join(model, 'model.onnx'), { force: true })
    link(model, 'model.onnx')
    // A search waits briefly for missing vectors, on a busy machine not long enough.
    await vi.waitFor(async () => expect((await find(tools, 'search', 'a sailor who lost a limb'))[0]).toBe(id), EVENTUALLY)
    expect((await find(tools, 'recall', 'When does the boat depart?'))[0]).toBe(gone)
    expect(await tools.call('get_status')).toMatchObject({ embedding: { status: 'ready', pending: 0 } })
    expect((await wire.close()).code).toBe(0)
  })
})

it('embeds the backlog of an earlier process automatically', async () => {
  const model = temporaryFolder()
  const args = ['--data-dir', temporaryFolder(), '--embed-folder', model, '--log-level', 'silent']
  const first = openStdio(args)
  const id = await store(await useTools(first), 'The harbour master has a wooden leg')
  await first.close()
  link(model, 'model.onnx', 'tokenizer.json', 'tokenizer_config.json')
  const second = openStdio(args)
  const tools = await useTools(second)
  await embedded(tools)
  expect((await find(tools, 'search', 'Who works in the port?'))[0]).toBe(id)
  await second.close()
})

it('accepts another model if no vector exists', async () => {
  const folder = temporaryFolder()
  const first = openStdio(['--data-dir', folder, '--embedder', 'none', '--log-level', 'silent'])
  const id = await store(await useTools(first), 'Stored before there was a model')
  await first.close()
  const second = openStdio(['--data-dir', folder, '--embedder', 'hash', '--log-level', 'silent'])
  const tools = await useTools(second)
  const later = await store(tools, 'Stored with one')
  expect(await find(tools, 'search', 'Stored with one')).toContain(later)
  await embedded(tools)
  expect(await find(tools, 'search', 'Stored before there was a model')).toContain(id)
  await second.close()
})

it('refuses to mix the vectors of two models, and says what to do', async () => {
  const folder = temporaryFolder()
  const first = openStdio(['--data-dir', folder, '--embedder', 'hash'])
  const id = await store(await useTools(first), 'Vectors of the first kind')
  await first.close()
  const second = openStdio(['--data-dir', folder, '--embedder', 'hash', '--embed-dimensions', '64', '--log-level', 'silent'])
  const tools = await useTools(second)
  const refusal = await tools.refusal('search', { query: 'vectors' })
  expect(refusal).toContain(
    'Dimension mismatch: database has 384d vectors, configured model produces 64d. Use --force-model or --reset-memory',
  )
  expect(await find(tools, 'search_text', 'vectors')).toEqual([id])
  const later = await store(tools, 'Stored in spite of that')
  expect(await find(tools, 'search_text', 'spite')).toEqual([later])
  await second.close()
})

it('starts empty for another model on request, keeps a copy, and leaves a matching store unchanged', async () => {
  const folder = temporaryFolder()
  const first = openStdio(['--data-dir', folder, '--embedder', 'hash'])
  await store(await useTools(first), 'Vectors of the first kind')
  await first.close()
  const args = ['--data-dir', folder, '--embedder', 'hash', '--embed-dimensions', '64', '--log-level', 'silent', '--reset-memory']
  const second = openStdio(args)
  const tools = await useTools(second)
  expect(await find(tools, 'search_text', 'vectors')).toEqual([])
  const id = await store(tools, 'Vectors of the second kind')
  expect(await find(tools, 'search', 'Vectors of the second kind')).toEqual([id])
  await second.close()
  const third = openStdio(args)
  expect(await find(await useTools(third), 'search_text', 'vectors')).toEqual([id])
  await third.close()
  const copies = readdirSync(folder).filter((name) => name.endsWith('.bak'))
  expect(copies).toHaveLength(1)
  const copy = openStdio(['--database', `sqlite:${join(folder, copies[0] ?? '')}`, '--data-dir', temporaryFolder(), '--embedder', 'hash'])
  expect(await find(await useTools(copy), 'search_text', 'vectors')).toHaveLength(1)
  await copy.close()
})

it('recalls by keywords without a model', async () => {
  const wire = openStdio(['--data-dir', temporaryFolder(), '--embedder', 'none', '--profile', 'memory,graph', '--log-level', 'silent'])
  const tools = await useTools(wire)
  const id = await store(tools, 'The harbour master has a wooden leg')
  await store(tools, 'The ferry leaves at dawn')
  expect(await find(tools, 'recall', 'harbour master')).toEqual([id])
  expect(await tools.call('graph_search', { query: 'harbour master' })).toMatchObject({ results: [{ id }] })
  await wire.close()
})
