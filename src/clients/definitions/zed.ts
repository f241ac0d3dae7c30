import { type Client, standard } from '../client.js'
import { inAppData, inConfig, type Machine } from '../machine.js'

/** Only on Windows does its folder follow the desktop. */
const inFolder = (machine: Machine, ...parts: readonly string[]): string =>
  machine.platform === 'win32' ? inAppData(machine, 'Zed', ...parts) : inConfig(machine, 'zed', ...parts)

export const zed: Client = {
  name: 'zed',
  title: 'Zed',
  programs: ['zed', 'zeditor'],
  traces: (machine) => [inFolder(machine)],
  files: (machine) => [inFolder(machine, 'settings.json')],
  projectFile: '.zed/settings.json',
  format: 'json',
  key: ['context_servers'],
  entry: standard({ stdio: { source: 'custom' }, http: (url) => ({ source: 'custom', url }) }),
}
