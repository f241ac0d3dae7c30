import { Readable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { adminContract, fakeContract, fakeHost, memoryLog, otherContract } from '../../../test/surfaces/fake-host.js'
import { runCli } from './program.js'

async function run(argv: readonly string[], options: { stdin?: string; terminal?: boolean; progress?: boolean } = {}) {
  const all = [fakeContract, otherContract, adminContract]
  const host = fakeHost(all)
  const seen: { flags: Readonly<Record<string, unknown>>; served: string; loaded: string[] } = { flags: {}, served: '', loaded: [] }
  let out = ''
  let err = ''
  const code = await runCli(
    argv,
    {
      version: '1.2.3',
      operatorContracts: ['admin'],
      settings: [
        {
          key: 'dataDir',
          flag: '--data-dir',
          otherFlags: ['--folder'],
          variables: ['MNEME_DATA_DIR'],
          description: 'Where',
          toggle: false,
        },
        { key: 'forceModel', flag: '--force-model', otherFlags: [], variables: ['MNEME_FORCE_MODEL'], description: 'Force', toggle: true },
      ],
      contractNames: all.map(({ name }) => name),
      aliases: { say: 'fake/echo', status: 'fake/echo', absent: 'fake/not_there' },
      otherNames: {},
      loadContracts: async (names) => {
        seen.loaded.push(...names)
        return all.filter(({ name }) => names.includes(name))
      },
      listModels: async () => [{ model: 'tiny', dimensions: 3 }],
      configure: (flags) => {
        seen.flags = { ...flags }
        return {
          log: memoryLog(),
          owner: 'default',
          prepare: (_, input) => ({ ...input }),
          sharedProcess: async () => null,
          stopShared: async () => null,
          describeConfig: () => [{ key: 'dataDir', value: '/x', origin: 'default' }],
          openHost: async () => host,
          restore: async (backup) => ({ restored: '/x', from: backup, kept: null }),
          migrate: async (from, to) => ({ from, to }),
          answerHook: async (client, event) => {
            seen.served = `hook ${client} ${event}`
          },
          clients: async () => ({
            install: async (choice) => ({
              changes: choice.names.includes('good')
                ? [{ client: 'good', file: '/f', action: 'installed', diff: ['+ mneme'], backup: '/b' }]
                : [{ client: choice.names.join(), file: '/f', action: 'refused', problem: 'no' }],
              notes: [],
            }),
            uninstall: async () => ({ changes: [], notes: [] }),
            list: () => [{ client: 'a', title: 'A', state: 'found', file: '/f' }],
            print: (names) => names.map((client) => ({ client, text: '{}' })),
          }),
          serveMcp: async () => {
            seen.served = 'mcp'
          },
          serveConsole: async () => {
            seen.served = 'console'
          },
          serveHttp: async () => {
            seen.served = 'http'
          },
        }
      },
    },
    {
      input: Object.assign(Readable.from(options.stdin === undefined ? [] : [Buffer.from(options.stdin)]), {
        isTTY: options.stdin === undefined,
      }),
      outputIsTerminal: options.terminal ?? false,
      errorIsTerminal: options.progress ?? false,
      out: (text) => {
        out += text
      },
      err: (text) => {
        err += text
      },
    },
  )
  return { code, out, err, host, ...seen }
}

const inputOf = (out: string): unknown => {
  const answer: unknown = JSON.parse(out)
  return typeof answer === 'object' && answer !== null && 'input' in answer ? answer.input : undefined
}

describe('mneme call', () => {
  it('accepts input as JSON, flags, words and from stdin', async () => {
    const wanted = { text: 'a b', times: 2, user_id: 'u' }
    const json = JSON.stringify(wanted)
    for (const result of [
      await run(['call', 'fake', 'echo', '--json', json]),
      await run(['call', '--data-dir', 'd', 'fake', 'echo', 'a', 'b', '--times', '2', '--user-id', 'u']),
      await run(['call', 'fake', 'echo', '--json', '-'], { stdin: json }),
      await run(['call', 'fake', 'echo'], { stdin: json }),
      await run(['call', 'fake', 'echo', '--times=2', '--user-id', 'u'], { stdin: 'a b\n' }),
      await run(['call', 'fake', 'echo', '-', '--times=2', '--user-id', 'u'], { stdin: 'a b\n' }),
      await run(['call', 'fake', 'echo', '--json', '{"text":"old"}', '--text', 'a b', '--times', '2', '--user-id', 'u']),
    ]) {
      expect([result.code, result.err]).toEqual([0, ''])
      expect(inputOf(result.out)).toEqual(wanted)
      expect(result.host.closed).toBe(1)
    }
  })

  it('reads toggles, lists and objects', async () => {
    const { out } = await run(['call', 'fake', 'echo', '--loud', 'hi', '--tags', 'a', '--tags', 'b,c', '--extra', '{"k":[1]}'])
    expect(inputOf(out)).toEqual({ text: 'hi', loud: true, tags: ['a', 'b,c'], extra: { k: [1] } })
    expect(inputOf((await run(['call', 'fake', 'echo', 'hi', '--no-loud', '--tags', '["x"]'])).out)).toEqual({
      text: 'hi',
      loud: false,
      tags: ['x'],
    })
    expect(inputOf((await run(['call', 'fake', 'echo', 'hi', '--loud', 'false'])).out)).toEqual({ text: 'hi', loud: false })
  })

  it('does not interpret words that look like commands', async () => {
    expect(inputOf((await run(['say', 'call', 'fake', 'mom'])).out)).toEqual({ text: 'call fake mom' })
  })

  it('passes arguments after -- unchanged', async () => {
    expect(inputOf((await run(['say', '--', '--loud', 'is', '--no-loud'])).out)).toEqual({ text: '--loud is --no-loud' })
  })

  it('prints the usage after a mistaken call', async () => {
    const usage = 'Usage: mneme say|echo [options] [text...]. `mneme say --help` tells more.\n'
    expect((await run(['say'])).err).toBe(`Missing text: a string is required\n${usage}`)
    expect((await run(['say', '-rf is dangerous'])).err).toBe(
      `error: unknown option '-rf is dangerous'\nA text that begins with a dash goes behind --. ${usage}`,
    )
    expect((await run(['restore'])).err).toContain('Usage: mneme restore [options] <file>.')
    expect((await run(['nonsense'])).err).toContain('`mneme --help` tells more.')
  })

  it.each([
    [['call', 'fake', 'fail'], 3, 'Memory not found: x\nList the memories first.\n'],
    [['call', 'fake', 'echo', '--json', '{"text":'], 2, expect.stringContaining('Not valid JSON')],
    [['call', 'fake', 'echo', '--json', '[]'], 2, expect.stringContaining('one JSON object')],
    [
      ['call', 'fake', 'echo', '--json', '{"txt":"a"}'],
      2,
      expect.stringMatching(/Unknown argument: txt\nDid you mean "text"\? Known: .*text/u),
    ],
    [['call', 'fake', 'ecko'], 2, expect.stringMatching(/There is no tool "ecko".\nDid you mean "echo"\?/u)],
    [['call', 'nothing'], 2, expect.stringContaining('There is no contract "nothing"')],
    [['call', 'fake', 'echo', 'a', '--colour', 'red'], 2, expect.stringContaining("unknown option '--colour'")],
    [['sai', 'a'], 2, expect.stringContaining('Did you mean say?')],
  ])('fails on stderr alone: %j', async (argv, code, err) => {
    expect(await run(argv)).toMatchObject({ code, out: '', err })
  })

  it('lists contracts and tools without loading others', async () => {
    expect((await run(['call'])).out).toBe('fake\nother\nadmin\n')
    const listed = await run(['call', 'other'])
    expect([listed.out, listed.loaded]).toEqual(['echo    Returns its input\nrefuse  Fails in the way asked for\n', ['other']])
    const help = await run(['call', 'fake', 'echo', '--help'])
    expect(help.code).toBe(0)
    expect(help.out).toMatch(/--text <text>\s+What to say \(required\)/)
    expect(help.out).not.toContain('--data-dir')
    expect((await run(['call', 'fake', 'echo', '--help', '--all'])).out).toContain('--data-dir')
  })

  it('offers the choices of an argument, and no empty one for null', async () => {
    const help = await run(['call', 'fake', 'echo', '--help'])
    expect(help.out).toMatch(/--tone <text>\s+\(one of soft, sharp\)/)
  })
})

describe('mneme', () => {
  it('creates commands from aliases and local operations', async () => {
    expect(inputOf((await run(['say', 'hi'])).out)).toEqual({ text: 'hi' })
    expect(inputOf((await run(['echo', 'hi'])).out)).toEqual({ text: 'hi' })
    expect(inputOf((await run(['say-it', 'hi'])).out)).toEqual({ text: 'hi' })
    const help = await run(['--help'])
    expect(help.out).toContain('say-it')
    expect(help.out).not.toContain('absent')
  })

  it('accepts settings at any position and serves without loading contracts', async () => {
    expect(await run(['mcp', '--data-dir', 'd', '--force-model'])).toMatchObject({
      code: 0,
      served: 'mcp',
      flags: { dataDir: 'd', forceModel: 'true' },
      loaded: [],
    })
    expect(await run(['--data-dir', 'd', 'serve'])).toMatchObject({ code: 0, served: 'http', flags: { dataDir: 'd' }, loaded: [] })
  })

  it('accepts the names that a contract gives to a setting, and lists models instead of serving', async () => {
    expect(await run(['mcp', '--folder', 'd'])).toMatchObject({ code: 0, served: 'mcp', flags: { folder: 'd' } })
    const listed = await run(['mcp', '--list-models'])
    expect(JSON.parse(listed.out)).toEqual({ models: [{ model: 'tiny', dimensions: 3 }] })
    expect(listed.served).toBe('')
  })

  it('restores without opening the store', async () => {
    const { code, out } = await run(['restore', '/backups/b.db', '--data-dir', 'd'])
    expect([code, JSON.parse(out)]).toEqual([0, { restored: '/x', from: '/backups/b.db', kept: null }])
    expect(await run(['restore'])).toMatchObject({ code: 2, out: '' })
  })

  it('prints its version and its settings', async () => {
    expect(await run(['--version'])).toMatchObject({ code: 0, out: '1.2.3\n', loaded: [] })
    const rows = { settings: [{ key: 'dataDir', value: '/x', origin: 'default', flag: '--data-dir', variable: 'MNEME_DATA_DIR' }] }
    expect(JSON.parse((await run(['status', '--config'])).out)).toEqual(rows)
    expect(JSON.parse((await run(['settings'])).out)).toEqual(rows)
  })

  it('prints text on a terminal unless JSON is requested', async () => {
    expect((await run(['say', 'hi'], { terminal: true })).out).toMatch(/^said: hi\ninput:\n {2}text: hi\n/)
    expect(inputOf((await run(['say', 'hi', '--output', 'json'], { terminal: true })).out)).toEqual({ text: 'hi' })
  })
})

describe('repair 13: the help and short flags', () => {
  it('hides the settings behind --all, and shows how a command is used', async () => {
    const help = await run(['--help'])
    expect(help.out).not.toContain('--data-dir')
    expect((await run(['--help', '--all'])).out).toMatch(/--data-dir[\s\S]*--force-model/)
    expect(help.out).toMatch(/Clients and hooks:\n {2}install +Add mneme to MCP clients/)
    expect((await run(['help', 'status'])).out).toContain('Usage: mneme status [options]')
    expect((await run(['help', 'install'])).out).toContain('Examples:\n  mneme install --hooks')
  })

  it('suggests the nearest topic for an unknown help topic', async () => {
    expect(await run(['help', 'instal'])).toMatchObject({ code: 2, out: '', err: expect.stringContaining('Did you mean "install"?') })
  })

  it('accepts -o, -q and one name for the owner', async () => {
    const { out, flags } = await run(['say', 'hi', '-q', '-o', 'json', '--owner', 'ann'], { terminal: true })
    expect([inputOf(out), flags]).toEqual([{ text: 'hi', user_id: 'ann' }, expect.objectContaining({ logLevel: 'error' })])
    expect(inputOf((await run(['say', 'hi', '--user-id', 'ann'])).out)).toEqual({ text: 'hi', user_id: 'ann' })
  })
})

describe('terminal escapes of others are not passed on', () => {
  const hostile = 'a\u001b]52;c;ZXZpbA==\u0007\u009b2J\u202eb'
  const plain = 'a\\x1b]52;c;ZXZpbA==\\x07\\x9b2J\\u202eb'

  it('in answers as text, and kept in JSON', async () => {
    const text = await run(['say', hostile], { terminal: true })
    expect(text.out).toContain(`said: ${plain}\n`)
    for (const terminal of [true, false]) {
      const { out } = await run(['say', hostile, '--output', 'json'], { terminal })
      expect(JSON.parse(out)).toMatchObject({ said: hostile })
      expect(out).not.toMatch(/[^\P{Cc}\n]|\u202e/u)
    }
  })

  it('in errors, refusals of the command line and progress', async () => {
    for (const argv of [['call', hostile], ['say', `--${hostile}`], [`x${hostile}`], ['call', 'fake', 'echo', '--json', `{${hostile}`]]) {
      const { err, code } = await run(argv)
      expect([code, err]).toEqual([2, expect.stringContaining(plain)])
      expect(err).not.toMatch(/[^\P{Cc}\n]|\u202e/u)
    }
    const { err } = await run(['shout', hostile], { progress: true })
    expect(err).toBe(`\r\u001b[2K1/2 ${plain}\r\u001b[2K`)
  })
})

describe('the programs that use mneme', () => {
  it('are not stopped by a hook with an invalid command line', async () => {
    for (const argv of [
      ['hook'],
      ['hook', 'codex', '--no-such-flag'],
      ['--output', 'json', 'hook', 'codex', 'Stop', 'more'],
      ['hook', 'codex', '--output', 'x'],
    ])
      expect(await run(argv)).toMatchObject({ code: 0, out: '' })
    expect((await run(['clients', '--no-such-flag'])).code).toBe(2)
  })

  it('lists, prints and uninstalls', async () => {
    expect(JSON.parse((await run(['clients'])).out)).toEqual({ clients: [{ client: 'a', title: 'A', state: 'found', file: '/f' }] })
    expect((await run(['install', 'x', '--print'], { terminal: true })).out).toBe('# x\n{}\n')
    expect((await run(['uninstall'], { terminal: true })).out).toBe('Nothing to do.\n')
  })

  it('repair 14: summarises what was done, and prints "would install" if nothing was', async () => {
    expect((await run(['install', 'good'], { terminal: true })).out).toBe('good: installed (/f)\n')
    expect((await run(['install', 'good', '--dry-run'], { terminal: true })).out).toBe('good: would install (/f)\n')
    expect((await run(['install', 'good', '--verbose'], { terminal: true })).out).toBe(
      'good: installed (/f)\n  + mneme\n  the file as it was: /b\n',
    )
  })

  it('exits with an error if a file was refused', async () => {
    const { out, code } = await run(['install', 'a', 'b', '--dry-run'], { terminal: true })
    expect(out).toBe('a,b: no\n')
    expect(code).toBe(5)
  })
})
