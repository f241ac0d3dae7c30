import { rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join, resolve } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { defaultDriver } from '../../src/backends/sqlite/driver-choice.js'
import { copyOfProgram, nativeParts, removePackage } from './broken-copy.js'
import { removeTemporaryFolders, runProgram, temporaryFolder } from './program.js'
import { find, openStdio, store, useTools } from './wire.js'

afterAll(removeTemporaryFolders)

const NOT_READY = 'Embedding service not ready. Please try again.'

/** A port of this machine without a server. */
async function deadUrl(): Promise<string> {
  const server = createServer()
  await new Promise<void>((done) => void server.listen(0, '127.0.0.1', done))
  const address: AddressInfo | string | null = server.address()
  await new Promise((done) => void server.close(done))
  return `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`
}

describe('a broken embedder does not look healthy', () => {
  it.each([
    ['a service without its key', async () => ['--embedder', 'openai'], ['https://api.openai.com/v1/embeddings', 'API key', '--embed-key']],
    [
      'a service without its host',
      async () => ['--embedder', 'ollama', '--embed-url', await deadUrl()],
      ['Ollama at http://127.0.0.1:', 'cannot be reached', '--embed-url'],
    ],
  ])('%s: recall goes by words and says so', async (_, args, texts) => {
    const settings = ['--data-dir', temporaryFolder(), '--log-level', 'silent', ...(await args())]
    const wire = openStdio([...settings, '--profile', 'memory,graph'])
    const tools = await useTools(wire)
    const id = await store(tools, 'The harbour master has a wooden leg')
    await store(tools, 'The ferry leaves at dawn')
    expect(await find(tools, 'recall', 'harbour master')).toEqual([id])
    const { notice } = await tools.call('recall', { query: 'harbour master' })
    expect(notice).toMatch(/^Found by words and links only/)
    const found = await tools.call('graph_search', { query: 'harbour master' })
    expect(found).toMatchObject({ results: [{ id }] })
    const refusal = await tools.refusal('search', { query: 'harbour' })
    expect(refusal.split('\n')[0]).toBe(NOT_READY)
    const status = await tools.call('get_status')
    expect(status).toMatchObject({ status: 'degraded', embedding: { status: 'error', pending: 2 } })
    const doctor = await runProgram(['doctor', ...settings])
    expect(JSON.parse(doctor.out)).toMatchObject({ healthy: false })
    for (const part of texts)
      for (const text of [notice, found.notice, refusal, JSON.stringify(status.problems), doctor.out]) expect(text).toContain(part)
    await wire.close()
  })

  it('a status as the first call tests the model', async () => {
    const answer = await runProgram([
      'status',

      '--data-dir',
      temporaryFolder(),
      '--embedder',
      'ollama',
      '--embed-url',
      await deadUrl(),
    ])
    expect(JSON.parse(answer.out)).toMatchObject({ status: 'degraded', problems: [expect.stringContaining('cannot be reached')] })
    const whole = await runProgram(['status', '--data-dir', temporaryFolder()])
    // On a busy machine the model may still be loading, which is not a failure.
    expect(JSON.parse(whole.out)).toMatchObject({ status: 'healthy', embedding: { status: expect.stringMatching(/^(ready|loading)$/) } })
  })

  it('a disabled model is not reported as missing', async () => {
    const settings = ['--data-dir', temporaryFolder(), '--embedder', 'none']
    expect(JSON.parse((await runProgram(['status', ...settings])).out)).toMatchObject({ status: 'healthy' })
    expect(JSON.parse((await runProgram(['recall', 'anything', ...settings])).out)).not.toMatchObject({
      notice: expect.stringContaining('by words'),
    })
  })

  it('a damaged tokenizer is named', async () => {
    const model = temporaryFolder()
    symlinkSync(resolve('dist/models/gte-small/model.onnx'), join(model, 'model.onnx'))
    writeFileSync(join(model, 'tokenizer.json'), '{"half":')
    const answer = await runProgram(['status', '--data-dir', temporaryFolder(), '--embed-folder', model])
    expect(JSON.parse(answer.out)).toMatchObject({ status: 'degraded', problems: [expect.stringContaining('tokenizer.json is damaged')] })
  })
})

describe('a missing or wrong native module is named with its remedy', () => {
  const spoil = (root: string, name: string, ending: string): void => {
    const parts = nativeParts(root, name, ending)
    expect(parts).not.toEqual([])
    for (const part of parts) {
      rmSync(part)
      writeFileSync(part, 'this is no library')
    }
  }

  // Newer Node versions do not need it.
  it.skipIf(defaultDriver().name !== 'better-sqlite3').each([
    [
      'better-sqlite3 not installed',
      [],
      (root: string) => removePackage(root, 'better-sqlite3'),
      'better-sqlite3 is not installed',
      'npm ci',
    ],
    [
      'better-sqlite3 that does not load',
      ['better-sqlite3'],
      (root: string) => spoil(root, 'better-sqlite3', 'better_sqlite3.node'),
      'better-sqlite3 cannot be loaded',
      'npm rebuild better-sqlite3',
    ],
  ])('%s', async (_, spoilt, breakIt, text, command) => {
    const { root, program } = copyOfProgram(...spoilt)
    breakIt(root)
    for (const args of [['status'], ['doctor'], ['remember', 'a text']]) {
      const ended = await runProgram([...args, '--data-dir', temporaryFolder()], '', program)
      expect(ended.err).toContain(text)
      expect(ended.err).toContain(`\`${command}\` in ${root}`)
      expect(ended.err).not.toContain('Internal error')
      expect(ended.code).toBe(6)
    }
  })

  it.each([
    ['not installed', [], (root: string) => removePackage(root, 'onnxruntime-node')],
    ['that does not load', ['onnxruntime-node'], (root: string) => spoil(root, 'onnxruntime-node', '.node')],
  ])('onnxruntime-node %s costs speed only, and doctor says so', async (_, spoilt, breakIt) => {
    const { root, program } = copyOfProgram(...spoilt)
    breakIt(root)
    const { out } = await runProgram(['doctor', '--rerank', '0', '--data-dir', temporaryFolder()], '', program)
    expect(JSON.parse(out)).toMatchObject({
      healthy: true,
      findings: [{ severity: 'warning', what: expect.stringMatching(/runs as WebAssembly.*cannot be loaded \(.*onnxruntime/) }],
    })
  })

  it('without any runtime nothing is found by meaning, and status reports it', async () => {
    const { root, program } = copyOfProgram()
    removePackage(root, 'onnxruntime-node')
    removePackage(root, 'onnxruntime-common')
    const ended = await runProgram(['status', '--data-dir', temporaryFolder()], '', program)
    const status: unknown = JSON.parse(ended.out)
    expect(status).toMatchObject({ status: 'degraded', embedding: { status: 'error' } })
    expect(JSON.stringify(status)).toContain('onnxruntime-node')
    expect(JSON.stringify(status)).toContain(`\`npm ci\` in ${root}`)
  })
})
