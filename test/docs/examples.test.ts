import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { transformSync } from 'esbuild'
import { afterAll, beforeAll, expect, it } from 'vitest'

// Inside of the package, so that its own name resolves to it.
const folder = resolve('.cache', `examples-${process.pid}`)
const sources = readdirSync('examples').filter((name) => name.endsWith('.ts'))

// They start dist/main.js.
beforeAll(() => {
  mkdirSync(folder, { recursive: true })
  // As Node runs them from 22.18 on, on every version.
  for (const name of sources) {
    const { code } = transformSync(readFileSync(join('examples', name), 'utf8'), { loader: 'ts', format: 'esm', target: 'node20' })
    writeFileSync(
      join(folder, name.replace('.ts', '.mjs')),
      code.replaceAll("'./run-mneme.ts'", "'./run-mneme.mjs'").replaceAll('"./run-mneme.ts"', '"./run-mneme.mjs"'),
    )
  }
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function run(name: string): string {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(folder, `${name}.mjs`)], {
    encoding: 'utf8',
    env: { PATH: process.env.PATH, HOME: folder, MNEME_EMBEDDER: 'hash', MNEME_HOOK_RECALL_MS: '60000' },
  })
  expect(status, stderr).toBe(0)
  return stdout
}

it('the examples compile in strict mode', () => {
  const { status, stdout } = spawnSync(process.execPath, ['node_modules/typescript/bin/tsc', '-p', 'examples'], { encoding: 'utf8' })
  expect(status, stdout).toBe(0)
})

it('a chat recalls in one session what was said in another', () => {
  expect(run('chat-loop')).toContain('You told me: - On trains I always want a seat on the aisle.')
})

it('a support bot knows each customer alone, and forgets one on request', () => {
  expect(run('support-bot').trim().split('\n')).toEqual([
    '1001: The router of type B loses its connection every night.',
    expect.not.stringContaining('router'),
    'erased 1 of 1001: nothing is known',
    '1002 keeps: The invoice for March was paid twice.',
  ])
})

it('a coding agent receives earlier decisions at the start', () => {
  expect(run('coding-agent-hook')).toContain('use pnpm instead of npm')
})

it('members of a garden see its contents, others do not', () => {
  expect(run('team-server').trim().split('\n')).toEqual(['ann sees 1 bo sees 1 cy sees 0', 'without a key: This server asks for a key.'])
})

it('a node receives the public facts of another, and no local ones', () => {
  const [seventh, eighth] = run('federated-nodes').trim().split('\n')
  expect(seventh).toContain('"closed"')
  expect(eighth).toBe('south knows of bridge 8: []')
})

it('every example is listed', () => {
  const listed = readFileSync('examples/README.md', 'utf8')
  for (const name of sources) if (name !== 'run-mneme.ts') expect(listed).toContain(`\`${name}\``)
})
