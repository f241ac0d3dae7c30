import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { Worker } from 'node:worker_threads'

/** A regular expression of the sources that takes superlinear time on some text. */
export interface SlowExpression {
  readonly at: string
  readonly text: string
  /** Milliseconds for 4,000 and for 16,000 characters. */
  readonly shortMs: number
  readonly longMs: number
}

const TOKEN =
  /\/\/[^\n]*|\/\*[\s\S]*?\*\/|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\[\s\S]|[^`\\])*`|(?<=(?:[(,=:[!&|?{};\n>]|\breturn)\s*)\/(?![/*])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])+\/[a-z]*/g

interface Expression {
  readonly at: string
  readonly source: string
  readonly flags: string
}

/** Every literal of the sources; expressions built from constants are not covered. */
export function expressionsIn(root: string): readonly Expression[] {
  const files = readdirSync(join(root, 'src'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts') && !entry.name.endsWith('.test.ts'))
    .map((entry) => join(entry.parentPath, entry.name))
  return files.flatMap((file) => {
    const text = readFileSync(file, 'utf8')
    return [...text.matchAll(TOKEN)].flatMap(({ 0: found, index }) => {
      const end = found.lastIndexOf('/')
      if (!found.startsWith('/') || /^\/[/*]/.test(found) || !/^[dgimsuvy]*$/.test(found.slice(end + 1))) return []
      const url = `${relative(root, file)}:${text.slice(0, index).split('\n').length}`
      return [{ at: url, source: found.slice(1, end), flags: found.slice(end + 1) }]
    })
  })
}

/** Runs in a thread, because some expressions never finish. */
const TRIAL = `
const { parentPort, workerData: { source, flags } } = require('node:worker_threads')
const expression = new RegExp(source, flags.includes('g') ? flags : flags + 'g')
const own = [...new Set(source.replace(/\\\\[pP]\\{[^}]*\\}/g, ''))].filter((sign) => sign !== '\\\\')
const signs = [...new Set([' ', '\\n', '\\t', 'a', 'A', '1', '_', '.', '/', '-', '"', '<', '(', '\\\\', 'é', ...own])]
const words = [...new Set([...source.matchAll(/[A-Za-z@#<]{2,}/g)].map(([word]) => word))]
const units = [...signs, ...signs.flatMap((sign) => [' ', 'a', '1', '.', '\\n', '/'].map((other) => sign + other)), ...words.flatMap((word) => [word, word + ' ', word + '('])]
const heads = ['', 'a', '/', '# ', '@a(', ...words].slice(0, 10)
const time = (text) => { const from = performance.now(); expression.lastIndex = 0; text.replace(expression, ''); return performance.now() - from }
let worst = 3
for (const unit of units) for (const head of heads) for (const tail of ['', '\\u0001', ' x']) {
  const text = (length) => head + unit.repeat(Math.ceil(length / unit.length)) + tail
  const shortMs = time(text(4000))
  if (shortMs <= worst) continue
  worst = shortMs
  parentPort.postMessage({ text: JSON.stringify([head, unit, tail]), shortMs, longMs: time(text(16000)) })
}
parentPort.postMessage(null)
`
const LONGEST_MS = 20_000

export function tryExpression({ at: now, source, flags }: Expression): Promise<SlowExpression | null> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(TRIAL, { eval: true, workerData: { source, flags } })
    let worst: SlowExpression | null = null
    const done = (): void => {
      clearTimeout(timer)
      void worker.terminate()
      // Linear if four times the length takes at most six times as long.
      resolve(worst !== null && worst.longMs > 6 * worst.shortMs ? worst : null)
    }
    const timer = setTimeout(done, LONGEST_MS)
    worker.on('error', reject)
    worker.on('message', (slow: Omit<SlowExpression, 'at'> | null) => {
      if (slow === null) done()
      else worst = { at: now, ...slow }
    })
  })
}
