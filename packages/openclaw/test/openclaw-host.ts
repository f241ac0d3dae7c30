import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { fetchTool, nodeOf, registryAddress, run } from '../../../scripts/fetched-tools.mjs'

export const OPENCLAW = '2026.9.6'

const adapter = fileURLToPath(new URL('..', import.meta.url))

/** Paths of OpenClaw and of a Node that runs it; a reason if they cannot be downloaded. */
export async function fetchHost(): Promise<{ readonly node: string; readonly program: string } | string> {
  try {
    const program = await fetchTool(`openclaw@${OPENCLAW}`, 'openclaw', 'openclaw.mjs', '--omit=optional')
    return { node: await nodeOf('24'), program }
  } catch (failure) {
    if ((await registryAddress()) === undefined) return 'OpenClaw and Node 24 cannot be downloaded: the package registry cannot be reached'
    throw failure
  }
}

/** OpenClaw with its state in a temporary folder. */
export class Host {
  private readonly folder = mkdtempSync(join(tmpdir(), 'mneme-openclaw-'))
  private readonly env: Readonly<Record<string, string | undefined>>
  private gateway: ChildProcess | undefined
  /** What the gateway has written. */
  logged = (): string => ''

  constructor(
    private readonly node: string,
    private readonly program: string,
  ) {
    for (const name of ['home', 'state', 'tmp']) mkdirSync(join(this.folder, name))
    this.env = {
      ...process.env,
      // OpenClaw writes no log if it finds these.
      VITEST: undefined,
      NODE_ENV: undefined,
      PATH: [dirname(node), process.env.PATH].join(delimiter),
      HOME: join(this.folder, 'home'),
      TMPDIR: join(this.folder, 'tmp'),
      OPENCLAW_STATE_DIR: join(this.folder, 'state'),
      OPENCLAW_GATEWAY_TOKEN: 'secret',
      NO_COLOR: '1',
    }
  }

  /** Output of a command of OpenClaw. Fails with its whole output if the command fails. */
  command(...args: readonly string[]): Promise<string> {
    return run(this.node, [this.program, ...args], { cwd: this.folder, env: this.env })
  }

  /** The object that a command prints with `--json`. */
  async json(...args: readonly string[]): Promise<unknown> {
    const said = await this.command(...args, '--json')
    return JSON.parse(said.slice(said.indexOf('{')))
  }

  /** Installs the adapter as its users do: from its package. The host reads the package with npm under a time limit, which a busy machine may exceed. */
  async installAdapter(attempts = 5): Promise<string> {
    await run('npm', ['pack', '--pack-destination', this.folder], { cwd: adapter })
    const file = readdirSync(this.folder).find((name) => name.endsWith('.tgz')) ?? ''
    const install = (): Promise<string> =>
      this.command('plugins', 'install', `npm-pack:${join(this.folder, file)}`, '--force', '--accept-capabilities')
    for (let attempt = 1; ; attempt++) {
      try {
        return await install()
      } catch (failure) {
        if (attempt === attempts || !String(failure).includes('npm pack metadata read failed')) throw failure
      }
    }
  }

  configure(change: object): Promise<string> {
    return run('sh', ['-c', 'printf %s "$1" | "$2" "$3" config patch --stdin', 'sh', JSON.stringify(change), this.node, this.program], {
      cwd: this.folder,
      env: this.env,
    })
  }

  /** Starts the gateway and returns when it accepts requests. Its first start may give up on a busy machine; the next one continues. */
  async start(attempts = 5): Promise<void> {
    const port = String(await freePort())
    const gateway = spawn(this.node, [this.program, 'gateway', 'run', '--port', port, '--bind', 'loopback'], {
      cwd: this.folder,
      env: { ...this.env, OPENCLAW_GATEWAY_PORT: port },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    this.gateway = gateway
    let log = ''
    this.logged = () => log
    const take = (part: unknown): void => {
      log += String(part)
    }
    gateway.stdout.on('data', take)
    gateway.stderr.on('data', take)
    const ended = once(gateway, 'close')
    while (!log.includes('http server listening')) {
      await Promise.race([once(gateway.stdout, 'data'), once(gateway.stderr, 'data'), ended])
      if (gateway.exitCode === null) continue
      if (attempts > 1) return this.start(attempts - 1)
      throw new Error(`The gateway ended with ${gateway.exitCode}:\n${log}`)
    }
    Object.assign(this.env, { OPENCLAW_GATEWAY_PORT: port })
  }

  call(method: string, input: object): Promise<unknown> {
    return this.json('gateway', 'call', method, '--params', JSON.stringify(input))
  }

  /** One turn of an agent in a session of its own, through the gateway. */
  ask(session: string, message: string, agent = 'main'): Promise<string> {
    return this.command('agent', '--agent', agent, '--session-key', `agent:${agent}:${session}`, '--message', message)
  }

  async close(): Promise<void> {
    if (this.gateway && this.gateway.exitCode === null) {
      const ended = once(this.gateway, 'close')
      this.gateway.kill('SIGTERM')
      await ended
    }
    // Processes that the host started may still write.
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 250 })
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  return typeof address === 'object' && address !== null ? address.port : 0
}
