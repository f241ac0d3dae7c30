import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { sha256 } from '../../src/core/encoding/hash.js'
import { maskText } from '../../src/core/secrets/mask.js'
import { openCodeParser } from '../../src/parsers/code-parser.js'
import { createProjectFiles } from '../../src/readers/project-files.js'
import { secretForms } from '../../test/secrets/forms.js'
import { evaluationFolder, loadSets } from '../quality/sets.js'
import { saveResult } from '../result.js'
import { hostileTexts } from './hostile.js'

const USAGE = `node scripts/bench.mjs secrets [--passages <n>] [--show] [--save]
  --passages  how many passages of code to take (20000)
  --show      print what was touched
  --save      write bench/results/secrets.json`

const { values } = parseArgs({
  options: {
    passages: { type: 'string', default: '20000' },
    show: { type: 'boolean' },
    save: { type: 'boolean' },
    help: { type: 'boolean' },
  },
})
const print = (line: string): void => void process.stdout.write(`${line}\n`)
if (values.help === true) {
  print(USAGE)
  process.exit(0)
}

function projectRoot(): string {
  let folder = process.cwd()
  while (!existsSync(join(folder, 'package.json')) && dirname(folder) !== folder) folder = dirname(folder)
  return folder
}
const root = projectRoot()

/** Passages as indexed from files of the dependencies, always the same ones. */
async function codePassages(max: number): Promise<readonly string[]> {
  const files = createProjectFiles()
  const parser = openCodeParser({ threads: 0 })
  const all: { readonly path: string; readonly absolute: string }[] = []
  for await (const file of files.scan(join(root, 'node_modules'), {})) all.push(file)
  const order = all.map((file) => ({ file, key: sha256(file.path) })).sort((a, b) => (a.key < b.key ? -1 : 1))
  const passages: string[] = []
  const seen = new Set<string>()
  for (const { file } of order) {
    if (passages.length >= max) break
    const read = await files.read(file)
    if (read.skipped !== null || seen.has(read.hash)) continue
    seen.add(read.hash)
    const parsed = await parser.parse([{ path: file.path, language: read.language, text: read.text }])
    for (const { chunks } of parsed) passages.push(...chunks.map((chunk) => chunk.text))
  }
  await parser.close()
  return passages.slice(0, max)
}

function ordinaryTexts(): readonly string[] {
  const folder = evaluationFolder(root)
  return folder === null ? [] : loadSets([folder], null).flatMap((set) => set.memories.map((memory) => memory.content))
}

/** CPU time of this process, independent of other load. */
const cpuMs = (): number => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

interface Touched {
  readonly texts: number
  readonly touched: number
  readonly megabytes: number
  readonly msPerMegabyte: number
}

function measure(name: string, texts: readonly string[]): Touched {
  let touched = 0
  let characters = 0
  const begun = cpuMs()
  for (const text of texts) {
    const kinds: string[] = []
    const masked = maskText(text, kinds)
    characters += text.length
    if (kinds.length === 0) continue
    touched++
    if (values.show === true) for (const line of changedLines(text, masked)) print(`  ${kinds.join(', ')}: ${line.trim().slice(0, 160)}`)
  }
  const result = { texts: texts.length, touched, megabytes: characters / 1e6, msPerMegabyte: (cpuMs() - begun) / (characters / 1e6) }
  print(
    `${name}: ${touched} of ${texts.length} touched (${((touched / texts.length) * 100).toFixed(3)} %), ${result.megabytes.toFixed(1)} MB, ${result.msPerMegabyte.toFixed(1)} ms/MB`,
  )
  return result
}

const changedLines = (before: string, after: string): readonly string[] => {
  const lines = after.split('\n')
  return before.split('\n').filter((line, index) => line !== lines[index])
}

const SEEDS = 50
function missedForms(): { readonly forms: number; readonly draws: number; readonly missed: number } {
  let missed = 0
  for (let seed = 1; seed <= SEEDS; seed++) {
    for (const { text, secret } of secretForms(seed)) {
      const out = maskText(text, [])
      if (secret.split('\n').some((line) => out.includes(line))) missed++
    }
  }
  return { forms: secretForms().length, draws: SEEDS, missed }
}

const forms = missedForms()
print(`forms: ${forms.forms}, ${forms.draws} draws of each, ${forms.missed} missed`)
const code = measure('passages of code', await codePassages(Number(values.passages)))
const prose = measure('texts', ordinaryTexts())
const hostile = hostileTexts().map(({ name, text }) => {
  const begun = cpuMs()
  maskText(text, [])
  return { name, msPerMegabyte: (cpuMs() - begun) / (text.length / 1e6) }
})
for (const { name, msPerMegabyte } of hostile) print(`hostile, ${name}: ${msPerMegabyte.toFixed(1)} ms/MB`)
if (values.save === true) saveResult('secrets', { forms, code, prose, hostile })
