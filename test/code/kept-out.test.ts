import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { loadConfig } from '../../src/config.js'
import { openEngine } from '../../src/open.js'
import { call, makeProject, open, removeTemporaryFolders, temporaryFolder } from './workbench.js'

afterAll(removeTemporaryFolders)

describe('repair 14: what is kept out of the index', () => {
  it('leaves credential files out and counts them', async () => {
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

  it('refuses system folders and a whole home, through links too, and says the way out', async () => {
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

  it('lets a setting allow it', async () => {
    const ssh = join(temporaryFolder(), '.ssh')
    mkdirSync(ssh)
    writeFileSync(join(ssh, 'notes.md'), '# Hosts\n\nThe bastion is in Lyon.\n')
    const { config } = loadConfig({ flags: { dataDir: temporaryFolder('data'), embedder: 'hash', allowSystemFolders: true } })
    const engine = await openEngine(config, { log: { warn: () => undefined } })
    expect(await call(engine, 'index_project', { path: ssh })).toMatchObject({ files_indexed: 1 })
    await engine.close()
  })
})
