import { type Client, standard } from '../client.js'
import { inAppData } from '../machine.js'

export const claudeDesktop: Client = {
  name: 'claude-desktop',
  title: 'Claude Desktop',
  programs: [],
  traces: (machine) => [inAppData(machine, 'Claude')],
  files: (machine) => [inAppData(machine, 'Claude', 'claude_desktop_config.json')],
  format: 'json',
  key: ['mcpServers'],
  entry: standard(),
}
