import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, it } from 'vitest'

const names = readdirSync('.', { withFileTypes: true }).flatMap(({ name }) => (hasExports(name) ? [name] : []))

function hasExports(name: string): boolean {
  try {
    return 'exports' in JSON.parse(readFileSync(`${name}/package.json`, 'utf8'))
  } catch {
    return false
  }
}

const program = (name: string): string => resolve('node_modules', '.bin', name)

it.each(['..', ...names])('%s is packed as npm and TypeScript expect it', (name) => {
  for (const [command, ...args] of [
    [program('publint'), 'run', '--strict', '--pack', 'npm'],
    [program('attw'), '--pack', '.', '--profile', 'esm-only', '--format', 'ascii'],
  ]) {
    const { status, stdout, stderr } = spawnSync(command ?? '', args, { cwd: name, encoding: 'utf8' })
    expect(status, `${stdout}${stderr}`).toBe(0)
  }
})
