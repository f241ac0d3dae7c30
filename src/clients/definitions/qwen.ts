import { addCommand, type Client, standard } from '../client.js'
import { inHome } from '../machine.js'

export const qwen: Client = {
  name: 'qwen',
  title: 'Qwen Code',
  programs: ['qwen'],
  traces: (machine) => [inHome(machine, '.qwen')],
  files: (machine) => [inHome(machine, '.qwen', 'settings.json')],
  projectFile: '.qwen/settings.json',
  format: 'json',
  key: ['mcpServers'],
  entry: standard({ http: (url) => ({ httpUrl: url }) }),
  ownCommand: addCommand('qwen mcp add --scope user', ''),
}
