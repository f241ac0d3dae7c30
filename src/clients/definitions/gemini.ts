import { addCommand, type Client, standard } from '../client.js'
import { HOOK_FORMS } from '../hook-table.js'
import { inHome } from '../machine.js'

export const gemini: Client = {
  name: 'gemini',
  title: 'Gemini CLI',
  programs: ['gemini'],
  traces: (machine) => [inHome(machine, '.gemini')],
  files: (machine) => [inHome(machine, '.gemini', 'settings.json')],
  projectFile: '.gemini/settings.json',
  format: 'json',
  key: ['mcpServers'],
  entry: standard({ http: (url) => ({ httpUrl: url }) }),
  ownCommand: addCommand('gemini mcp add --scope user', ''),
  hooks: { form: HOOK_FORMS.gemini, file: (machine) => inHome(machine, '.gemini', 'settings.json'), projectFile: '.gemini/settings.json' },
}
