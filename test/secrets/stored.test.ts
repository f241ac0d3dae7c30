import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Memory, openMemory } from '../../src/library.js'
import { secretForms } from './forms.js'

const token = secretForms().find(({ name }) => name === 'ghp')?.secret ?? ''
const password = 'quincejam9'
const MARK = '[masked github token]'
const address = `postgres://ann:${password}@db.example.com/shop`

let folder: string
let memory: Memory
const reopen = async (settings: Readonly<Record<string, unknown>> = {}): Promise<void> => {
  memory = await openMemory({ dataDir: join(folder, 'data'), embedder: 'hash', ...settings })
}

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'mneme-secrets-'))
  await reopen()
})
afterEach(async () => {
  await memory.close()
  rmSync(folder, { recursive: true, force: true })
})

/** All bytes on disk, in lower case, as words are stored. */
const onDisk = (): string =>
  readdirSync(join(folder, 'data'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1').toLowerCase())
    .join('\n')

const idOf = (answer: unknown): string => {
  const found = /"id":"([^"]+)"/.exec(JSON.stringify(answer))?.[1]
  if (found === undefined) throw new Error(`No id in ${JSON.stringify(answer)}`)
  return found
}

describe('a secret is masked on every path into the store', () => {
  it('of the memory contract, and the answer says so', async () => {
    const stored = await memory.call('memory', 'store_memory', {
      content: `Deploy with ${token} against ${address}`,
      metadata: { title: `About ${token}`, password, nested: [{ api_key: token }] },
    })
    expect(stored).toMatchObject({ masked: ['github token', 'password'] })
    const id = idOf(stored)
    expect(await memory.call('memory', 'get_memory', { id })).toMatchObject({
      content: `Deploy with ${MARK} against postgres://ann:[masked password]@db.example.com/shop`,
      metadata: { title: `About ${MARK}`, password: '[masked password]', nested: [{ api_key: MARK }] },
    })
    expect(await memory.call('memory', 'update_memory', { id, content: `Now ${token}` })).toMatchObject({
      content: `Now ${MARK}`,
      masked: ['github token'],
    })
    const plain = await memory.call('memory', 'store_memory', { content: 'Deploy on Fridays' })
    expect(plain).not.toHaveProperty('masked')
    await memory.call('memory', 'invalidate', { id, reason: `leaked ${token}` })
    const entity = { name: `host of ${token}`, description: `Signs in with ${address}` }
    const first = await memory.call('memory', 'create_entity', entity)
    expect(first).toMatchObject({ masked: ['github token', 'password'] })
    expect(idOf(await memory.call('memory', 'create_entity', entity))).toBe(idOf(first))
    await memory.call('memory', 'create_relation', { from_entity: idOf(first), to_entity: idOf(plain), relation_type: `uses ${token}` })
    await memory.close()
    expect(onDisk()).toContain('masked github token')
    for (const secret of [token, password]) expect(onDisk()).not.toContain(secret.toLowerCase())
  })

  it('of the graph contract, the library and an import', async () => {
    const made = await memory.call('graph', 'create_node', { text: `Key ${token}`, metadata: { token } })
    expect(made).toMatchObject({ node: { text: `Key ${MARK}`, metadata: { token: MARK } }, masked: ['github token'] })
    const id = idOf(made)
    expect(await memory.call('graph', 'update_node', { node_id: id, text: `Other ${token}` })).toMatchObject({
      node: { text: `Other ${MARK}` },
    })
    expect(await memory.call('graph', 'create_node', { text: `Box ${token}`, node_type: 'Entity' })).toMatchObject({
      node: { text: `Box ${MARK}` },
    })
    await memory.call('graph', 'create_triplet', {
      subject: `A ${token}`,
      predicate: 'knows',
      object_value: 'B',
      metadata: { note: address },
    })
    await memory.call('graph', 'mark_outdated', { fact_id: id, reason: `leaked ${token}` })
    const [fact] = await memory.remember({ text: `Sign in with ${token}`, predicate: 'password', value: password })
    expect(fact).toMatchObject({ text: `Sign in with ${MARK}`, value: '[masked password]', source: 'library' })
    const file = join(folder, 'memories.jsonl')
    writeFileSync(file, `${JSON.stringify({ content: `Imported ${token}`, metadata: { address } })}\n`)
    expect(await memory.call('admin', 'import', { file })).toMatchObject({ facts: 1, masked: ['github token', 'password'] })
    expect(await memory.searchByWords('imported')).toMatchObject([{ fact: { text: `Imported ${MARK}` } }])
    await memory.close()
    for (const secret of [token, password]) expect(onDisk()).not.toContain(secret.toLowerCase())
  })

  it('of code, with its lines where they were', async () => {
    const root = join(folder, 'shop')
    mkdirSync(root)
    writeFileSync(
      join(root, 'deploy.ts'),
      `export const address = '${address}'\n\nexport function signIn() {\n  return fetch('https://api', { token: '${token}' })\n}\n`,
    )
    writeFileSync(join(root, 'plain.ts'), 'export const open = true\n')
    const indexed = await memory.call('memory', 'index_project', { path: root })
    expect(indexed).toMatchObject({ files_indexed: 2, masked: { 'github token': 1, password: 1 } })
    expect(await memory.call('memory', 'get_index_status', { project_id: 'shop' })).toMatchObject({
      masked_files: { 'deploy.ts': ['password', 'github token'] },
    })
    const found = await memory.call('memory', 'search_code', { query: 'signIn' })
    expect(JSON.stringify(found)).toContain(MARK)
    expect(found).toMatchObject({ results: [{ file_path: 'deploy.ts', end_line: 5 }, {}, {}] })
    await memory.close()
    for (const secret of [token, password]) expect(onDisk()).not.toContain(secret.toLowerCase())
    // Without masking the files are read again, and with it once more.
    await reopen({ maskSecrets: false })
    await memory.call('memory', 'index_project', { path: root })
    expect(JSON.stringify(await memory.call('memory', 'search_code', { query: 'signIn' }))).toContain(token)
    await memory.close()
    await reopen()
    await memory.call('memory', 'index_project', { path: root })
    expect(JSON.stringify(await memory.call('memory', 'search_code', { query: 'signIn' }))).not.toContain(token)
  })

  it('unless a setting says otherwise', async () => {
    await memory.close()
    await reopen({ maskSecrets: false })
    const stored = await memory.call('memory', 'store_memory', { content: `Deploy with ${token}` })
    expect(stored).not.toHaveProperty('masked')
    expect(await memory.call('memory', 'get_memory', { id: idOf(stored) })).toMatchObject({ content: `Deploy with ${token}` })
  })
})
