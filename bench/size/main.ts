// npm run bench size -- [revision ...]: counts the sources at revisions of the repository, by default before and after the names and layout of today.
import { execFileSync } from 'node:child_process'
import { root, saveResult } from '../result.js'

const BEFORE = '218bff01'
/** Word lists as modules and generated modules: data, whatever their ending. */
const DATA =
  /^src\/(?:core\/language\/(?:german|french|spanish|italian|dutch|portuguese|kinds|software-kinds)(?:-rarer)?|backends\/vector\/scan-bytes|client\/operations)\.ts$/
/** Capabilities added after `BEFORE`. */
const ADDED = [
  'importers/',
  'client/',
  'library/',
  'demo/',
  'contracts/console/',
  'contracts/mem0/',
  'engine/console/',
  'engine/import/',
  'engine/deliveries/',
  'engine/trash/',
  'backends/trash/',
  'surfaces/console/',
  'surfaces/shared-process/',
  'surfaces/http/imports.ts',
  'surfaces/http/uploads.ts',
  'program/',
]
const EXPORT = /^export (?:abstract |async |declare )*(?:const|let|function\*?|class|interface|type)\b/gm

const git = (...args: string[]): string => execFileSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 26 })

interface SourceSize {
  readonly files: number
  readonly lines: number
  /** Lines that are neither blank nor only a comment. */
  readonly code: number
  readonly medianFile: number
  readonly largestFile: number
  readonly exports: number
}

function sizeOf(texts: readonly string[]): SourceSize {
  const lengths = texts.map((text) => text.trimEnd().split('\n').length).sort((a, b) => a - b)
  const code = texts.flatMap((text) => text.split('\n')).filter((line) => !/^\s*(?:$|\/\/|\/?\*)/.test(line))
  return {
    files: texts.length,
    lines: lengths.reduce((sum, length) => sum + length, 0),
    code: code.length,
    medianFile: lengths[lengths.length >> 1] ?? 0,
    largestFile: lengths.at(-1) ?? 0,
    exports: texts.reduce((sum, text) => sum + (text.match(EXPORT)?.length ?? 0), 0),
  }
}

function measure(revision: string) {
  const paths = git('ls-tree', '-r', '--name-only', revision).split('\n')
  const read = (path: string): string => git('show', `${revision}:${path}`)
  const sources = paths
    .filter((path) => /^src\/.*(?<!\.test)\.ts$/.test(path) && !DATA.test(path))
    .map((path) => ({ path, text: read(path) }))
  const isAdded = (path: string): boolean => ADDED.some((place) => path.startsWith(`src/${place}`))
  const wordsOf = (path: string): number => (paths.includes(path) ? read(path).trim().split(/\s+/).length : 0)
  return {
    revision: git('rev-parse', '--short', revision).trim(),
    sources: sizeOf(sources.map(({ text }) => text)),
    withoutAdded: sizeOf(sources.filter(({ path }) => !isAdded(path)).map(({ text }) => text)),
    decisions: paths.filter((path) => /^docs\/decisions\/\d/.test(path)).length,
    readmeLines: read('README.md').trimEnd().split('\n').length,
    designWords: wordsOf('DESIGN.md'),
    recallWords: wordsOf('docs/recall.md'),
    testFiles: paths.filter((path) => /\.test\.tsx?$/.test(path)).length,
  }
}

const revisions = process.argv.slice(2)
const results = (revisions.length > 0 ? revisions : [BEFORE, 'HEAD']).map(measure)
saveResult('size', results)
process.stdout.write(`${JSON.stringify(results, null, 2)}\n`)
