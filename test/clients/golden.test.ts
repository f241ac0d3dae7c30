import { describe, expect, it } from 'vitest'
import type { Server } from '../../src/clients/client.js'
import { serverEdit } from '../../src/clients/client.js'
import { putEntries } from '../../src/clients/edit/edit-config.js'
import { CLIENTS } from '../../src/clients/known-clients.js'
import type { Machine } from '../../src/clients/machine.js'

const HOMES = { linux: '/home/dana müller', darwin: '/Users/dana müller', win32: 'C:\\Users\\Dana Müller' } as const

const machineOf = (platform: Machine['platform']): Machine => ({
  platform,
  home: HOMES[platform],
  env: platform === 'win32' ? { APPDATA: 'C:\\Users\\Dana Müller\\AppData\\Roaming' } : {},
  cwd: HOMES[platform],
  user: undefined,
})

const commandOn = (platform: Machine['platform']): Server =>
  platform === 'win32'
    ? { kind: 'stdio', command: 'C:\\Program Files\\nodejs\\node.exe', args: ['C:\\Users\\Dana Müller\\mneme\\dist\\main.js', 'mcp'] }
    : { kind: 'stdio', command: '/usr/local/bin/node', args: [`${HOMES[platform]}/mneme/dist/main.js`, 'mcp'] }

const HTTP: Server = { kind: 'http', url: 'http://127.0.0.1:7077/mcp' }

/** Where each client keeps its servers and what is written there, as a reader can compare it with the client's own documentation. */
function sheetOf(platform: Machine['platform']): string {
  const machine = machineOf(platform)
  return CLIENTS.map((client) => {
    const text = (server: Server): string => {
      const entry = client.entry(server)
      return entry === undefined ? '(none)\n' : putEntries(client.format, '', [serverEdit(client, entry)]).text
    }
    return [
      `## ${client.title} (${client.name})`,
      ...client.files(machine).map((file) => `file: ${file}`),
      `project: ${client.projectFile ?? '(none)'}`,
      `found by: ${[...client.traces(machine), ...client.programs.map((name) => `command ${name}`)].join(', ')}`,
      text(commandOn(platform)).trimEnd(),
      'over HTTP:',
      text(HTTP).trimEnd(),
      ...(client.ownCommand === undefined ? [] : [`by its own command: ${client.ownCommand(commandOn(platform))}`]),
      ...(client.link === undefined ? [] : [`by a link: ${client.link(client.entry(commandOn(platform)) ?? {})}`]),
      '',
    ].join('\n')
  }).join('\n')
}

describe('files written for each client', () => {
  it.each(['linux', 'darwin', 'win32'] as const)('match the golden files on %s', async (platform) => {
    await expect(sheetOf(platform)).toMatchFileSnapshot(`../golden/clients/${platform}.txt`)
  })

  it('covers all supported clients', () => {
    expect(CLIENTS.map(({ name }) => name)).toEqual([
      'claude-code',
      'claude-desktop',
      'cursor',
      'vscode',
      'codex',
      'gemini',
      'opencode',
      'copilot',
      'windsurf',
      'zed',
      'cline',
      'roo',
      'continue',
      'goose',
      'junie',
      'amp',
      'qwen',
      'kiro',
      'lm-studio',
      'kilo',
      'openclaw',
      'hermes',
      'antigravity',
      'factory',
    ])
  })

  it('respects the environment variables of clients', () => {
    const at = (name: string, env: Machine['env']): string | undefined =>
      CLIENTS.find((client) => client.name === name)?.files({ ...machineOf('linux'), env })[0]
    expect(at('claude-code', { CLAUDE_CONFIG_DIR: '/c' })).toBe('/c/.claude.json')
    expect(at('codex', { CODEX_HOME: '/x' })).toBe('/x/config.toml')
    expect(at('copilot', { COPILOT_HOME: '/p' })).toBe('/p/mcp-config.json')
    expect(at('opencode', { OPENCODE_CONFIG: '/o.json' })).toBe('/o.json')
    expect(at('opencode', { XDG_CONFIG_HOME: '/cfg' })).toBe('/cfg/opencode/opencode.json')
  })

  it('never writes npx', () => {
    for (const platform of ['linux', 'darwin', 'win32'] as const) expect(sheetOf(platform)).not.toContain('npx')
  })
})
