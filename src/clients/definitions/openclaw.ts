import { type Client, standard } from '../client.js'
import { inHome } from '../machine.js'

export const openclaw: Client = {
  name: 'openclaw',
  title: 'OpenClaw',
  programs: ['openclaw'],
  traces: (machine) => [inHome(machine, '.openclaw')],
  files: (machine) => [inHome(machine, '.openclaw', 'openclaw.json')],
  format: 'json',
  key: ['mcp', 'servers'],
  entry: standard({ http: (url) => ({ url, transport: 'streamable-http' }) }),
}
