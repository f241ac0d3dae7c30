import { type Client, standard } from '../client.js'
import { inEditions } from '../machine.js'

const STORAGE = ['globalStorage', 'rooveterinaryinc.roo-cline']

export const roo: Client = {
  name: 'roo',
  title: 'Roo Code',
  programs: [],
  traces: (machine) => inEditions(machine, ...STORAGE),
  files: (machine) => inEditions(machine, ...STORAGE, 'settings', 'mcp_settings.json'),
  projectFile: '.roo/mcp.json',
  format: 'json',
  key: ['mcpServers'],
  entry: standard({ http: (url) => ({ type: 'streamable-http', url }) }),
}
