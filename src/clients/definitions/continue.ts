import { type Client, standard } from '../client.js'
import { ENTRY } from '../entry-name.js'
import { inHome } from '../machine.js'

export const continueDev: Client = {
  name: 'continue',
  title: 'Continue',
  programs: ['cn'],
  traces: (machine) => [inHome(machine, '.continue')],
  files: (machine) => [inHome(machine, '.continue', 'config.yaml')],
  format: 'yaml',
  key: ['mcpServers'],
  listedBy: 'name',
  entry: (server) => {
    const entry = standard({ http: (url) => ({ type: 'streamable-http', url }) })(server)
    return entry === undefined ? undefined : { name: ENTRY, ...entry }
  },
}
