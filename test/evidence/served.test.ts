import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { startProgram } from '../wire/program.js'
import { type Message, openHttp, openStdio, type Wire } from '../wire/wire.js'
import { makeProject, removeTemporaryFolders, temporaryFolder } from './workbench.js'

afterAll(removeTemporaryFolders)

const HELLO: Message = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
}

async function ingest(wire: Wire, mode: string, input_data: unknown): Promise<string> {
  await wire.send(HELLO)
  await wire.send({ jsonrpc: '2.0', method: 'notifications/initialized' })
  const params = { name: 'memory_ingest', arguments: { args: { mode, input_data } } }
  return JSON.stringify(await wire.send({ jsonrpc: '2.0', id: 2, method: 'tools/call', params }))
}

const guide = (): string => {
  const path = join(temporaryFolder('served'), 'guide.md')
  writeFileSync(path, '# Guide\n\nText.\n')
  return path
}

describe('memory_ingest of a process', () => {
  it('reads files over stdio with the built readers', async () => {
    const path = guide()
    const wire = openStdio(['--profile', 'substrate', '--data-dir', temporaryFolder('served'), '--embedder', 'none'])
    expect(await ingest(wire, 'markdown', { path })).toContain('source_ingest_result')
    await wire.close()
  })

  it('reads files over HTTP only below the configured roots', async () => {
    const path = guide()
    const args = ['--profile', 'substrate', '--embedder', 'none']
    const closed = await openHttp([...args, '--data-dir', temporaryFolder('served')])
    expect(await ingest(closed, 'markdown', { path })).toContain('is not readable: the server has no roots')
    await closed.close()
    const open = await openHttp([...args, '--data-dir', temporaryFolder('served'), '--ingest-roots', join(path, '..')])
    expect(await ingest(open, 'markdown', { path })).toContain('source_ingest_result')
    expect(await ingest(open, 'file', { path: '/etc/hostname' })).toContain('is outside of the allowed roots')
    await open.close()
  })
})

describe('mneme ingest', () => {
  const run = async (...args: readonly string[]) => startProgram(['ingest', ...args, '--embedder', 'none'], { keepOutput: true }).ended()

  it('detects the kind of its input', async () => {
    const dataDir = temporaryFolder('served')
    const file = await run(guide(), '--data-dir', dataDir)
    expect([file.code, JSON.parse(file.out)]).toEqual([0, expect.objectContaining({ status: 'completed', kind: 'markdown', segments: 1 })])
    const folder = makeProject('farm', { 'a.ts': 'export const a = 1\n', '.codex/x.md': '# x\n' })
    const repo = await run(folder, '--data-dir', dataDir)
    expect(JSON.parse(repo.out)).toMatchObject({ status: 'completed', kind: 'repo', files: 1, left_out: ['.codex'] })
    const again = await run(folder, '--data-dir', dataDir, '--output', 'text')
    expect(again.out).toContain('unchanged, 1 file.')
    const page = await run('http://127.0.0.1:1/', '--data-dir', dataDir)
    expect([page.code, page.err]).toEqual([5, expect.stringContaining('MNEME_INGEST_ALLOW_PRIVATE')])
    const nothing = await run('/no/such/thing', '--data-dir', dataDir)
    expect([nothing.code, nothing.err]).toEqual([2, expect.stringContaining('File path is not a file: /no/such/thing')])
  })
})
