import { addCommand, type Client, standard } from '../client.js'
import { HOOK_FORMS } from '../hook-table.js'
import { inHome, pathsOf } from '../machine.js'

export const claudeCode: Client = {
  name: 'claude-code',
  title: 'Claude Code',
  programs: ['claude'],
  traces: (machine) => [inHome(machine, '.claude.json'), inHome(machine, '.claude')],
  files: (machine) => {
    const folder = machine.env.CLAUDE_CONFIG_DIR
    return [folder ? pathsOf(machine).join(folder, '.claude.json') : inHome(machine, '.claude.json')]
  },
  projectFile: '.mcp.json',
  format: 'json',
  key: ['mcpServers'],
  entry: standard({ stdio: { type: 'stdio' }, http: (url) => ({ type: 'http', url }) }),
  ownCommand: addCommand('claude mcp add --scope user'),
  hooks: {
    form: HOOK_FORMS.claudeCode,
    file: (machine) => pathsOf(machine).join(machine.env.CLAUDE_CONFIG_DIR || inHome(machine, '.claude'), 'settings.json'),
    projectFile: '.claude/settings.json',
  },
}
