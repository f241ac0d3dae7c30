import { type Client, standard } from '../client.js'
import { inHome } from '../machine.js'

/** Versions use different folders. */
const FOLDERS = ['antigravity', 'config']

export const antigravity: Client = {
  name: 'antigravity',
  title: 'Antigravity',
  programs: ['antigravity', 'agy'],
  traces: (machine) => FOLDERS.map((folder) => inHome(machine, '.gemini', folder)),
  files: (machine) => FOLDERS.map((folder) => inHome(machine, '.gemini', folder, 'mcp_config.json')),
  format: 'json',
  key: ['mcpServers'],
  entry: standard({ http: (url) => ({ serverUrl: url }) }),
}
