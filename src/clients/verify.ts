import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import type { Server } from './client.js'

const WITHIN_MS = 30_000
const CLOSING_MS = 5000
const KEY_ADVICE = 'Make one with mneme keys create, and add it to the entry as the header "Authorization: Bearer <key>".'

export interface Verdict {
  readonly works: boolean
  readonly tools: number
  readonly problem?: string
}

type Variables = Readonly<Record<string, string | undefined>>

const INITIALIZE_REQUEST = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'mneme-install', version: '1' } },
}
const INITIALIZED_NOTICE = { jsonrpc: '2.0', method: 'notifications/initialized' }
const LIST_REQUEST = { jsonrpc: '2.0', id: 2, method: 'tools/list' }

/** Starts the configured server as the client would, and lists its tools. */
export async function verify(server: Server, env: Variables): Promise<Verdict> {
  return server.kind === 'stdio' ? verifyCommand(server, env) : verifyAddress(server.url)
}

function verifyCommand(
  { command, args }: { readonly command: string; readonly args: readonly string[] },
  env: Variables,
): Promise<Verdict> {
  return new Promise((resolve) => {
    // As from a desktop, without the path of this shell.
    const child = spawn(command, [...args], {
      stdio: ['pipe', 'pipe', 'pipe'],
      windowsHide: true,
      // The check leaves no process behind.
      env: { ...env, MNEME_SHARED: 'off' },
    })
    let errorOutput = ''
    let isOver = false
    const end = (verdict: Verdict): void => {
      if (isOver) return
      isOver = true
      clearTimeout(timer)
      // The server closes its store when its client disconnects.
      child.stdin.end()
      const killer = setTimeout(() => child.kill('SIGKILL'), CLOSING_MS)
      child.once('close', () => {
        clearTimeout(killer)
        resolve(verdict)
      })
      if (child.exitCode !== null || child.pid === undefined) resolve(verdict)
    }
    const fail = (problem: string): void =>
      end({
        works: false,
        tools: 0,
        problem: errorOutput === '' ? problem : `${problem} It errorOutput: ${errorOutput.trim().slice(0, 500)}`,
      })
    const timer = setTimeout(() => fail(`It did not answer within ${WITHIN_MS / 1000} s.`), WITHIN_MS)
    child.on('error', (failure) => fail(`It could not be started: ${failure.message}.`))
    child.on('exit', (code) => fail(`It ended with code ${code}.`))
    child.stderr.on('data', (chunk) => {
      errorOutput += String(chunk)
    })
    child.stdin.on('error', () => undefined)
    createInterface({ input: child.stdout }).on('line', (line) => {
      const tools = toolsIn(line)
      if (tools !== undefined) end(verdictOn(tools))
    })
    child.stdin.write([INITIALIZE_REQUEST, INITIALIZED_NOTICE, LIST_REQUEST].map((message) => `${JSON.stringify(message)}\n`).join(''))
  })
}

async function verifyAddress(url: string): Promise<Verdict> {
  try {
    const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
    const ask = (message: object, session: string | null): Promise<Response> =>
      fetch(url, {
        method: 'POST',
        headers: { ...headers, ...(session === null ? {} : { 'mcp-session-id': session }) },
        body: JSON.stringify(message),
        signal: AbortSignal.timeout(WITHIN_MS),
      })
    const hello = await ask(INITIALIZE_REQUEST, null)
    if (hello.status === 401) return { works: false, tools: 0, problem: `${url} wants a key. ${KEY_ADVICE}` }
    const session = hello.headers.get('mcp-session-id')
    await hello.text()
    await ask(INITIALIZED_NOTICE, session)
    const listed = await (await ask(LIST_REQUEST, session)).text()
    const tools = listed.split('\n').flatMap((line) => toolsIn(line.replace(/^data: /, '')) ?? [])
    return verdictOn(tools)
  } catch (failure) {
    const reason = failure instanceof Error ? (failure.cause instanceof Error ? failure.cause.message : failure.message) : String(failure)
    return { works: false, tools: 0, problem: `${url} does not answer (${reason}). Start it with: mneme serve` }
  }
}

const verdictOn = (tools: readonly string[]): Verdict =>
  tools.length > 0 ? { works: true, tools: tools.length } : { works: false, tools: 0, problem: 'It lists no tools.' }

/** The tool names in a response line; undefined for other lines. */
function toolsIn(line: string): readonly string[] | undefined {
  try {
    const message: unknown = JSON.parse(line)
    const result = memberOf(message, 'result')
    const tools = memberOf(result, 'tools')
    return memberOf(message, 'id') === LIST_REQUEST.id && Array.isArray(tools)
      ? tools.map((tool) => String(memberOf(tool, 'name')))
      : undefined
  } catch {
    return undefined
  }
}

const memberOf = (value: unknown, key: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined
