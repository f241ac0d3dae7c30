import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { describeMachine } from '../quality/report.js'
import { evaluationFolder } from '../quality/sets.js'
import { type BlindReport, measureBlind } from './blind.js'
import { type CodeSet, cosqa, DECLARATIONS, docComments, SOURCES_OF } from './code-sets.js'
import { measureQuality, type QualityReport } from './quality.js'
import { measureSpeed, type SpeedReport, type SpeedTarget } from './speed.js'

const USAGE = `npm run bench:code -- [--only speed|quality] [--sets <name,...>] [--save]
  --only   one half of the bench
  --sets   quality sets to run, e.g. cosqa,rxjs
  --blind  questions of bench/data/code-blind instead; needs --repos
  --repos  folders of its repositories: py=<folder>,js=<folder>
  --store  data directory to keep between runs
  --program  program to measure, instead of dist/main.js
  --misses print each question that was not answered first
  --save   write bench/results/code.json`

function projectRoot(): string {
  let folder = process.cwd()
  while (!existsSync(join(folder, 'package.json')) && dirname(folder) !== folder) folder = dirname(folder)
  return folder
}

const root = projectRoot()
const print = (line: string): void => void process.stdout.write(`${line}\n`)

function targets(): readonly SpeedTarget[] {
  return [
    { name: 'this repository', path: root, question: 'retryOnConflict', answer: /^src\/engine\/revise\.ts$/ },
    {
      name: 'node_modules',
      path: join(root, 'node_modules'),
      question: 'createInvalidObservableTypeError',
      answer: /throwUnobservableError/,
    },
  ]
}

function setsNamed(wanted: readonly string[] | null): readonly CodeSet[] {
  const modules = join(root, 'node_modules')
  const packages = [...SOURCES_OF, ...DECLARATIONS].flatMap((name) => docComments(modules, name) ?? [])
  const all = [cosqa(evaluationFolder(root)), ...packages].flatMap((set) => set ?? [])
  return wanted === null ? all : all.filter((set) => wanted.some((name) => set.name.toLowerCase().includes(name)))
}

const row = (cells: readonly (string | number)[], widths: readonly number[]): string =>
  cells.map((cell, i) => String(cell).padEnd(widths[i] ?? 0)).join('  ')

function printSpeed(reports: readonly SpeedReport[]): void {
  for (const report of reports) {
    print(`\n${report.name}: ${report.files} files, ${report.chunks} chunks, ${report.megabytes} MB`)
    print(
      `  indexed in ${report.indexSeconds} s: ${report.filesPerSecond} files/s, ${report.chunksPerSecond} chunks/s, ${report.megabytesPerSecond} MB/s`,
    )
    print(`  peak resident memory ${report.peakMegabytes} MB; first right answer after ${report.firstAnswerSeconds} s`)
    print(
      `  search p50 ${report.searchMilliseconds.p50} ms, p95 ${report.searchMilliseconds.p95} ms; again after touching one file ${report.touchedMilliseconds} ms`,
    )
  }
}

const RUNS = ['bm25', 'instant', 'keyword', 'vector', 'hybrid'] as const

function printQuality(reports: readonly QualityReport[]): void {
  const widths = [28, 6, 5, ...RUNS.map(() => 12)]
  print(`\n${row(['recall@10 / MRR', 'files', 'asked', ...RUNS], widths)}`)
  const line = (name: string, files: number | string, asked: number | string, runs: QualityReport['runs']): void =>
    print(row([name, files, asked, ...RUNS.map((run) => `${runs[run].recall10.toFixed(1)} / ${runs[run].mrr.toFixed(1)}`)], widths))
  for (const { set, files, questions, runs } of reports) line(set, files, questions, runs)
  const sources = new Set(SOURCES_OF.map(shortName))
  const packages = reports.filter((report) => report.set !== 'CoSQA dev')
  // The mean over all comes first: the other is of a part that was chosen.
  for (const [title, group] of [
    ['mean of all packages', packages],
    ['mean of those with sources', packages.filter((report) => sources.has(report.set))],
  ] as const) {
    if (group.length < 2) continue
    const mean = (run: (typeof RUNS)[number], of: 'recall10' | 'mrr'): number =>
      group.reduce((sum, report) => sum + report.runs[run][of], 0) / group.length
    const figures = (run: (typeof RUNS)[number]) => ({ recall10: mean(run, 'recall10'), mrr: mean(run, 'mrr') })
    const runs = {
      bm25: figures('bm25'),
      instant: figures('instant'),
      keyword: figures('keyword'),
      vector: figures('vector'),
      hybrid: figures('hybrid'),
    }
    line(title, group.length, '', runs)
  }
}

const shortName = (name: string): string => docComments(join(root, 'node_modules'), name)?.name ?? name

function foldersOf(given: string | undefined): ReadonlyMap<string, string> {
  if (given === undefined) throw new Error('--blind needs --repos py=<folder>,js=<folder>')
  return new Map(given.split(',').map((pair): [string, string] => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]))
}

function printBlind(reports: readonly BlindReport[]): void {
  const widths = [28, ...reports.map(() => 16)]
  print(row(['', ...reports.map(({ half }) => half)], widths))
  for (const measure of Object.keys(reports.at(-1)?.measures ?? {})) {
    const cells = reports.map(({ measures }) => {
      const { right = 0, asked = 0 } = measures[measure] ?? {}
      return `${((100 * right) / Math.max(1, asked)).toFixed(1)} % of ${asked}`
    })
    print(row([measure, ...cells], widths))
  }
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      only: { type: 'string' },
      sets: { type: 'string' },
      save: { type: 'boolean' },
      blind: { type: 'boolean' },
      repos: { type: 'string' },
      store: { type: 'string' },
      misses: { type: 'boolean' },
      program: { type: 'string' },
      help: { type: 'boolean' },
    },
  })
  if (values.help === true) return print(USAGE)
  const entry = values.program ?? join(root, 'dist', 'main.js')
  const folder = mkdtempSync(join(tmpdir(), 'mneme-bench-code-'))
  try {
    if (values.blind === true) {
      const reports = await measureBlind({
        entry,
        dataDir: values.store ?? join(folder, 'blind'),
        questions: join(root, 'bench', 'data', 'code-blind', 'questions.jsonl'),
        repos: foldersOf(values.repos),
        print: values.misses === true ? print : undefined,
      })
      return printBlind(reports)
    }
    const speed: SpeedReport[] = []
    if (values.only !== 'quality') {
      for (const [index, target] of targets().entries()) {
        speed.push(await measureSpeed(entry, join(folder, `speed-${index}`), target))
        printSpeed(speed.slice(-1))
      }
    }
    let quality: readonly QualityReport[] = []
    if (values.only !== 'speed') {
      if (evaluationFolder(root) === null) print('No evaluation data (MNEME_EVALDATA): CoSQA is left out.')
      quality = await measureQuality(entry, join(folder, 'quality'), setsNamed(values.sets?.toLowerCase().split(',') ?? null))
      printQuality(quality)
    }
    if (values.save === true) {
      mkdirSync(join(root, 'bench', 'results'), { recursive: true })
      writeFileSync(
        join(root, 'bench', 'results', 'code.json'),
        `${JSON.stringify({ machine: describeMachine(root), speed, quality }, null, 2)}\n`,
      )
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`)
  process.exitCode = 1
})
