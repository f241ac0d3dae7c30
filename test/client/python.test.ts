import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { openServer } from './both.js'

const PYTHON = '/usr/bin/python3'
const FOLDER = resolve('packages/python')
const has = (...args: readonly string[]): boolean => spawnSync(PYTHON, args, { stdio: 'ignore' }).status === 0
const runs = has('-c', 'import httpx')
const checks = has('-m', 'mypy', '--version')
if (!runs || !checks) process.stderr.write('The Python client is not tested: /usr/bin/python3 needs the packages httpx and mypy.\n')

const servers: { close(): Promise<void> }[] = []
afterAll(async () => {
  for (const server of servers) await server.close()
})

async function python(
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<{ readonly code: number; readonly text: string }> {
  const child = spawn(PYTHON, args, { cwd: FOLDER, env: { PATH: process.env.PATH, PYTHONDONTWRITEBYTECODE: '1', ...env } })
  let text = ''
  child.stdout.setEncoding('utf8').on('data', (part: string) => (text += part))
  child.stderr.setEncoding('utf8').on('data', (part: string) => (text += part))
  const [code]: unknown[] = await once(child, 'close')
  return { code: Number(code), text }
}

it.runIf(runs)('the synchronous and asynchronous Python clients work with a running server', async () => {
  const server = await openServer()
  servers.push(server)
  const { code, text } = await python(['-m', 'unittest', 'discover', '-s', 'tests', '-t', '.'], {
    MNEME_TEST_URL: server.url,
    PYTHONPATH: FOLDER,
  })
  expect(code, text).toBe(0)
  expect(text).toMatch(/Ran \d+ tests/)
})

it.runIf(checks)('the Python client passes mypy in strict mode, and wrong arguments fail', async () => {
  const { code, text } = await python(['-m', 'mypy', '--strict', '--cache-dir=/dev/null', 'mneme_client', 'tests'])
  expect(code, text).toBe(0)
})
