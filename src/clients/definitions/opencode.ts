import type { Client } from '../client.js'
import { HOOK_FORMS } from '../hook-table.js'
import { inConfig, type Machine } from '../machine.js'

/** The file named by a variable precedes those of the folder; all are read. */
const files = (machine: Machine): readonly string[] => {
  const configFile = machine.env.OPENCODE_CONFIG
  return configFile ? [configFile] : [inConfig(machine, 'opencode', 'opencode.json'), inConfig(machine, 'opencode', 'opencode.jsonc')]
}

export const opencode: Client = {
  name: 'opencode',
  title: 'OpenCode',
  programs: ['opencode'],
  traces: (machine) => [inConfig(machine, 'opencode')],
  files,
  onlyOne: true,
  projectFile: 'opencode.json',
  format: 'json',
  key: ['mcp'],
  entry: (server) =>
    server.kind === 'stdio'
      ? { type: 'local', command: [server.command, ...server.args], enabled: true }
      : { type: 'remote', url: server.url, enabled: true },
  hooks: {
    form: HOOK_FORMS.opencode,
    file: (machine) => inConfig(machine, 'opencode', 'plugins', 'mneme.js'),
    projectFile: '.opencode/plugins/mneme.js',
  },
}
