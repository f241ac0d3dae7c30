import { type Client, standard } from './client.js'
import { inHome } from './machine.js'

export const windsurf: Client = {
  name: 'windsurf',
  title: 'Windsurf',
  programs: ['windsurf'],
  traces: (machine) => [inHome(machine, '.codeium', 'windsurf')],
  files: (machine) => [inHome(machine, '.codeium', 'windsurf', 'mcp_config.json')],
  format: 'json',
  key: ['mcpServers'],
  entry: standard({ http: (url) => ({ serverUrl: url }) }),
}
