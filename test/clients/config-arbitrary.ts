import fc from 'fast-check'
import { stringify as toToml } from 'smol-toml'
import { stringify as toYaml } from 'yaml'
import type { Json } from '../../src/core/encoding/json.js'

/** Files as people have them: other servers, other settings, comments, tabs, CRLF, marks at the start, no break at the end. */
export interface RandomConfig {
  readonly text: string
  /** What it says, without the marks. */
  readonly eol: string
}

const word = fc.stringMatching(/^[a-z][a-z_-]{0,8}$/).filter((name) => name !== 'mneme')
const leaf: fc.Arbitrary<Json> = fc.oneof(
  fc.string({ maxLength: 12 }),
  fc.constantFrom(
    'C:\\Program Files\\x',
    'päth mit Leerzeichen',
    '[mcp_servers.mneme]',
    '// no comment',
    '"quoted"',
    '# no comment',
    '{"mneme": 1}',
  ),
  fc.integer({ min: -1000, max: 1000 }),
  fc.boolean(),
)
const server = fc.record({ command: leaf, args: fc.array(fc.string({ maxLength: 6 }), { maxLength: 3 }) })
const section = fc.oneof(leaf, fc.array(leaf, { maxLength: 3 }), fc.dictionary(word, leaf, { maxKeys: 3 }))
const COMMENT = ['a note', 'two { brackets ] and a "quote"', '"mneme": {}', '[mcp_servers.mneme]', "it's mine"]

interface Style {
  readonly indent: string | number
  readonly eol: string
  readonly bom: boolean
  readonly finalBreak: boolean
  readonly comments: readonly boolean[]
  readonly words: readonly string[]
  readonly trailingComma: boolean
}

const style: fc.Arbitrary<Style> = fc.record({
  indent: fc.constantFrom<string | number>(0, 2, 4, '\t'),
  eol: fc.constantFrom('\n', '\r\n'),
  bom: fc.boolean(),
  finalBreak: fc.boolean(),
  comments: fc.array(fc.boolean(), { minLength: 8, maxLength: 8 }),
  words: fc.array(fc.constantFrom(...COMMENT), { minLength: 8, maxLength: 8 }),
  trailingComma: fc.boolean(),
})

const servers = fc.oneof(fc.constant(undefined), fc.dictionary(word, server, { maxKeys: 3 }))

function dressed(text: string, { eol, bom, finalBreak }: Style): RandomConfig {
  const body = text.trimEnd().replaceAll('\n', eol)
  return { text: `${bom ? '\uFEFF' : ''}${body}${finalBreak && body !== '' ? eol : ''}`, eol }
}

/** A comment at the end of some lines, and lines of nothing else between others. */
function commented(text: string, mark: string, { comments, words }: Style, mayFollow: (line: string) => boolean): string {
  return text
    .split('\n')
    .flatMap((line, i) => {
      const wanted = comments[i % comments.length] === true
      const note = `${mark} ${words[i % words.length]}`
      if (!wanted || !mayFollow(line)) return [line]
      return i % 2 === 0 ? [`${line} ${note}`] : [line, `${/^\s*/.exec(line)?.[0] ?? ''}${note}`]
    })
    .join('\n')
}

export const jsonConfig = (key: readonly string[]): fc.Arbitrary<RandomConfig> =>
  fc
    .tuple(fc.dictionary(word, section, { maxKeys: 4 }), servers, fc.dictionary(word, section, { maxKeys: 2 }), style)
    .map(([before, known, after, how]) => {
      const value = { ...before, ...(known === undefined ? {} : { [key.join('.')]: known }), ...after }
      let text = JSON.stringify(value, null, how.indent)
      if (how.indent !== 0) {
        if (how.trailingComma) text = text.replace(/([^\s{[,])\n(\s*)([}\]])/g, '$1,\n$2$3')
        text = commented(text, '//', how, (line) => !/"(?:[^"\\]|\\.)*$/.test(line.replace(/"(?:[^"\\]|\\.)*"/g, '')))
      }
      return dressed(text, how)
    })

export const yamlConfig = (key: string, list: boolean): fc.Arbitrary<RandomConfig> =>
  fc
    .tuple(
      fc.dictionary(word, section, { maxKeys: 4 }),
      servers,
      fc.dictionary(word, section, { maxKeys: 2 }),
      style,
      fc.boolean(),
      fc.boolean(),
    )
    .map(([before, known, after, how, flow, indentSeq]) => {
      const named = Object.entries(known ?? {}).map(([name, entry]) => ({ name, ...entry }))
      const value = { ...before, ...(known === undefined ? {} : { [key]: list ? named : known }), ...after }
      const options = { collectionStyle: flow ? ('flow' as const) : ('any' as const), indentSeq, lineWidth: 0 }
      const text = Object.keys(value).length === 0 ? '' : toYaml(value, options)
      return dressed(flow || /[|>][-+]?$/m.test(text) ? text : commented(text, '#', how, (line) => /^\S+:|^\s+\S+: \w+$/.test(line)), how)
    })

export const tomlConfig = (key: string): fc.Arbitrary<RandomConfig> =>
  fc.tuple(fc.dictionary(word, section, { maxKeys: 4 }), servers, style).map(([rest, known, how]) => {
    const text = toToml({ ...rest, ...(known === undefined ? {} : { [key]: known }) })
    return dressed(
      commented(text, '#', how, (line) => !line.includes('"""')),
      how,
    )
  })
