import { type Client, standard } from '../client.js'
import { inHome } from '../machine.js'

export const junie: Client = {
  name: 'junie',
  title: 'JetBrains Junie',
  programs: ['junie'],
  traces: (machine) => [inHome(machine, '.junie')],
  files: (machine) => [inHome(machine, '.junie', 'mcp', 'mcp.json')],
  projectFile: '.junie/mcp/mcp.json',
  format: 'json',
  key: ['mcpServers'],
  entry: standard(),
}
