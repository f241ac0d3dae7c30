import { execFileSync } from 'node:child_process'
import { chmodSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { realDisk } from '../../src/clients/disk.js'
import { createInstaller } from '../../src/clients/installer.js'
import { contentsOf, homeWith, install, PROGRAM, uninstall } from './workbench.js'

describe('hooks', () => {
  const FILES = {
    '.claude/settings.json':
      '{\n  "hooks": {\n    "Stop": [\n      { "hooks": [{ "type": "command", "command": "say done" }] }\n    ]\n  }\n}\n',
    '.codex/config.toml': 'model = "x"\n',
    '.gemini/settings.json': '{"ui": {}}\n',
    '.config/opencode/opencode.json': '{}',
    '.cursor/hooks.json': '{\n  "version": 1,\n  "hooks": {}\n}\n',
    '.copilot/mcp-config.json': '{}',
    '.codeium/windsurf/mcp_config.json': '',
  }

  it('are added and removed without other changes', async () => {
    const { home, installer, text } = homeWith(FILES)
    const before = contentsOf(home)
    const { changes } = await install(installer(), { hooks: true })
    expect(changes.filter(({ action }) => action === 'refused')).toEqual([])
    const settings = JSON.parse(text('.claude/settings.json'))
    expect(settings.hooks.Stop[0]).toEqual({ hooks: [{ type: 'command', command: 'say done' }] })
    expect(settings.hooks.Stop[1].hooks[0]).toMatchObject({ type: 'mcp_tool', server: 'mneme', tool: 'hook' })
    expect(settings.hooks.SessionStart[0].hooks[0]).toMatchObject({
      type: 'command',
      command: process.execPath,
      args: [PROGRAM, 'hook', 'claude-code'],
    })
    expect(Object.keys(JSON.parse(text('.gemini/settings.json')))).toEqual(['ui', 'mcpServers', 'hooks'])
    expect(Object.keys(JSON.parse(text('.codex/hooks.json')).hooks)).toContain('UserPromptSubmit')
    expect(text('.config/opencode/plugins/mneme.js')).toContain('chat.message')
    expect(JSON.parse(text('.copilot/hooks/mneme.json')).version).toBe(1)
    // Installed again without being asked for, they stay.
    expect((await install(installer())).changes.map(({ action }) => action)).not.toContain('updated')
    await uninstall(installer())
    expect(contentsOf(home)).toEqual(before)
  })

  it('quote the program for a shell', async () => {
    const { installer, text } = homeWith(FILES)
    const hookCommand = { command: "/o'brien/node", args: ['/a b/$x/main.js', 'hook'], flags: [], windows: false }
    await install(installer(), { hooks: true, hookCommand })
    const [{ bash, powershell }] = JSON.parse(text('.copilot/hooks/mneme.json')).hooks.agentStop
    expect(powershell).toBe("& '/o''brien/node' '/a b/$x/main.js' hook copilot agentStop")
    expect(execFileSync('sh', ['-c', `for word in ${bash}; do echo "$word"; done`], { encoding: 'utf8' })).toBe(
      "/o'brien/node\n/a b/$x/main.js\nhook\ncopilot\nagentStop\n",
    )
  })

  it('are removed from files edited since', async () => {
    const { home, installer, text } = homeWith(FILES)
    await install(installer(), { hooks: true })
    const edited = text('.claude/settings.json').replace('say done', 'say finished')
    writeFileSync(join(home, '.claude/settings.json'), edited)
    await uninstall(installer())
    expect(JSON.parse(text('.claude/settings.json'))).toEqual({
      hooks: { Stop: [{ hooks: [{ type: 'command', command: 'say finished' }] }] },
    })
  })

  it('are omitted and reported for a client that is too old', async () => {
    const { home, machine } = homeWith({ '.gemini/settings.json': '{}', 'bin/gemini': '#!/bin/sh\necho 0.20.1\n' })
    chmodSync(join(home, 'bin/gemini'), 0o755)
    const old = createInstaller({
      disk: realDisk,
      machine: { ...machine, env: { PATH: join(home, 'bin') } },
      dataDir: join(home, '.mneme'),
      program: PROGRAM,
    })
    const { changes, notes } = await install(old, { hooks: true })
    expect(changes).toMatchObject([{ client: 'gemini', action: 'installed' }])
    expect(notes.join()).toContain('Gemini CLI 0.20.1 is older than 0.61')
    expect(readFileSync(join(home, '.gemini/settings.json'), 'utf8')).not.toContain('BeforeAgent')
  })
})
