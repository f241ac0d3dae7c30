import { type Client, standard } from '../client.js'
import { inHome } from '../machine.js'

export const factory: Client = {
  name: 'factory',
  title: 'Factory Droid',
  programs: ['droid'],
  traces: (machine) => [inHome(machine, '.factory')],
  files: (machine) => [inHome(machine, '.factory', 'mcp.json')],
  projectFile: '.factory/mcp.json',
  format: 'json',
  key: ['mcpServers'],
  entry: standard({ stdio: { type: 'stdio' }, http: (url) => ({ type: 'http', url }) }),
}
