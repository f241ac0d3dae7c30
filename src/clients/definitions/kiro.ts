import { type Client, standard } from '../client.js'
import { ENTRY } from '../entry-name.js'
import { inHome } from '../machine.js'

export const kiro: Client = {
  name: 'kiro',
  title: 'Kiro',
  programs: ['kiro', 'kiro-cli'],
  traces: (machine) => [inHome(machine, '.kiro')],
  files: (machine) => [inHome(machine, '.kiro', 'settings', 'mcp.json')],
  projectFile: '.kiro/settings/mcp.json',
  format: 'json',
  key: ['mcpServers'],
  entry: standard({ http: (url) => ({ url }) }),
  link: (entry) => `https://kiro.dev/launch/mcp/add?name=${ENTRY}&config=${encodeURIComponent(JSON.stringify(entry))}`,
}
