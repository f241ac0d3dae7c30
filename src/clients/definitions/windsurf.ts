import { type Client, standard } from '../client.js'
import { HOOK_FORMS } from '../hook-table.js'
import { inHome } from '../machine.js'

export const windsurf: Client = {
  name: 'windsurf',
  title: 'Windsurf',
  programs: ['windsurf'],
  traces: (machine) => [inHome(machine, '.codeium', 'windsurf')],
  files: (machine) => [inHome(machine, '.codeium', 'windsurf', 'mcp_config.json')],
  format: 'json',
  key: ['mcpServers'],
  entry: standard({ http: (url) => ({ serverUrl: url }) }),
  hooks: {
    form: HOOK_FORMS.windsurf,
    file: (machine) => inHome(machine, '.codeium', 'windsurf', 'hooks.json'),
    projectFile: '.windsurf/hooks.json',
  },
}
