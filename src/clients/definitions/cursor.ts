import { base64, type Client, standard } from '../client.js'
import { ENTRY } from '../entry-name.js'
import { HOOK_FORMS } from '../hook-table.js'
import { inHome } from '../machine.js'

export const cursor: Client = {
  name: 'cursor',
  title: 'Cursor',
  programs: ['cursor', 'cursor-agent'],
  traces: (machine) => [inHome(machine, '.cursor')],
  files: (machine) => [inHome(machine, '.cursor', 'mcp.json')],
  projectFile: '.cursor/mcp.json',
  format: 'json',
  key: ['mcpServers'],
  entry: standard({ http: (url) => ({ url }) }),
  link: (entry) => `cursor://anysphere.cursor-deeplink/mcp/install?name=${ENTRY}&config=${encodeURIComponent(base64(entry))}`,
  hooks: { form: HOOK_FORMS.cursor, file: (machine) => inHome(machine, '.cursor', 'hooks.json'), projectFile: '.cursor/hooks.json' },
}
