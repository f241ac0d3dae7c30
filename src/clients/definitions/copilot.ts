import { addCommand, type Client, standard } from '../client.js'
import { HOOK_FORMS } from '../hook-table.js'
import { inFolderOf } from '../machine.js'

export const copilot: Client = {
  name: 'copilot',
  title: 'Copilot CLI',
  programs: ['copilot'],
  traces: (machine) => [inFolderOf(machine, 'COPILOT_HOME', '.copilot')],
  files: (machine) => [inFolderOf(machine, 'COPILOT_HOME', '.copilot', 'mcp-config.json')],
  projectFile: '.github/mcp.json',
  format: 'json',
  key: ['mcpServers'],
  entry: (server) => {
    const entry = standard({ stdio: { type: 'local' }, http: (url) => ({ type: 'http', url }) })(server)
    return entry === undefined ? undefined : { ...entry, tools: ['*'] }
  },
  ownCommand: addCommand('copilot mcp add'),
  hooks: {
    form: HOOK_FORMS.copilot,
    file: (machine) => inFolderOf(machine, 'COPILOT_HOME', '.copilot', 'hooks', 'mneme.json'),
    projectFile: '.github/hooks/mneme.json',
  },
}
