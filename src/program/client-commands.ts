import { homedir } from 'node:os'
import { fileURLToPath } from 'node:url'
import { realDisk } from '../clients/disk.js'
import { createInstaller } from '../clients/installer.js'
import { commandOf } from '../clients/launch.js'
import type { Machine } from '../clients/machine.js'
import type { LoadedConfig } from '../config.js'
import type { ClientCommands } from '../surfaces/cli/client-commands.js'

/** Settings passed to a client's process if they were set here, because it sees neither this shell nor its flags. */
const PASSED_ON = [
  ['dataDir', '--data-dir'],
  ['database', '--database'],
  ['profile', '--profile'],
  ['capture', '--capture'],
  ['captureTurnDays', '--capture-turn-days'],
] as const

/** The installer for this machine and this copy of the program. */
export function createClientCommands({ config, origins }: LoadedConfig): ClientCommands {
  const script = fileURLToPath(new URL('../../dist/main.js', import.meta.url))
  const flags = PASSED_ON.flatMap(([key, flag]) => (/^(?:flag|environment)/.test(origins[key]) ? [flag, String(config[key] ?? '')] : []))
  const installer = createInstaller({ disk: realDisk, machine: thisMachine(), dataDir: config.dataDir, program: script })
  const serverFor = (http: boolean) =>
    http
      ? ({ kind: 'http', url: `http://${config.host.includes(':') ? `[${config.host}]` : config.host}:${config.port}/mcp` } as const)
      : commandOf(realDisk, { node: process.execPath, script, flags })
  const hookCommand = () => {
    const { command } = commandOf(realDisk, { node: process.execPath, script, flags: [] })
    return { command, args: [script, 'hook'], flags, windows: process.platform === 'win32' }
  }
  return {
    install: ({ http, ...choice }) => installer.install({ ...choice, server: serverFor(http), hookCommand: hookCommand(), check: true }),
    uninstall: (choice) => installer.uninstall(choice),
    list: () => installer.list(),
    print: (names, http) => installer.print(names, serverFor(http)),
  }
}

function thisMachine(): Machine {
  const { platform } = process
  return {
    platform: platform === 'win32' || platform === 'darwin' ? platform : 'linux',
    home: homedir(),
    env: process.env,
    cwd: process.cwd(),
    user: process.getuid?.(),
  }
}
