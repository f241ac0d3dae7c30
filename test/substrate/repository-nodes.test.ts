import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import { openSubstrate, type Substrate } from './bench.js'

let substrate: Substrate
let root: string
const answer = z.object({ data: z.object({ items: z.array(z.object({ title: z.string() })) }) })
const titles = async (query: string) => answer.parse(await substrate.ask('query', 'search', { query })).data.items.map(({ title }) => title)

beforeAll(async () => {
  substrate = await openSubstrate()
  root = await mkdtemp(join(tmpdir(), 'mneme-substrate-'))
  await mkdir(join(root, 'src', 'vault'), { recursive: true })
  await writeFile(join(root, 'src', 'vault', 'token_store.py'), 'class TokenStore:\n    pass\n')
  await writeFile(join(root, 'src', 'vault', 'lanternOil.ts'), 'export const oil = 1\n')
  await substrate.ask('ingest', 'repo', { path: root })
})
afterAll(async () => {
  await substrate.close()
  await rm(root, { recursive: true, force: true })
})

it('repair 6: a module of an ingested repository comes first for its path and for its dotted name', async () => {
  expect((await titles('src/vault/token_store.py'))[0]).toBe('src/vault/token_store.py')
  expect((await titles('src.vault.token_store'))[0]).toBe('src/vault/token_store.py')
  expect((await titles('SRC/vault/lanternOil.ts'))[0]).toBe('src/vault/lanternOil.ts')
})

it('repair 6: a module is found by parts of its path', async () => {
  expect(await titles('lantern oil')).toContain('src/vault/lanternOil.ts')
  expect(await titles('where is the token store of the vault')).toContain('src/vault/token_store.py')
})
