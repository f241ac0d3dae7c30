import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { loadConfig } from '../../src/config.js'
import { openEngine } from '../../src/open.js'
import { call, makeProject, open, removeTemporaryFolders, temporaryFolder } from './workbench.js'

afterAll(removeTemporaryFolders)

describe('files kept out of the index', () => {
  it('skips credential files and counts them', async () => {
    const root = makeProject('shop', {
      'src/shop.ts': 'export const open = () => "nine to five"\n',
      '.env': 'DOOR=4711-quince\n',
      '.env.example': 'DOOR=your-door-code\n',
      'deploy/staging.env': 'DOOR=4711-quince\n',
      'deploy/id_rsa': 'quince\n',
      'infra/prod.tfvars': 'door = "quince"\n',
      'credentials.json': '{"door": "quince"}\n',
    })
    const engine = await open(temporaryFolder('data'))
    await call(engine, 'index_project', { path: root })
    expect(await call(engine, 'get_index_status', { project_id: 'shop' })).toMatchObject({
      indexed_files: 1,
      files_skipped: { credentials: 5 },
    })
    expect(JSON.stringify(await call(engine, 'search_code', { query: 'quince' }))).not.toContain('quince')
    await engine.close()
  })

  it('rejects system folders and a whole home, also through links, and names the setting', async () => {
    const engine = await open(temporaryFolder('data'))
    const link = join(temporaryFolder(), 'harmless')
    symlinkSync('/etc', link)
    const ssh = join(temporaryFolder(), '.ssh')
    mkdirSync(ssh)
    for (const path of ['/etc', '/proc/self', link, homedir(), '~', ssh])
      await expect(call(engine, 'index_project', { path })).rejects.toMatchObject({
        code: 'invalid_input',
        message: expect.stringMatching(/^Not indexed: .* is a (system|whole home)? ?folder/),
        hint: expect.stringContaining('--allow-system-folders'),
      })
    expect(await call(engine, 'list_projects', {})).toMatchObject({ projects: [] })
    await engine.close()
  })

  it('a setting allows them', async () => {
    const ssh = join(temporaryFolder(), '.ssh')
    mkdirSync(ssh)
    writeFileSync(join(ssh, 'notes.md'), '# Hosts\n\nThe bastion is in Lyon.\n')
    const { config } = loadConfig({ flags: { dataDir: temporaryFolder('data'), embedder: 'hash', allowSystemFolders: true } })
    const engine = await openEngine(config, { log: { warn: () => undefined } })
    expect(await call(engine, 'index_project', { path: ssh })).toMatchObject({ files_indexed: 1 })
    await engine.close()
  })
})

describe('repair 22: folders that a caller may name', () => {
  it('exclude those of the store, also through links and parent folders', async () => {
    const data = temporaryFolder('data')
    const engine = await open(data)
    mkdirSync(join(data, 'projections'), { recursive: true })
    writeFileSync(join(data, 'projections', 'fact.md'), '# Secret of Bob\n\nThe quince is ripe.\n')
    const link = join(temporaryFolder(), 'link')
    symlinkSync(join(data, 'projections'), link)
    for (const path of [data, join(data, 'projections'), link])
      await expect(call(engine, 'index_project', { path })).rejects.toMatchObject({ code: 'forbidden' })
    await engine.close()
    // A project that holds the store is indexed without it.
    const root = makeProject('shop', { 'src/shop.ts': 'export const open = () => "nine to five"\n' })
    const inside = join(root, 'memory')
    mkdirSync(join(inside, 'projections'), { recursive: true })
    writeFileSync(join(inside, 'projections', 'fact.md'), '# Secret of Bob\n\nThe quince is ripe.\n')
    const second = await open(inside)
    await call(second, 'index_project', { path: root })
    expect(JSON.stringify(await call(second, 'search_code', { query: 'quince' }))).not.toContain('quince is ripe')
    expect(JSON.stringify(await call(second, 'search_code', { query: 'nine to five' }))).toContain('shop.ts')
    await second.close()
  })

  it('lie below the roots of a server, as those of memory_ingest do', async () => {
    const [inside, outside] = [
      makeProject('inside', { 'a.ts': 'export const a = 1\n' }),
      makeProject('outside', { 'b.ts': 'export const b = 1\n' }),
    ]
    const config = (flags: object) =>
      loadConfig({ flags: { dataDir: temporaryFolder('data'), embedder: 'none', ...flags }, env: {} }).config
    const rootless = await openEngine(config({}), { served: true })
    await expect(call(rootless, 'index_project', { path: inside })).rejects.toMatchObject({ code: 'forbidden' })
    await rootless.close()
    const rooted = await openEngine(config({ ingestRoots: [inside] }), { served: true })
    expect(await call(rooted, 'index_project', { path: inside })).toMatchObject({ files_indexed: 1 })
    for (const path of [outside, join(outside, 'b.ts'), join(outside, 'absent')])
      await expect(call(rooted, 'index_project', { path }), path).rejects.toMatchObject({ code: 'forbidden' })
    await expect(call(rooted, 'index_project', { path: join(inside, 'absent') })).rejects.toMatchObject({ code: 'invalid_input' })
    await rooted.close()
  })
})
