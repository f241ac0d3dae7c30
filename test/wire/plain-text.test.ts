import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { secretForms } from '../secrets/forms.js'
import { removeTemporaryFolders, runProgram, temporaryFolder } from './program.js'

afterAll(removeTemporaryFolders)

const folder = temporaryFolder()
const text = async (...args: readonly string[]): Promise<string> => {
  const { code, out, err } = await runProgram([
    ...args,
    '--data-dir',
    folder,
    '--embedder',
    'hash',
    '--log-level',
    'error',
    '--output',
    'text',
  ])
  expect([code, err]).toEqual([0, ''])
  return out
}
const TIME = '\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d'

describe('text output of tools', () => {
  it('reports what was stored, lists it with ids, shows, edits and forgets it', async () => {
    const secret = secretForms().find(({ name }) => name === 'ghp')?.secret ?? ''
    expect(await text('remember', `The robot signs in with ${secret}`)).toMatch(
      /^Stored as \w{20}\.\nMasked before it was stored: github token\.\n$/,
    )
    const id = /Stored as (\w+)\./.exec(await text('remember', 'Anna drinks tea', '--metadata', '{"author":"Bob"}'))?.[1] ?? ''
    const list = await text('list')
    expect(list).toMatch(
      new RegExp(
        `^Anna drinks tea {2}\\[${id}\\]\\n {4}.*Bob.*${TIME}\\nThe robot signs in with \\[masked github token\\] {2}\\[\\w{20}\\]\\n`,
      ),
    )
    expect(list).not.toMatch(/total|count/)
    expect(await text('show', id)).toMatch(new RegExp(`^Anna drinks tea\\n {2}id {8}${id}\\n`))
    expect(await text('edit', id, 'Anna drinks coffee')).toMatch(/^Anna drinks coffee\n/)
    expect(await text('recall', 'what does Anna drink', '--explain')).toMatch(
      /Anna drinks coffee(?:.*\n){1,3} +because: meaning [\d.]+, words [\d.]+, links [\d.]+\n/,
    )
    expect(await text('history', id)).toMatch(
      new RegExp(
        `^#3 {2}${TIME} {2}cli changed memory \\[${id}\\]: Anna drinks coffee\\n#2 {2}${TIME} {2}cli stored memory \\[${id}\\]: Anna drinks tea\\n$`,
      ),
    )
    expect(await text('forget', id)).toContain('Deleted 1 memory.')
    expect(await text('history', id)).not.toContain('tea')
  })

  it('says what indexing left out and what is pending, and reports health in sentences', async () => {
    const root = join(temporaryFolder(), 'shop')
    mkdirSync(root)
    writeFileSync(join(root, 'shop.ts'), 'export const open = () => true\n')
    writeFileSync(join(root, 'empty.ts'), '')
    writeFileSync(join(root, 'id_rsa'), 'x\n')
    expect(await text('index', root)).toMatch(
      /^shop: 1 file in the index \(1 new or changed, 0 removed\), 1 passage\.\nLeft out: 1 empty, 1 credentials\.\n/,
    )
    expect(await text('jobs')).toBe('Making vectors: idle.\nIndexing shop: idle, 1 of 1 file.\n')
    expect(await text('jobs', 'run', 'archive')).toBe('archive of default: done, nothing to do.\n')
    expect(await text('doctor')).toMatch(/mneme\.db is healthy\.\n1 memory, /)
    expect(await text('status')).toMatch(/is healthy\.\n1 memory, /)
  })

  it('describes commands in the help, and names the client a memory came from', async () => {
    const help = await text('--help')
    expect(help).toMatch(/\n {2}recall +Find what was said/)
    for (const command of ['list', 'show', 'edit', 'forget']) expect(help).toMatch(new RegExp(`\\n {2}${command}[ |]`))
    const { out } = await runProgram(['export', '--data-dir', folder, '--embedder', 'hash'])
    expect(out).toContain('"source":"cli"')
    expect(out).not.toContain('"source":"mcp"')
  })
})
