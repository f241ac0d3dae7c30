import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { finished } from 'node:stream/promises'
import { parseArgs } from 'node:util'
import { root, saveResult } from '../result.js'

// npm run bench import -- [--facts 100000] [--megabytes 1024] [--out file]
// Time of an import and largest resident memory of its process: facts as JSON lines, undone again; a ChatGPT export.
const { values } = parseArgs({
  args: process.argv.slice(2),
  options: { facts: { type: 'string', default: '100000' }, megabytes: { type: 'string', default: '1024' }, out: { type: 'string' } },
})

const folder = mkdtempSync(join(tmpdir(), 'mneme-import-bench-'))
const WORDS = 'gateway billing retry harbour lantern invoice ledger market window copper orchard signal winter bridge paper'.split(' ')
const sentence = (seed: number, words: number): string =>
  Array.from({ length: words }, (_, i) => WORDS[(seed * 7 + i * 13) % WORDS.length]).join(' ')

async function write(name: string, parts: Iterable<string>): Promise<string> {
  const path = join(folder, name)
  const out = createWriteStream(path)
  for (const part of parts) if (!out.write(part)) await once(out, 'drain')
  out.end()
  await finished(out)
  return path
}

function* factLines(count: number): Generator<string> {
  for (let i = 0; i < count; i++)
    yield `${JSON.stringify({ id: i, text: `Note ${i}: ${sentence(i, 18)}.`, date: '2026-01-01T00:00:00Z', author: `person ${i % 50}` })}\n`
}

/** Conversations of about 64 kB each. */
function* conversations(megabytes: number): Generator<string> {
  const count = megabytes * 16
  for (let c = 0; c < count; c++) {
    const mapping: Record<string, unknown> = { root: { id: 'root', parent: null, children: ['0'], message: null } }
    for (let i = 0; i < 40; i++)
      mapping[i] = {
        ...{ id: String(i), parent: i === 0 ? 'root' : String(i - 1), children: i === 39 ? [] : [String(i + 1)] },
        message: {
          ...{ author: { role: i % 2 === 0 ? 'user' : 'assistant' }, create_time: 1_700_000_000 + c * 100 + i, recipient: 'all' },
          content: {
            content_type: 'text',
            parts: [i === 4 ? `We decided to use ${WORDS[c % WORDS.length]} number ${c} for the store.` : sentence(c + i, 190)],
          },
        },
      }
    const conversation = { id: `c${c}`, title: sentence(c, 4), create_time: 1_700_000_000 + c * 100, current_node: '39', mapping }
    yield `${c === 0 ? '[' : ','}${JSON.stringify(conversation)}\n`
  }
  yield ']'
}

interface Measured {
  readonly seconds: number
  readonly peakMb: number
  readonly answer: Record<string, unknown>
}

/** Runs the program; its largest resident memory is read from the kernel until it ends. */
async function measured(...args: readonly string[]): Promise<Measured> {
  const from = performance.now()
  const child = spawn(process.execPath, [join(root, 'dist', 'main.js'), ...args, '--embedder', 'none'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let text = ''
  let peakKb = 0
  child.stdout.setEncoding('utf8').on('data', (part: string) => (text += part))
  const timer = setInterval(() => {
    try {
      peakKb = Math.max(peakKb, Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1] ?? 0))
    } catch {
      // It has ended, or this system has no such file.
    }
  }, 100)
  await once(child, 'close')
  clearInterval(timer)
  const answer: unknown = JSON.parse(text)
  return {
    seconds: Math.round((performance.now() - from) / 100) / 10,
    peakMb: Math.round(peakKb / 1024),
    answer: typeof answer === 'object' && answer !== null ? { ...answer } : {},
  }
}

try {
  const facts = Number(values.facts)
  const megabytes = Number(values.megabytes)
  const lines = await write('facts.jsonl', factLines(facts))
  const data = ['--data-dir', join(folder, 'data')]
  const first = await measured('import', lines, '--from', 'table', ...data)
  process.stderr.write(`${facts} facts: ${first.seconds} s, ${first.peakMb} MB\n`)
  const again = await measured('import', lines, '--from', 'table', ...data)
  const undone = await measured('undo', String(first.answer.run), ...data)
  process.stderr.write(`again: ${again.seconds} s; undone: ${undone.seconds} s, ${undone.peakMb} MB\n`)
  const chats = await write('conversations.json', conversations(megabytes))
  const bytes = statSync(chats).size
  const chatgpt = await measured('import', chats, '--data-dir', join(folder, 'chatgpt'))
  process.stderr.write(`${Math.round(bytes / 1e6)} MB of conversations: ${chatgpt.seconds} s, ${chatgpt.peakMb} MB\n`)
  const brief = ({ seconds, peakMb, answer }: Measured) => ({
    seconds,
    peakMb,
    facts: answer.facts,
    skipped: answer.skipped,
    undone: answer.undone,
  })
  saveResult(
    'import',
    { facts: brief(first), again: brief(again), undone: brief(undone), chatgpt: { bytes, ...brief(chatgpt) } },
    values.out,
  )
} finally {
  rmSync(folder, { recursive: true, force: true })
}
