// node scripts/mutate.mjs [--every n [--from k]] [--out file] <file or folder>...: changes one operator or condition at a time in a copy of
// the working tree, runs the tests beside the file, then those of the units, then those of the engine, and lists the changes that no test noticed.
import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { parseArgs } from 'node:util'
import { root } from './install.mjs'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { every: { type: 'string', default: '1' }, from: { type: 'string', default: '0' }, out: { type: 'string' } },
})
/** The formatter puts a space on either side of an operator, so that types and arrows are told apart. */
const OPERATOR = /(?<= )(<=|>=|<|>|===|!==|&&|\|\||\+|-|\*|\/)(?= )|\b(true|false)\b/g
const SWAPS = { '<': '<=', '<=': '<', '>': '>=', '>=': '>', '===': '!==', '!==': '===', '&&': '||', '||': '&&' }
const OTHERS = { '+': '-', '-': '+', '*': '/', '/': '*', true: 'false', false: 'true' }
/** Lines without anything that is carried out. */
const SILENT = /^\s*(\/\/|\/?\*|import |export type |type |readonly |export interface |interface )/

const filesIn = (path) =>
  statSync(path).isDirectory()
    ? readdirSync(path).flatMap((name) => filesIn(join(path, name)))
    : /\.ts$/.test(path) && !/\.test\.ts$/.test(path)
      ? [path]
      : []

function mutantsOf(file) {
  const text = readFileSync(file, 'utf8')
  let offset = 0
  return text.split('\n').flatMap((line, i) => {
    const from = offset
    offset += line.length + 1
    if (SILENT.test(line)) return []
    const code = line.replace(/'(?:[^'\\]|\\.)*'|`[^`]*`|\/\/.*$/g, (quoted) => ' '.repeat(quoted.length))
    return [...code.matchAll(OPERATOR)].map((match) => ({
      file,
      text,
      start: from + match.index,
      end: from + match.index + match[0].length,
      swap: SWAPS[match[0]] ?? OTHERS[match[0]],
      line: i + 1,
    }))
  })
}

const copy = mkdtempSync(join(tmpdir(), 'mneme-mutate-'))
const STAGES = [
  ['src/core'],
  [
    'test/engine/recall-answers.test.ts',
    'test/engine/first-conversation.test.ts',
    'test/engine/long-texts.test.ts',
    'test/engine/replacing.test.ts',
    'test/engine/second-look.test.ts',
    'test/engine/as-of.test.ts',
    'test/engine/principals.test.ts',
    'test/engine/recall-bad-input.test.ts',
    'test/contract/sqlite.test.ts',
    'test/properties',
  ],
]
const passes = (tests) =>
  spawnSync(process.execPath, [join('node_modules', 'vitest', 'vitest.mjs'), 'run', '--bail', '1', '--reporter', 'dot', ...tests], {
    cwd: copy,
    stdio: 'ignore',
    timeout: 240_000,
  }).status === 0

const reportOf = (tried, survivors) => `${tried} mutants, ${survivors.length} survived\n${survivors.map((one) => `- ${one}\n`).join('')}`

try {
  for (const name of execFileSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8' }).split('\0').filter(Boolean))
    cpSync(join(root, name), join(copy, name))
  cpSync(join(root, 'dist'), join(copy, 'dist'), { recursive: true })
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'))
  const [every, from] = [Number(values.every), Number(values.from)]
  const mutants = positionals
    .flatMap((path) => filesIn(join(root, path)))
    .flatMap(mutantsOf)
    .filter((_, i) => i % every === from)
  const survivors = []
  for (const [i, { file, text, start, end, swap, line }] of mutants.entries()) {
    const place = join(copy, relative(root, file))
    writeFileSync(place, `${text.slice(0, start)}${swap}${text.slice(end)}`)
    const beside = relative(root, file).replace(/\.ts$/, '.test.ts')
    const stages = existsSync(join(root, beside)) ? [[beside], ...STAGES] : STAGES
    if (stages.every(passes))
      survivors.push(`${relative(root, file)}:${line}: ${text.slice(start, end)} as ${swap}: ${text.split('\n')[line - 1].trim()}`)
    writeFileSync(place, text)
    if (values.out !== undefined) writeFileSync(values.out, reportOf(i + 1, survivors))
    process.stderr.write(`\r${i + 1} of ${mutants.length}, ${survivors.length} survived `)
  }
  process.stdout.write(`\n${reportOf(mutants.length, survivors)}`)
} finally {
  rmSync(copy, { recursive: true, force: true })
}
