import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join, resolve } from 'node:path'
import type { Random } from './random.js'
import type { Tally } from './tally.js'
import { createCallMaker, type FuzzedTool } from './tool-calls.js'
import { brief, judgeAnswer, type Verdict } from './verdict.js'

const EXIT_CODES = [2, 3, 4, 5, 6, 7, 130]

/** `mneme call` with JSON on standard input, one process per call. */
export async function fuzzCommands(random: Random, tally: Tally, scratch: string, tools: readonly FuzzedTool[]): Promise<void> {
  const maker = createCallMaker(tools, random, scratch)
  while (!tally.over('commands')) {
    const { tool, input } = maker.make()
    const ended = await tally.timed('commands', tool.name, input, run(['call', tool.contract, tool.name], JSON.stringify(input), scratch))
    if (ended !== undefined) tally.note('commands', tool.name, input, judge(tool, ended))
  }
}

interface Ended {
  readonly code: number | null
  readonly out: string
  readonly err: string
}

async function run(args: readonly string[], input: string, scratch: string): Promise<Ended> {
  const flags = ['--data-dir', join(scratch, 'commands'), '--embedder', 'hash', '--log-level', 'error']
  const child = spawn(process.execPath, [resolve('dist/main.js'), ...args, ...flags], {
    cwd: join(scratch, 'files'),
    env: { PATH: process.env.PATH, HOME: scratch },
    stdio: 'pipe',
  })
  let out = ''
  let err = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text))
  child.stdin.on('error', () => undefined)
  child.stdin.end(input)
  await once(child, 'close')
  return { code: child.exitCode, out, err }
}

function judge(tool: FuzzedTool, { code, out, err }: Ended): Verdict {
  if (code === 0) return out.startsWith('{') && tool.name !== 'export' ? judgeAnswer(tool, JSON.parse(out)) : { outcome: 'answered' }
  const documented = code !== null && EXIT_CODES.includes(code) && err !== '' && !/internal error|\n\s+at /i.test(err)
  return { outcome: 'refused', ...(documented ? {} : { problem: `exit code ${code}: ${brief(err)}` }) }
}
