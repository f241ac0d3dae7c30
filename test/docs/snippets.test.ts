import { spawnSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openServer } from '../client/both.js'
import { removeTemporaryFolders, runProgram, temporaryFolder } from '../wire/program.js'
import { type Block, blocksOf, pagePaths, read } from './documents.js'

const blocks = pagePaths().flatMap(blocksOf)
const inLanguage = (...languages: readonly string[]): readonly Block[] => blocks.filter(({ language }) => languages.includes(language))

let server: Awaited<ReturnType<typeof openServer>>
// Inside of the package, so that its own name resolves to it.
const folder = resolve('.cache', `snippets-${process.pid}`)
beforeAll(async () => {
  mkdirSync(folder, { recursive: true })
  server = await openServer('--profile', 'memory,mem0')
})
afterAll(async () => {
  await server.close()
  rmSync(folder, { recursive: true, force: true })
  removeTemporaryFolders()
})

interface Command {
  readonly page: string
  readonly words: readonly string[]
  readonly flags: readonly string[]
}

/** Every `mneme` command of a block; prompts, comments, environment and output are left out. */
function commandsIn({ page, text, language }: Block): readonly Command[] {
  const lines = text.split('\n').filter((line) => language !== 'console' || line.startsWith('$ '))
  return lines
    .flatMap((line) =>
      line
        .replace(/^\$ /, '')
        .replace(/(^|\s)#.*$/, '')
        .split(/&&|\||;/),
    )
    .map((part) => part.trim().replace(/^(?:[A-Z_]+=\S+ )+/, ''))
    .filter((part) => part.startsWith('mneme '))
    .map((part) => {
      const tokens = part.split(/\s+/).slice(1)
      const first = tokens.findIndex((token) => !/^[a-z][a-z_-]*$/.test(token))
      const words = first === -1 ? tokens : tokens.slice(0, first)
      return { page, words, flags: tokens.filter((token) => token.startsWith('--')).map((flag) => flag.split('=')[0] ?? '') }
    })
}

describe('commands in the documents', () => {
  const commands = inLanguage('sh', 'console').flatMap(commandsIn)

  it('name commands and flags that the program has', async () => {
    const settings = new Set([...read('docs/reference.md').matchAll(/^\| `(--[a-z-]+)`/gm)].map(([, flag]) => flag))
    const helps = new Map<string, string>()
    const helpOf = async (words: readonly string[]): Promise<string> => {
      const key = words.join(' ')
      const known = helps.get(key)
      if (known !== undefined) return known
      const { code, out } = await runProgram([...words, '--help', '--all'])
      const help = code === 0 ? out : ''
      helps.set(key, help)
      return help
    }
    const wrong: string[] = []
    for (const { page, words, flags } of commands) {
      if (words.length === 0 && flags.every((flag) => ['--help', '--version'].includes(flag))) continue
      // `mneme keys create` has words of its own, `mneme remember text` an argument.
      const names = words.slice(0, words[0] === 'call' ? 3 : ['keys', 'peers'].includes(words[0] ?? '') ? 2 : 1)
      const help = await helpOf(names)
      if (!help.startsWith('Usage: mneme ') || !help.includes(`mneme ${names.join(' ').split(' ')[0]}`))
        wrong.push(`${page}: mneme ${words.join(' ')}`)
      for (const flag of flags)
        if (!help.includes(flag) && !settings.has(flag) && flag !== '--help') wrong.push(`${page}: mneme ${names.join(' ')} ${flag}`)
    }
    expect(wrong).toEqual([])
    expect(commands.length).toBeGreaterThan(40)
    // One process per command.
  }, 600_000)

  it('of the first page run in their order', async () => {
    const dataDir = temporaryFolder()
    const [, terminal] = blocksOf('docs/start.md').filter(({ language }) => language === 'sh')
    const said: string[] = []
    for (const line of (terminal?.text ?? '').trim().split('\n')) {
      const args = [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, bare]) => quoted ?? bare ?? '').slice(1)
      const { code, out, err } = await runProgram([
        ...args,
        '--data-dir',
        dataDir,
        '--embedder',
        'hash',
        '--shared',
        'off',
        '--output',
        'text',
      ])
      expect(code, `${line}: ${err}`).toBe(0)
      said.push(out)
    }
    expect(said[1]).toContain('Staging runs Postgres 17')
  })
})

describe('programs in the documents', () => {
  const own = inLanguage('ts', 'js').filter(({ text }) =>
    [...text.matchAll(/from '([^']+)'/g)].every(([, name]) => /^mneme(\/client)?$/.test(name ?? '')),
  )

  it('compile against the published types', () => {
    const files = own.map(({ text }, index) => {
      const file = join(folder, `snippet-${index}.mts`)
      writeFileSync(file, `${text}\nexport {}\n`)
      return file
    })
    expect(files.length).toBeGreaterThan(4)
    const options = [
      '--noEmit',
      '--strict',
      '--module',
      'nodenext',
      '--target',
      'es2022',
      '--lib',
      'es2023,dom',
      '--types',
      'node',
      '--skipLibCheck',
    ]
    const { status, stdout } = spawnSync(process.execPath, ['node_modules/typescript/bin/tsc', '--ignoreConfig', ...options, ...files], {
      encoding: 'utf8',
    })
    expect(status, stdout).toBe(0)
  })

  it.each(own.map(({ page, text }, index) => [page, index, text] as const))('%s, program %i runs', async (_, index, text) => {
    const dataDir = temporaryFolder()
    const file = join(folder, `run-${index}.mjs`)
    writeFileSync(
      file,
      text
        .replaceAll('http://127.0.0.1:7077', server.url)
        .replaceAll("'./memory'", JSON.stringify(dataDir))
        .replaceAll("'file:./memory'", JSON.stringify(`file:${dataDir}`))
        .replace(/\nconst memory = connect\(engine[^\n]*/, '$&\nawait engine.close()'),
    )
    const { status, stdout, stderr } = spawnSync(process.execPath, [file], {
      encoding: 'utf8',
      env: { PATH: process.env.PATH, MNEME_EMBEDDER: 'hash' },
    })
    expect(status, stderr).toBe(0)
    if (text.includes('console.log(')) expect(stdout.trim()).not.toBe('')
  })

  it.runIf(spawnSync('/usr/bin/python3', ['-c', 'import httpx']).status === 0)('in Python run without errors', () => {
    for (const { page, text } of inLanguage('python')) {
      const file = join(folder, 'snippet.py')
      writeFileSync(file, text.replaceAll('http://127.0.0.1:7077', server.url))
      const env = { PATH: process.env.PATH, PYTHONPATH: resolve('packages/python'), PYTHONDONTWRITEBYTECODE: '1' }
      const { status, stdout, stderr } = spawnSync('/usr/bin/python3', [file], { encoding: 'utf8', env })
      expect(status, `${page}: ${stderr}`).toBe(0)
      expect(stdout.trim()).not.toBe('')
    }
  })

  it('in JSON and the dashboard parse, and the dashboard asks for metrics that are served', async () => {
    for (const { page, text } of inLanguage('json')) expect(() => JSON.parse(text), page).not.toThrow()
    const asked = new Set([...read('deploy/grafana.json').matchAll(/\b(?:mneme|nodejs|process)_[a-z0-9_]+/g)].map(([name]) => name))
    const served = await (await fetch(`${server.url}/metrics`)).text()
    const missing = [...asked].filter((name) => !served.includes(`# TYPE ${name.replace(/_bucket$/, '')} `))
    expect(missing).toEqual([])
  })
})
