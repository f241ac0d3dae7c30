import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type LoadedConfig, loadConfig } from '../config.js'
import * as open from '../open.js'
import type { ConsoleCommand } from '../surfaces/cli/console-commands.js'
import { linkToRunning, openBrowser } from '../surfaces/console/open-console.js'
import { openHttpServer } from '../surfaces/http/server.js'
import type { Log } from '../surfaces/log.js'
import { waitForSignal } from '../surfaces/shutdown.js'
import { openHttpAuth } from './http-auth.js'
import { createHttpConsole } from './http-console.js'

interface ConsoleServerParts {
  readonly loaded: LoadedConfig
  readonly log: Log
  readonly contractNames: readonly string[]
  /** Prints a line at the terminal. */
  out(line: string): void
}

/** Opens the console of the server on the data directory; without one, serves it until stopped. */
export async function serveConsole(
  { open: opensBrowser, demo }: ConsoleCommand,
  { loaded: loadedConfig, log, contractNames, out }: ConsoleServerParts,
): Promise<void> {
  const loaded = demo === true ? await withDemo(loadedConfig, out) : loadedConfig
  const { config } = loaded
  const show = async (link: string): Promise<void> => {
    out(`Console: ${link}`)
    out('The link works once, for five minutes.')
    if (opensBrowser && !(await openBrowser(link))) out('No browser could be opened: open the link yourself.')
  }
  const running = await linkToRunning(config.dataDir)
  if (running !== undefined) return show(running)
  const signalled = waitForSignal()
  const contracts = await open.loadContracts(contractNames)
  const host = await open.openHost({ ...config, profile: [...config.profile, 'hooks'] }, { stays: true, served: true })
  const auth = await openHttpAuth(config, host).catch(async (error: unknown) => {
    await host.close()
    throw error
  })
  const { presence, extend } = createHttpConsole(loaded, contracts)
  const server = await openHttpServer({
    ...auth,
    ...{ host, log, contracts, extend, port: config.port, announce: out },
    access: { host: config.host, allowedHosts: config.allowedHosts, allowedOrigins: config.allowedOrigins },
    listening(url) {
      auth.listening(url)
      presence.announce(url)
    },
  })
  const link = (await auth.door.requiresKey()) ? `${server.url}/console/` : await linkToRunning(config.dataDir)
  await show(link ?? `${server.url}/console/`)
  await signalled
  presence.withdraw()
  await server.close()
}

const DEMO_DUPLICATE_THRESHOLD = 0.97

/** The same configuration on a store of example memories in a temporary folder. */
async function withDemo({ config }: LoadedConfig, out: (line: string) => void): Promise<LoadedConfig> {
  const folder = mkdtempSync(join(tmpdir(), 'mneme-demo-'))
  const demo = loadConfig({
    flags: {
      ...{ dataDir: join(folder, 'memory'), embedder: config.embedder, port: 0, host: '127.0.0.1', logLevel: config.logLevel },
      // Its sentences are made from frames, so that different ones resemble each other more than those of people.
      duplicateThreshold: DEMO_DUPLICATE_THRESHOLD,
    },
    env: {},
  })
  out('Storing example memories; nothing of your own memory is touched.')
  const { makeDemo } = await import('../demo/make-demo.js')
  await makeDemo({ config: demo.config, open: open.openEngine, repository: join(folder, 'atlas-api'), report: out })
  out(`The example memories are in ${folder}; delete the folder when you are done.`)
  return demo
}
