import { type Client, standard } from '../client.js'
import { ENTRY } from '../entry-name.js'
import { inEditions } from '../machine.js'

export const vscode: Client = {
  name: 'vscode',
  title: 'VS Code',
  programs: ['code', 'code-insiders', 'codium'],
  traces: (machine) => inEditions(machine),
  files: (machine) => inEditions(machine, 'mcp.json'),
  projectFile: '.vscode/mcp.json',
  format: 'json',
  key: ['servers'],
  entry: standard({ stdio: { type: 'stdio' }, http: (url) => ({ type: 'http', url }) }),
  ownCommand: (server) => `code --add-mcp '${JSON.stringify({ name: ENTRY, ...vscode.entry(server) })}'`,
  link: (entry) => `vscode:mcp/install?${encodeURIComponent(JSON.stringify({ name: ENTRY, ...entry }))}`,
}
