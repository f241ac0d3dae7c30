import { base64, type Client, standard } from '../client.js'
import { ENTRY } from '../entry-name.js'
import { inHome } from '../machine.js'

export const lmStudio: Client = {
  name: 'lm-studio',
  title: 'LM Studio',
  programs: ['lms'],
  traces: (machine) => [inHome(machine, '.lmstudio'), inHome(machine, '.cache', 'lm-studio')],
  // Homes created before 0.3.6 keep the old location.
  files: (machine) => [inHome(machine, '.lmstudio', 'mcp.json'), inHome(machine, '.cache', 'lm-studio', 'mcp.json')],
  onlyOne: true,
  format: 'json',
  key: ['mcpServers'],
  entry: standard({ http: (url) => ({ url }) }),
  link: (entry) => `lmstudio://add_mcp?name=${ENTRY}&config=${encodeURIComponent(base64(entry))}`,
}
