import type { Client } from '../client.js'
import { inConfig } from '../machine.js'

export const kilo: Client = {
  name: 'kilo',
  title: 'Kilo Code',
  programs: ['kilo'],
  traces: (machine) => [inConfig(machine, 'kilo')],
  files: (machine) => [inConfig(machine, 'kilo', 'kilo.jsonc'), inConfig(machine, 'kilo', 'kilo.json')],
  onlyOne: true,
  projectFile: 'kilo.jsonc',
  format: 'json',
  key: ['mcp'],
  entry: (server) =>
    server.kind === 'stdio'
      ? { type: 'local', command: [server.command, ...server.args], enabled: true }
      : { type: 'remote', url: server.url, enabled: true },
}
