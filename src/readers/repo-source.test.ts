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
  it('returns text, language and hash', async () => {
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
    expect(await put('tool', '\uFEFFplain')).toMatchObject({ text: 'plain', language: 'text' })
    expect(await put('run', '#!/bin/sh\nls\n')).toMatchObject({ language: 'bash' })
    expect(await put('b.ts', '\uFEFFlet a')).toMatchObject({ text: 'let a' })
  })

  it.each([
    ['nul.ts', Buffer.from([97, 0, 98]), 'binary'],
    ['noise.ts', Buffer.from([0xe9, 0x01, 0x0a]), 'binary'],
    ['half.ts', Buffer.from([0xff, 0xfe, 0x00, 0xd8]), 'binary'],
    ['wide-nul.ts', Buffer.from('\uFEFFa\0b', 'utf16le'), 'binary'],
    ['cert.txt', '-----BEGIN PRIVATE KEY-----\nabc\n', 'unsupported'],
    ['blank.ts', '\n \n', 'empty'],
    ['gone.png', 'x', 'unsupported'],
  ])('%s is skipped', async (path, content, reason) => {
    expect(await put(path, content)).toMatchObject({ skipped: reason })
  })

  it.each([
    ['latin.py', Buffer.from('# caf\u00e9 \u0093\n', 'latin1'), '# café “\n'],
    ['little.cs', Buffer.from('\uFEFFclass Ä {}', 'utf16le'), 'class Ä {}'],
    ['big.cs', Buffer.from('\uFEFFclass Ä {}', 'utf16le').swap16(), 'class Ä {}'],
  ])('%s is decoded', async (path, bytes, text) => {
    expect(await put(path, bytes)).toMatchObject({ skipped: null, text, hash: createHash('sha256').update(bytes).digest('hex') })
  })

  it('removes embedded data from a long line and keeps both ends', async () => {
    const read = await put('data.py', `import x\nDATA = "${'A'.repeat(40_000)}"\ndef f():\n    return DATA\n`)
    if (read.skipped !== null) throw new Error(`skipped as ${read.skipped}`)
    expect(read.text.length).toBeLessThan(3_000)
    expect(read.text.split('\n')[1]).toMatch(/^DATA = "A+ … A+"$/)
    expect(read.text.split('\n')).toHaveLength(5)
  })

  it('never reads a 200 MB file', async () => {
    const handle = await open(join(folder, 'big.ts'), 'w')
    await handle.truncate(200 * 1024 * 1024)
    await handle.close()
    const before = process.memoryUsage().arrayBuffers
    expect(await readSource(file('big.ts'))).toMatchObject({ skipped: 'oversized', size: 200 * 1024 * 1024 })
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(10 * 1024 * 1024)
  })

  it('does not follow a link that replaced a file', async () => {
    await symlink('/etc/hostname', join(folder, 'link.ts'))
    expect(await readSource(file('link.ts'))).toMatchObject({ skipped: 'gone' })
    expect(await readSource(file('missing.ts'))).toMatchObject({ skipped: 'gone' })
  })

  it('returns text and hash of one state while the file is replaced', async () => {
    const states = ['let a = 1\n', 'let b = 22\n']
    await writeFile(join(folder, 'hot.ts'), states[0] ?? '')
    for (let round = 0; round < 30; round++) {
      const swap = writeFile(join(folder, 'hot.new'), states[round % 2] ?? '').then(() =>
        rename(join(folder, 'hot.new'), join(folder, 'hot.ts')),
      )
      const [read] = await Promise.all([readSource(file('hot.ts')), swap])
      if (read.skipped !== null) expect(['changing', 'gone']).toContain(read.skipped)
      else {
        expect(states).toContain(read.text)
        expect(read.hash).toBe(createHash('sha256').update(read.text).digest('hex'))
      }
    }
  })
})
