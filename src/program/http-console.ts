import { fileURLToPath } from 'node:url'
import { describeConfig, type LoadedConfig } from '../config.js'
import type { Contract } from '../contracts/contract.js'
import { journalEvents } from '../contracts/event-stream.js'
import { addConsole } from '../surfaces/console/console.js'
import { createPresence, type Presence } from '../surfaces/console/presence.js'
import type { AppOptions } from '../surfaces/http/app.js'
import { addImports } from '../surfaces/http/imports.js'
import { createUploads } from '../surfaces/http/uploads.js'

/** Contracts that the console calls. */
const CONSOLE_CONTRACTS = ['console', 'admin', 'memory', 'access']

interface HttpConsole extends Required<Pick<AppOptions, 'extend'>> {
  readonly presence: Presence
}

/** The console of a server, and the notice with which local commands find it. */
export function createHttpConsole(loaded: LoadedConfig, contracts: readonly Contract[]): HttpConsole {
  const presence = createPresence(loaded.config.dataDir)
  const uploads = createUploads()
  const called = contracts.filter(({ name }) => CONSOLE_CONTRACTS.includes(name))
  return {
    presence,
    extend(app, parts) {
      addImports(app, { ...parts, uploads, contracts: called })
      addConsole(app, {
        ...parts,
        // The public URL is passed only if it differs from the address that requests name as host.
        publicUrl: loaded.config.publicUrl === undefined ? undefined : parts.publicUrl,
        contracts: called,
        uploads,
        events: journalEvents,
        folder: fileURLToPath(new URL('../console', import.meta.url)),
        presence,
        settings: () => describeConfig(loaded),
      })
    },
  }
}
