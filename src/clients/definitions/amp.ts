import { type Client, standard, typed } from '../client.js'
import { ENTRY } from '../entry-name.js'
import { inConfig } from '../machine.js'

export const amp: Client = {
  name: 'amp',
  title: 'Amp',
  programs: ['amp'],
  traces: (machine) => [inConfig(machine, 'amp')],
  files: (machine) => [inConfig(machine, 'amp', 'settings.json')],
  format: 'json',
  // A single key that contains a dot.
  key: ['amp.mcpServers'],
  entry: standard({ http: (url) => ({ url }) }),
  ownCommand: (server) => `amp mcp add ${ENTRY} ${server.kind === 'stdio' ? `-- ${typed(server)}` : server.url}`,
}
