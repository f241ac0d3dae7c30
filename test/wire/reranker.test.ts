import { cpSync, mkdirSync, symlinkSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { removeTemporaryFolders, temporaryFolder } from './program.js'
import { openStdio, store, useTools } from './wire.js'

afterAll(removeTemporaryFolders)

const NOTES = [
  'Anna moved to the bakery on Main Street',
  'The weather in Oslo is cold',
  'Prefers tabs over spaces',
  'Deploys go out on Friday',
]
const QUESTION = 'where does Anna work now'

describe('reranker in the program', () => {
  it('changes the result, unless effort, setting or an embedder of none disable it', async () => {
    const wire = openStdio(['--data-dir', temporaryFolder()])
    const tools = await useTools(wire)
    const ids: string[] = []
    for (const note of NOTES) ids.push(await store(tools, note))
    expect(await tools.call('get_status')).toMatchObject({ reranker: { status: 'idle' } })
    const best = await tools.call('recall', { query: QUESTION, explain: true, limit: 1 })
    expect(best).toMatchObject({
      reranking: 'used',
      results: [
        {
          id: ids[0],
          explain: { judge: expect.any(Number), contributions: expect.arrayContaining([expect.objectContaining({ name: 'judge' })]) },
        },
      ],
    })
    const plain = await tools.call('recall', { query: QUESTION })
    expect(plain).not.toHaveProperty('reranking')
    expect(plain).not.toHaveProperty('notice')
    const fast = await tools.call('recall', { query: QUESTION, explain: true, effort: 'fast' })
    expect(fast).toMatchObject({ reranking: 'off' })
    expect(JSON.stringify(fast)).not.toContain('"judge"')
    expect(await tools.call('get_status')).toMatchObject({ reranker: { status: 'ready' } })
    expect((await wire.close()).code).toBe(0)
  })

  it.each([[['--rerank', '0']], [['--embedder', 'none']], [['--embedder', 'none', '--rerank', '10']]])(
    'is absent with %s',
    async (args) => {
      const wire = openStdio(['--data-dir', temporaryFolder(), ...args])
      const tools = await useTools(wire)
      for (const note of NOTES) await store(tools, note)
      expect(await tools.call('recall', { query: QUESTION, explain: true })).toMatchObject({ reranking: 'off' })
      expect(await tools.call('get_status')).toMatchObject({ reranker: { status: 'off' } })
      expect((await wire.close()).code).toBe(0)
    },
  )

  it('missing weights are reported once, and results are not reranked', async () => {
    const program = temporaryFolder()
    mkdirSync(join(program, 'dist'))
    for (const name of ['bundle', 'main.js']) cpSync(resolve('dist', name), join(program, 'dist', name), { recursive: true })
    cpSync(resolve('package.json'), join(program, 'package.json'))
    for (const name of ['recall', 'language']) cpSync(resolve('assets', name), join(program, 'assets', name), { recursive: true })
    symlinkSync(resolve('dist/models'), join(program, 'dist', 'models'))
    symlinkSync(resolve('node_modules'), join(program, 'node_modules'))
    const wire = openStdio(['--data-dir', temporaryFolder(), '--log-level', 'warn'], { program: join(program, 'dist', 'main.js') })
    const tools = await useTools(wire)
    const ids: string[] = []
    for (const note of NOTES) ids.push(await store(tools, note))
    for (let i = 0; i < 3; i++) {
      const answer = await tools.call('recall', { query: QUESTION, min_relevance: 0 })
      expect(answer).toMatchObject({
        notice: expect.stringMatching(/not reranked: .*there is no reranker-int8\.onnx/),
        results: [{ id: ids[0] }, {}, {}, {}],
      })
    }
    expect(await tools.call('get_status')).toMatchObject({
      status: 'degraded',
      reranker: { status: 'error', problem: expect.stringContaining('Recall works without it') },
    })
    const ended = await wire.close()
    expect(ended.code).toBe(0)
    expect(ended.err.split('answers come without the reranker')).toHaveLength(2)
  })
})
