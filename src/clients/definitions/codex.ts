import { type Client, standard, typed } from '../client.js'
import { ENTRY } from '../entry-name.js'
import { HOOK_FORMS } from '../hook-table.js'
import { inFolderOf } from '../machine.js'

export const codex: Client = {
  name: 'codex',
  title: 'Codex',
  programs: ['codex'],
  traces: (machine) => [inFolderOf(machine, 'CODEX_HOME', '.codex')],
  files: (machine) => [inFolderOf(machine, 'CODEX_HOME', '.codex', 'config.toml')],
  projectFile: '.codex/config.toml',
  format: 'toml',
  key: ['mcp_servers'],
  entry: standard({ http: (url) => ({ url }) }),
  ownCommand: (server) => `codex mcp add ${ENTRY} ${server.kind === 'stdio' ? `-- ${typed(server)}` : `--url ${server.url}`}`,
  hooks: {
    form: HOOK_FORMS.codex,
    file: (machine) => inFolderOf(machine, 'CODEX_HOME', '.codex', 'hooks.json'),
    projectFile: '.codex/hooks.json',
  },
}
