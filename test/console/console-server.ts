import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { loadConfig } from '../../src/config.js'
import { makeDemo } from '../../src/demo/make-demo.js'
import { openEngine } from '../../src/open.js'
import { removeTemporaryFolders, startProgram, temporaryFolder } from '../wire/program.js'

export interface ConsoleServer {
  readonly folder: string
  readonly url: string
  /** A one-time code, as `mneme console` gets it. */
  code(): Promise<string>
  /** Signs in and answers the cookie. */
  signIn(proof?: { readonly key: string }): Promise<string>
  call(cookie: string, tool: string, input: object, headers?: Readonly<Record<string, string>>): Promise<Response>
  stop(): Promise<void>
}

export interface ServerOptions {
  /** An existing data directory. */
  readonly folder?: string
  readonly demo?: boolean
  /** Named as the setting; without a model unless given. */
  readonly embedder?: 'hash' | 'local'
  readonly flags?: readonly string[]
}

export async function startConsoleServer({
  folder = temporaryFolder(),
  demo = false,
  embedder = 'hash',
  flags = [],
}: ServerOptions = {}): Promise<ConsoleServer> {
  if (demo) {
    const { config } = loadConfig({ flags: { dataDir: folder, embedder, logLevel: 'error' }, env: {} })
    await makeDemo({ config, open: openEngine, repository: join(temporaryFolder(), 'atlas-api'), report: () => undefined })
  }
  const program = startProgram(['serve', '--data-dir', folder, '--port', '0', '--embedder', embedder, ...flags])
  await program.sawError('listening on ')
  const url = /listening on (\S+)/.exec(program.err())?.[1] ?? ''
  const notice = (): { readonly secret: string } => JSON.parse(readFileSync(join(folder, 'server.json'), 'utf8'))
  const code = async (): Promise<string> => {
    const response = await fetch(`${url}/console/code`, { method: 'POST', headers: { Authorization: `Bearer ${notice().secret}` } })
    const answer: { readonly code: string } = JSON.parse(await response.text())
    return answer.code
  }
  const page = { Origin: url, 'Sec-Fetch-Site': 'same-origin', 'Content-Type': 'application/json' }
  return {
    folder,
    url,
    code,
    async signIn(proof) {
      const body = JSON.stringify(proof ?? { code: await code() })
      const response = await fetch(`${url}/console/session`, { method: 'POST', headers: page, body })
      if (!response.ok) throw new Error(await response.text())
      return response.headers.get('set-cookie')?.split(';')[0] ?? ''
    },
    call: (cookie, tool, input, headers = {}) =>
      fetch(`${url}/console/api/${tool}`, {
        method: 'POST',
        headers: { ...page, Cookie: cookie, ...headers },
        body: JSON.stringify(input),
      }),
    async stop() {
      program.child.kill('SIGTERM')
      await program.ended()
    },
  }
}

export { removeTemporaryFolders }
