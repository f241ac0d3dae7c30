import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Client, Edit, Format } from '../../src/clients/client.js'
import { serverEdit } from '../../src/clients/client.js'
import { dropEntries, putEntries, readEntry } from '../../src/clients/edit/edit-config.js'
import { CLIENTS } from '../../src/clients/known-clients.js'
import { jsonConfig, type RandomConfig, tomlConfig, yamlConfig } from './config-arbitrary.js'

const SERVER = { kind: 'stdio', command: '/opt/node/bin/node', args: ['/opt/my mneme/dist/main.js', 'mcp'] } as const

const clientNamed = (name: string): Client => {
  const client = CLIENTS.find((candidate) => candidate.name === name)
  if (client === undefined) throw new Error(name)
  return client
}

const CASES: readonly { readonly client: string; readonly configs: fc.Arbitrary<RandomConfig>; readonly runs: number }[] = [
  { client: 'claude-code', configs: jsonConfig(['mcpServers']), runs: 150 },
  { client: 'zed', configs: jsonConfig(['context_servers']), runs: 50 },
  { client: 'amp', configs: jsonConfig(['amp.mcpServers']), runs: 50 },
  { client: 'codex', configs: tomlConfig('mcp_servers'), runs: 100 },
  { client: 'goose', configs: yamlConfig('extensions', false), runs: 75 },
  { client: 'continue', configs: yamlConfig('mcpServers', true), runs: 75 },
]

describe('500 random configs with the entry added and removed', () => {
  it.each(CASES)('$client: $runs files keep their contents except the entry', ({ client: name, configs, runs }) => {
    const client = clientNamed(name)
    const value = client.entry(SERVER) ?? {}
    const edit = serverEdit(client, value)
    fc.assert(
      fc.property(configs, ({ text, eol }) => {
        const put = putEntries(client.format, text, [edit])
        expect(readEntry(client.format, put.text, edit)).toEqual(edit.value)
        // Every character of before is still there, in its order: the edit only adds.
        expect(isKept(text, put.text)).toBe(true)
        if (eol === '\r\n' && text.includes('\r\n')) expect(put.text.replaceAll('\r\n', '')).not.toContain('\n')
        // Changed, it is still the only thing that changed.
        const other = putEntries(client.format, put.text, [{ ...edit, value: { ...value, args: ['changed'] } }])
        expect(isKept(text, other.text)).toBe(true)
        expect(trimmed(dropEntries(client.format, other.text, [edit], put.made))).toBe(trimmed(text))
        // Put again, nothing changes.
        expect(putEntries(client.format, put.text, [edit]).text).toBe(put.text)
        const dropped = dropEntries(client.format, put.text, [edit], put.made)
        expect(readEntry(client.format, dropped, edit)).toBeUndefined()
        expect(trimmed(dropped)).toBe(trimmed(text))
      }),
      { numRuns: runs },
    )
  })
})

/** Whether one text is the other with something added; what an empty collection is written as may change. */
function isKept(before: string, after: string): boolean {
  let at = 0
  for (const mark of before.replaceAll(/\s|\{\}|\[\]/g, '')) {
    at = after.indexOf(mark, at) + 1
    if (at === 0) return false
  }
  return true
}

/** White space aside, and a comma in front of a closing mark. */
const trimmed = (text: string): string => text.replaceAll(/,(?=\s*(?:\/\/[^\n]*\s*)*[}\]])/g, '').replaceAll(/\s+/g, '')

