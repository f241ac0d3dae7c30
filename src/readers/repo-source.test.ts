import { createHash } from 'node:crypto'
import { mkdtemp, open, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readSource } from './repo-source.js'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'source-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const file = (path: string) => ({ path, absolute: join(folder, path) })

async function put(path: string, content: string | Buffer) {
  await writeFile(join(folder, path), content)
  return readSource(file(path))
}

describe('reading a source', () => {
  it('gives text, language and hash', async () => {
    const read = await put('a.py', 'x = 1\n')
    expect(read).toMatchObject({
      skipped: null,
      text: 'x = 1\n',
      language: 'python',
      size: 6,
      hash: createHash('sha256').update('x = 1\n').digest('hex'),
    })
  })

  it('drops a byte order mark and reads a shebang', async () => {
    expect(await put('tool', '\uFEFFplain')).toMatchObject({ skipped: 'unsupported' })
    expect(await put('run', '#!/bin/sh\nls\n')).toMatchObject({ language: 'bash' })
    expect(await put('b.ts', '\uFEFFlet a')).toMatchObject({ text: 'let a' })
  })

  it.each([
    ['nul.ts', Buffer.from([97, 0, 98]), 'binary'],
    ['latin.ts', Buffer.from([0x63, 0xe9, 0x0a]), 'binary'],
    ['wide.ts', Buffer.from('\uFEFFlet a', 'utf16le'), 'binary'],
    ['blank.ts', '\n \n', 'empty'],
    ['gone.png', 'x', 'unsupported'],
  ])('%s is skipped', async (path, content, reason) => {
    expect(await put(path, content)).toMatchObject({ skipped: reason })
  })

  it('never reads a 200 MB file', async () => {
    const handle = await open(join(folder, 'big.ts'), 'w')
    await handle.truncate(200 * 1024 * 1024)
    await handle.close()
    const before = process.memoryUsage().arrayBuffers
    expect(await readSource(file('big.ts'))).toMatchObject({ skipped: 'oversized', size: 200 * 1024 * 1024 })
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(10 * 1024 * 1024)
  })

  it('does not follow a link that took the place of a file', async () => {
    await symlink('/etc/hostname', join(folder, 'link.ts'))
    expect(await readSource(file('link.ts'))).toMatchObject({ skipped: 'unreadable' })
    expect(await readSource(file('missing.ts'))).toMatchObject({ skipped: 'unreadable' })
  })

  it('gives text and hash of one state while the file is replaced', async () => {
    const states = ['let a = 1\n', 'let b = 22\n']
    await writeFile(join(folder, 'hot.ts'), states[0] ?? '')
    for (let round = 0; round < 30; round++) {
      const swap = writeFile(join(folder, 'hot.new'), states[round % 2] ?? '').then(() =>
        rename(join(folder, 'hot.new'), join(folder, 'hot.ts')),
      )
      const [read] = await Promise.all([readSource(file('hot.ts')), swap])
      if (read.skipped !== null) expect(['changing', 'unreadable']).toContain(read.skipped)
      else {
        expect(states).toContain(read.text)
        expect(read.hash).toBe(createHash('sha256').update(read.text).digest('hex'))
      }
    }
  })
})
