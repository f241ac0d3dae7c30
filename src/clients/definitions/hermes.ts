import { type Client, standard } from '../client.js'
import { inHome } from '../machine.js'

export const hermes: Client = {
  name: 'hermes',
  title: 'Hermes Agent',
  programs: ['hermes'],
  traces: (machine) => [inHome(machine, '.hermes')],
  files: (machine) => [inHome(machine, '.hermes', 'config.yaml')],
  format: 'yaml',
  key: ['mcp_servers'],
  entry: standard({ http: (url) => ({ url }) }),
}