describe('files written by hand', () => {
  const json = (before: string, after: string) => {
    const edit: Edit = { path: ['mcpServers', 'mneme'], value: { command: 'n' } }
    const put = putEntries('json', before, [edit])
    expect(put.text).toBe(after)
    expect(dropEntries('json', put.text, [edit], put.made)).toBe(before)
  }

  it('keeps the place of a comment after the last member', () =>
    json(
      '{\n  "mcpServers": {\n    "a": {} // mine\n    // and more\n  }\n}\n',
      '{\n  "mcpServers": {\n    "a": {}, // mine\n    // and more\n    "mneme": {\n      "command": "n"\n    }\n  }\n}\n',
    ))
  it('adds to a file without servers', () =>
    json('{\n\t"a": 1\n}', '{\n\t"a": 1,\n\t"mcpServers": {\n\t\t"mneme": {\n\t\t\t"command": "n"\n\t\t}\n\t}\n}'))
  it('stays on one line', () => json('{"mcpServers":{"a":{}}}', '{"mcpServers":{"a":{}, "mneme": { "command": "n" }}}'))
  it('keeps CRLF', () =>
    json(
      '{\r\n  "a": 1\r\n}\r\n',
      '{\r\n  "a": 1,\r\n  "mcpServers": {\r\n    "mneme": {\r\n      "command": "n"\r\n    }\r\n  }\r\n}\r\n',
    ))
  it('fills an empty object', () => json('{}', '{\n  "mcpServers": {\n    "mneme": {\n      "command": "n"\n    }\n  }\n}'))

  it('uses a trailing comma as separator', () => {
    const edit: Edit = { path: ['mcpServers', 'mneme'], value: { command: 'n' } }
    const { text } = putEntries('json', '{\n  "mcpServers": {\n    "a": {},\n  },\n}\n', [edit])
    expect(text).toBe('{\n  "mcpServers": {\n    "a": {},\n    "mneme": {\n      "command": "n"\n    }\n  },\n}\n')
  })

  it('appends a table to TOML and removes it with its subtables', () => {
    const edit: Edit = { path: ['mcp_servers', 'mneme'], value: { command: 'n', args: ['a'] } }
    const before = 'model = "x" # mine\n\n[mcp_servers.other]\ncommand = "o"\ntext = """\n[mcp_servers.mneme]\n"""\n'
    const { text } = putEntries('toml', before, [edit])
    expect(text).toBe(`${before}\n[mcp_servers.mneme]\ncommand = "n"\nargs = [ "a" ]\n`)
    const grown = `${text}\n[mcp_servers.mneme.env]\nA = "1"\n\n[after]\nx = 1\n`
    expect(dropEntries('toml', grown, [edit], [])).toBe(`${before}\n[after]\nx = 1\n`)
  })

  it('keeps comments and order of YAML', () => {
    const edit: Edit = { path: ['extensions', 'mneme'], value: { cmd: 'n', args: ['a'], envs: {} } }
    const before = '# head\nextensions: # mine\n    dev: # one\n        enabled: true\n    # end\nafter: |\n    text\n'
    const { text } = putEntries('yaml', before, [edit])
    expect(text).toBe(
      '# head\nextensions: # mine\n    dev: # one\n        enabled: true\n    mneme:\n      cmd: n\n      args:\n        - a\n      envs: {}\n    # end\nafter: |\n    text\n',
    )
    expect(dropEntries('yaml', text, [edit], [])).toBe(before)
  })
})

describe('rejected files', () => {
  const PATHS: Readonly<Record<Format, readonly string[]>> = {
    json: ['mcpServers', 'mneme'],
    yaml: ['extensions', 'mneme'],
    toml: ['mcp_servers', 'mneme'],
  }
  it.each<[string, Format, string, RegExp]>([
    ['broken JSON', 'json', '{\n  "a": 1\n  "b": 2\n}', /^line 3: not valid JSON/],
    ['a list at the top', 'json', '\n[1]', /^line 2: the file must hold one JSON object/],
    ['servers twice', 'json', '{\n"mcpServers": {},\n"mcpServers": {}\n}', /^line 3: "mcpServers" is there twice/],
    ['servers that are a list', 'json', '{"mcpServers": []}', /^line 1: "mcpServers" must be an object/],
    ['broken YAML', 'yaml', 'a: 1\nb: [1\n', /^line \d: not valid YAML/],
    ['tabs in YAML', 'yaml', 'a:\n\tb: 1\n', /^line 2: not valid YAML/],
    ['a key of YAML twice', 'yaml', 'a: 1\na: 2\n', /^line 2: not valid YAML/],
    ['extensions that are a text', 'yaml', 'extensions: none\n', /^line 1: "extensions" must be a map/],
    ['broken TOML', 'toml', 'a = 1\nb = \n', /^line 2: not valid TOML/],
    ['a key of TOML twice', 'toml', 'a = 1\na = 2\n', /^line 2: not valid TOML/],
    ['servers in one line of TOML', 'toml', 'mcp_servers = { other = { command = "o" } }\n', /edit this file by hand/],
    ['an entry inside another table', 'toml', '[mcp_servers]\nmneme = { command = "o" }\n', /not written as a table of its own/],
  ])('%s', (_, format, text, message) => {
    expect(() => putEntries(format, text, [{ path: PATHS[format], value: { command: 'n' } }])).toThrow(message)
  })
})
