import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type Disk, realDisk } from '../../src/clients/disk.js'
import { homeWith, install, uninstall } from './workbench.js'

// The check of an installation starts dist/main.js.
describe('files left unchanged', () => {
  const refusal = async (content: string | Buffer, prepare: (path: string) => void = () => undefined) => {
    const { home, installer } = homeWith({ '.cursor/mcp.json': content, '.gemini/settings.json': '{}' })
    const path = join(home, '.cursor/mcp.json')
    prepare(path)
    const before = existsSync(path) ? readFileSync(path) : null
    const { changes } = await install(installer())
    expect(existsSync(path) ? readFileSync(path) : null).toEqual(before)
    // The others are not held up.
    expect(changes.find(({ client }) => client === 'gemini')?.action).toBe('installed')
    return changes.find(({ client }) => client === 'cursor')
  }

  it.each([
    ['broken syntax, with its line', '{\n "a": 1,\n "b" 2\n}', /line 3: not valid JSON.*Nothing was changed/],
    ['a file that is not UTF-8', Buffer.from('{"a": "\u00e4"}', 'latin1'), /not UTF-8/],
    ['UTF-16', Buffer.from('\uFEFF{}', 'utf16le'), /not UTF-8/],
    ['the servers twice', '{"mcpServers": {},\n"mcpServers": {}}', /line 2: "mcpServers" is there twice/],
  ])('%s', async (_, content, problem) => {
    expect(await refusal(content)).toMatchObject({ action: 'refused', problem: expect.stringMatching(problem) })
  })

  it('broken files without an entry, on uninstall', async () => {
    const { home, installer, text } = homeWith({
      '.cursor/mcp.json': '{ "a"',
      '.gemini/settings.json': '{}',
      '.qwen/settings.json': '{ "mneme"',
    })
    chmodSync(join(home, '.gemini/settings.json'), 0o444)
    expect((await uninstall(installer())).changes).toMatchObject([{ client: 'qwen', action: 'refused' }])
    expect(text('.cursor/mcp.json')).toBe('{ "a"')
  })

  it('hooks of a client whose server was rejected', async () => {
    const { home, installer } = homeWith({ '.cursor/mcp.json': '{ "a"', '.codex/config.toml': '[mcp_servers.mneme]\ncommand = "docker"\n' })
    const { changes, notes } = await install(installer(), { hooks: true })
    expect(changes.map(({ client, action }) => [client, action])).toEqual([
      ['cursor', 'refused'],
      ['codex', 'refused'],
    ])
    expect(notes).toEqual(['The hooks of Cursor were left out with it.', 'The hooks of Codex were left out with it.'])
    expect(existsSync(join(home, '.cursor/hooks.json')) || existsSync(join(home, '.codex/hooks.json'))).toBe(false)
  })

  it('a read-only file', async () => {
    expect(await refusal('{}', (path) => chmodSync(path, 0o444))).toMatchObject({
      action: 'refused',
      problem: expect.stringContaining('is read-only'),
    })
  })

  it('include a dangling link and a folder', async () => {
    const dangling = await refusal('{}', (path) => {
      rmSync(path)
      symlinkSync(`${path}.gone`, path)
    })
    expect(dangling?.problem).toContain('is a link to a file that is not there')
    const folder = homeWith({ '.cursor/mcp.json/x': '' })
    expect((await install(folder.installer())).changes).toMatchObject([
      { action: 'refused', problem: expect.stringContaining('is not a file') },
    ])
  })

  it('repair 34: a project file that links outside of the project', async () => {
    const { home, installer, text } = homeWith({ '.claude.json': '{}', 'outside.json': '{}', 'work/.git/config': '' })
    symlinkSync('../outside.json', join(home, 'work/.mcp.json'))
    const { changes } = await install(installer(), { names: ['claude-code'], project: true })
    expect(changes).toMatchObject([{ action: 'refused', problem: expect.stringContaining('leads out of the project') }])
    expect(text('outside.json')).toBe('{}')
    rmSync(join(home, 'work/.mcp.json'))
    writeFileSync(join(home, 'work/inside.json'), '{}')
    symlinkSync('inside.json', join(home, 'work/.mcp.json'))
    expect((await install(installer(), { names: ['claude-code'], project: true })).changes).toMatchObject([{ action: 'installed' }])
  })

  it.each([
    [
      'that expand without end',
      `a: &a [x,x,x,x,x,x,x,x,x]\n${[...'bcdefghi'].map((name, n) => `${name}: &${name} [${Array(9).fill(`*${'abcdefgh'[n]}`).join(',')}]`).join('\n')}\n`,
    ],
    ['of themselves', 'a: &a [*a]\n'],
    ['without an anchor', 'a: *b\n'],
  ])('YAML with aliases %s', async (_, content) => {
    const { installer, text } = homeWith({ '.config/goose/config.yaml': content })
    const { changes } = await install(installer(), { names: ['goose'] })
    expect(changes).toMatchObject([{ action: 'refused', problem: expect.stringMatching(/not valid YAML|aliases cannot be resolved/) }])
    expect(text('.config/goose/config.yaml')).toBe(content)
  })

  it('repair 39: a pipe, which is never read', async () => {
    const { home, installer } = homeWith({ '.cursor/x': '' })
    execFileSync('mkfifo', [join(home, '.cursor/mcp.json')])
    for (const { changes } of [await uninstall(installer(), ['cursor']), await install(installer())])
      expect(changes[0]).toMatchObject({ action: 'refused', problem: expect.stringContaining('is not a file') })
  })

  it.each([
    ['lists', `{"a": ${'['.repeat(5000)}${']'.repeat(5000)}}`],
    ['objects', `${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}`],
  ])('repair 39: thousands of nested %s', async (_, content) => {
    expect(await refusal(content)).toMatchObject({ action: 'refused', problem: expect.stringContaining('nested more than 200 levels') })
  })

  it('include a file of another user', async () => {
    const { installer } = homeWith({ '.cursor/mcp.json': '{}' })
    const foreign: Disk = { ...realDisk, look: (path) => ({ ...realDisk.look(path), owner: 4711 }) }
    expect((await install(installer(foreign))).changes).toMatchObject([
      { action: 'refused', problem: expect.stringContaining('belongs to another user') },
    ])
  })

  it('a file with another mneme, unless --replace is set; uninstall restores it', async () => {
    const other = '{"mcpServers": {"mneme": {"command": "docker", "args": ["run", "other/mneme"]}}}'
    const { installer, text } = homeWith({ '.cursor/mcp.json': other })
    expect((await install(installer())).changes).toMatchObject([
      { action: 'refused', problem: expect.stringContaining('another server of the name mneme') },
    ])
    expect((await uninstall(installer())).changes).toMatchObject([{ action: 'refused' }])
    expect(text('.cursor/mcp.json')).toBe(other)
    expect(
      installer()
        .list()
        .find(({ client }) => client === 'cursor'),
    ).toMatchObject({ state: 'other' })
    expect((await install(installer(), { replace: true })).changes).toMatchObject([{ action: 'updated' }])
    await uninstall(installer())
    expect(text('.cursor/mcp.json')).toBe(other)
  })

  it('include those of a missing or unknown client', async () => {
    const { installer } = homeWith()
    await expect(install(installer(), { names: ['cursor'] })).rejects.toThrow(/Cursor was not found on this machine/)
    await expect(install(installer(), { names: ['emacs'] })).rejects.toThrow('There is no client "emacs"')
    await expect(install(installer())).rejects.toThrow('None of the clients')
  })
})
