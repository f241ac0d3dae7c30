import { type Client, standard } from '../client.js'
import { inEditions, inHome, type Machine } from '../machine.js'

const STORAGE = ['globalStorage', 'saoudrizwan.claude-dev']
const inCommandLine = (machine: Machine, ...parts: readonly string[]): string => inHome(machine, '.cline', 'data', 'settings', ...parts)

export const cline: Client = {
  name: 'cline',
  title: 'Cline',
  programs: ['cline'],
  traces: (machine) => [...inEditions(machine, ...STORAGE), inHome(machine, '.cline')],
  files: (machine) => [
    ...inEditions(machine, ...STORAGE, 'settings', 'cline_mcp_settings.json'),
    inCommandLine(machine, 'cline_mcp_settings.json'),
  ],
  format: 'json',
  key: ['mcpServers'],
  entry: (server) => {
    const entry = standard({ http: (url) => ({ type: 'streamableHttp', url }) })(server)
    return entry === undefined ? undefined : { ...entry, disabled: false }
  },
}
