import type { Client } from '../client.js'
import { ENTRY } from '../entry-name.js'
import { inAppData, inConfig, type Machine } from '../machine.js'

/** Timeout of a call, in seconds. */
const TIMEOUT_S = 300
const inFolder = (machine: Machine, ...parts: readonly string[]): string =>
  machine.platform === 'win32' ? inAppData(machine, 'Block', 'goose', 'config', ...parts) : inConfig(machine, 'goose', ...parts)

export const goose: Client = {
  name: 'goose',
  title: 'Goose',
  programs: ['goose'],
  traces: (machine) => [inFolder(machine)],
  files: (machine) => [inFolder(machine, 'config.yaml')],
  format: 'yaml',
  key: ['extensions'],
  entry: (server) =>
    server.kind === 'stdio'
      ? { type: 'stdio', name: ENTRY, cmd: server.command, args: [...server.args], envs: {}, enabled: true, timeout: TIMEOUT_S }
      : { type: 'streamable_http', name: ENTRY, uri: server.url, enabled: true, timeout: TIMEOUT_S },
  link: (entry) => {
    const args = Array.isArray(entry.args) ? entry.args.map((arg) => `&arg=${encodeURIComponent(String(arg))}`).join('') : ''
    return `goose://extension?cmd=${encodeURIComponent(String(entry.cmd))}${args}&id=${ENTRY}&name=${ENTRY}`
  },
}
