import { once } from 'node:events'
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Disk, realDisk } from '../../src/clients/disk.js'
import { createInstaller } from '../../src/clients/installer.js'
import { CLIENTS } from '../../src/clients/known-clients.js'
import { jsonConfig, tomlConfig, yamlConfig } from './config-arbitrary.js'
import { choice, contentsOf, homeWith, install, PROGRAM, quickDisk, server, uninstall } from './workbench.js'

// The check of an installation starts dist/main.js.
describe('install and uninstall', () => {
  it('restores every file and folder of every client', async () => {
    for (const client of CLIENTS) {
      const { home, machine, installer } = homeWith()
      for (const trace of client.traces(machine)) if (!trace.endsWith('.json')) mkdirSync(trace, { recursive: true })
      const before = contentsOf(home)
      const { changes } = await install(installer(), { names: [client.name] })
      expect(
        changes.map(({ action }) => action),
        client.name,
      ).toContain('installed')
      expect(
        installer()
          .list()
          .find((state) => state.client === client.name)?.state,
      ).toBe('installed')
      expect((await install(installer(), { names: [client.name] })).changes.map(({ action }) => action)).not.toContain('installed')
      await uninstall(installer())
      expect(contentsOf(home), client.name).toEqual(before)
      expect(existsSync(join(home, '.mneme', 'clients'))).toBe(false)
    }
  })

  it('restores 500 random files byte for byte', async () => {
    const cases = [
      { name: 'gemini', file: '.gemini/settings.json', configs: jsonConfig(['mcpServers']), runs: 250 },
      { name: 'codex', file: '.codex/config.toml', configs: tomlConfig('mcp_servers'), runs: 125 },
      { name: 'goose', file: '.config/goose/config.yaml', configs: yamlConfig('extensions', false), runs: 125 },
    ]
    for (const { name, file, configs, runs } of cases) {
      const { home, installer } = homeWith({ [file]: '' })
      await fc.assert(
        fc.asyncProperty(configs, async ({ text }) => {
          writeFileSync(join(home, file), text)
          const { changes } = await install(installer(quickDisk), { names: [name] })
          expect(changes[0]?.action).toBe('installed')
          await uninstall(installer(quickDisk), [name])
          expect(readFileSync(join(home, file), 'utf8')).toBe(text)
        }),
        { numRuns: runs },
      )
    }
  })

  it('works after other edits of the file, and removes only its own entry', async () => {
    const { home, installer, text } = homeWith({ '.cursor/mcp.json': '{\n  // mine\n  "mcpServers": {}\n}\n' })
    await install(installer())
    writeFileSync(
      join(home, '.cursor/mcp.json'),
      text('.cursor/mcp.json').replace('// mine', '// changed').replace('"mcp"', '"mcp", "--profile", "graph"'),
    )
    const { changes } = await uninstall(installer())
    expect(changes).toMatchObject([{ client: 'cursor', action: 'removed' }])
    expect(text('.cursor/mcp.json')).toBe('{\n  // changed\n  "mcpServers": {}\n}\n')
  })

  it('updates its entry, and still restores the original', async () => {
    const { installer, text } = homeWith({ '.cursor/mcp.json': '{}' })
    await install(installer())
    const { changes } = await install(installer(), { server: { ...server, args: [PROGRAM, 'mcp', '--profile', 'graph'] } })
    expect(changes).toMatchObject([{ action: 'updated' }])
    expect(text('.cursor/mcp.json')).toContain('"graph"')
    await uninstall(installer())
    expect(text('.cursor/mcp.json')).toBe('{}')
  })

  it('shows changes of a dry run and writes nothing', async () => {
    const { home, installer } = homeWith({ '.cursor/mcp.json': '{}' })
    const before = contentsOf(home)
    const { changes } = await install(installer(), { dryRun: true })
    expect(changes[0]?.diff?.join('\n')).toContain('+     "mneme": {')
    expect(contentsOf(home)).toEqual(before)
    expect(existsSync(join(home, '.mneme'))).toBe(false)
  })

  it('writes the file of a project at its root', async () => {
    const { home, installer } = homeWith({ '.cursor/mcp.json': '{}', 'work/.git/HEAD': '', 'work/deep/file': '' })
    const inside = createInstaller({
      disk: realDisk,
      machine: { platform: 'linux', home, env: {}, cwd: join(home, 'work/deep'), user: process.getuid?.() },
      dataDir: join(home, '.mneme'),
      program: PROGRAM,
    })
    await install(inside, { names: ['cursor'], project: true })
    expect(existsSync(join(home, 'work/.cursor/mcp.json'))).toBe(true)
    await inside.uninstall({ names: [], project: true, dryRun: false })
    expect(existsSync(join(home, 'work/.cursor'))).toBe(false)
    await expect(install(installer(), { names: ['claude-desktop'], project: true })).rejects.toThrow('not found')
  })

  it('connects to a server over HTTP if the client supports it', async () => {
    const { home, installer } = homeWith({ '.gemini/settings.json': '{}', '.config/Claude/x': '' })
    const { changes, notes } = await install(installer(), { server: { kind: 'http', url: 'http://127.0.0.1:1/mcp' } })
    expect(JSON.parse(readFileSync(join(home, '.gemini/settings.json'), 'utf8'))).toEqual({
      mcpServers: { mneme: { httpUrl: 'http://127.0.0.1:1/mcp' } },
    })
    expect(changes.map(({ client }) => client)).toEqual(['gemini'])
    expect(notes.join()).toContain('Claude Desktop was left out')
  })

  it('verifies with the command in the file', async () => {
    const { installer } = homeWith({ '.cursor/mcp.json': '{}' })
    const { check } = await installer().install({ ...choice, check: true, server: { ...server, command: '/no/such/node' } })
    expect(check).toMatchObject({ works: false, problem: expect.stringContaining('could not be started') })
    const started = await installer().install({
      ...choice,
      check: true,
      server: { ...server, args: [...server.args, '--data-dir', join(tmpdir(), `mneme-check-${process.pid}`)] },
    })
    expect(started.check).toMatchObject({ works: true })
    const narrow = await installer().install({
      ...choice,
      check: true,
      server: { ...server, args: [...server.args, '--profile', 'substrate', '--data-dir', join(tmpdir(), `mneme-check-${process.pid}`)] },
    })
    expect(narrow.check).toMatchObject({ works: true })
    rmSync(join(tmpdir(), `mneme-check-${process.pid}`), { recursive: true, force: true })
  })

  it('reports that a server requires a key', async () => {
    const { installer } = homeWith({ '.cursor/mcp.json': '{}' })
    const locked = createServer((_, answer) => answer.writeHead(401).end())
    await once(locked.listen(0, '127.0.0.1'), 'listening')
    const address = locked.address()
    const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/mcp`
    const { check } = await installer().install({ ...choice, check: true, server: { kind: 'http', url } })
    expect(check).toMatchObject({ works: false, problem: expect.stringContaining('mneme keys create') })
    locked.close()
  })
})

describe('careful writes', () => {
  it('follows links and keeps file permissions', async () => {
    const { home, installer } = homeWith({ 'dotfiles/mcp.json': '{}' })
    mkdirSync(join(home, '.cursor'))
    chmodSync(join(home, 'dotfiles/mcp.json'), 0o640)
    symlinkSync(join(home, 'dotfiles/mcp.json'), join(home, '.cursor/mcp.json'))
    await install(installer())
    expect(lstatSync(join(home, '.cursor/mcp.json')).isSymbolicLink()).toBe(true)
    expect(readFileSync(join(home, 'dotfiles/mcp.json'), 'utf8')).toContain('mneme')
    expect(statSync(join(home, 'dotfiles/mcp.json')).mode & 0o777).toBe(0o640)
  })

  it('retries while the file is in use, and gives up without changing it', async () => {
    const { home, installer, text } = homeWith({ '.cursor/mcp.json': '{}' })
    const busy = (times: number): Disk => {
      let left = times
      return {
        ...realDisk,
        move(from, to) {
          if (to === join(home, '.cursor/mcp.json') && left-- > 0) throw Object.assign(new Error('busy'), { code: 'EBUSY' })
          realDisk.move(from, to)
        },
      }
    }
    expect((await install(installer(busy(99)))).changes).toMatchObject([{ action: 'refused', problem: expect.stringContaining('EBUSY') }])
    expect(text('.cursor/mcp.json')).toBe('{}')
    expect(readdirSync(join(home, '.cursor'))).toEqual(['mcp.json'])
    expect((await install(installer(busy(2)))).changes).toMatchObject([{ action: 'installed' }])
  })

  it('does not overwrite a file that another program changes at the same time', async () => {
    const { home, installer, text } = homeWith({ '.cursor/mcp.json': '{}' })
    const racing: Disk = {
      ...realDisk,
      create(path, content, mode) {
        realDisk.create(path, content, mode)
        if (path.startsWith(join(home, '.cursor'))) writeFileSync(join(home, '.cursor/mcp.json'), '{"new": 1}')
      },
    }
    expect((await install(installer(racing))).changes).toMatchObject([
      { action: 'refused', problem: expect.stringContaining('was changed by another program') },
    ])
    expect(text('.cursor/mcp.json')).toBe('{"new": 1}')
  })

  it('writes the file of each edition of an editor, and reports several installations', async () => {
    const { home, machine } = homeWith({ '.config/Code/User/x': '', '.config/VSCodium/User/x': '', 'one/code': '', 'two/code': '' })
    const installer = createInstaller({
      disk: realDisk,
      machine: { ...machine, env: { PATH: `${home}/one:${home}/two` } },
      dataDir: join(home, '.mneme'),
      program: PROGRAM,
    })
    const { changes, notes } = await install(installer, { names: ['vscode'] })
    expect(changes.map(({ file }) => file)).toEqual([
      join(home, '.config/Code/User/mcp.json'),
      join(home, '.config/VSCodium/User/mcp.json'),
    ])
    expect(notes.join()).toContain('is installed 2 times')
  })
})

/** A disk whose process is killed before its nth change: that one may be half done, and nothing follows. */
function dyingAt(nth: number): Disk & { readonly steps: () => number } {
  let step = 0
  const killed = new Error('killed')
  const change = <A extends readonly unknown[]>(work: (...args: A) => void, half?: (...args: A) => void) => {
    return (...args: A): void => {
      step += 1
      if (step === nth) half?.(...args)
      if (step >= nth) throw killed
      work(...args)
    }
  }
  return {
    ...realDisk,
    makeFolder: change(realDisk.makeFolder),
    create: change(realDisk.create, (path, content, mode) => realDisk.create(path, content.subarray(0, content.length / 2), mode)),
    move: change(realDisk.move),
    remove: change(realDisk.remove),
    removeFolder: change(realDisk.removeFolder),
    steps: () => step,
  }
}

describe('kill at any write', () => {
  it('leaves the old or the new file, and both commands work afterwards', async () => {
    const before = '{\n  // mine\n  "mcpServers": { "other": {} }\n}\n'
    const whole = homeWith({ '.cursor/mcp.json': before })
    await install(whole.installer())
    const after = whole.text('.cursor/mcp.json')
    for (const act of ['install', 'uninstall'] as const) {
      for (let nth = 1, ended = false; !ended; nth++) {
        const { installer, text } = homeWith({ '.cursor/mcp.json': before })
        if (act === 'uninstall') await install(installer())
        const disk = dyingAt(nth)
        try {
          const report = act === 'install' ? await install(installer(disk)) : await uninstall(installer(disk))
          ended = disk.steps() < nth
          expect(ended || report.changes[0]?.action === 'refused').toBe(true)
        } catch {
          // The process is gone.
        }
        expect([before, after], `${act}, step ${nth}`).toContain(text('.cursor/mcp.json'))
        await install(installer())
        expect(text('.cursor/mcp.json')).toBe(after)
        await uninstall(installer())
        expect(text('.cursor/mcp.json')).toBe(before)
        expect(nth).toBeLessThan(50)
      }
    }
  })
})
