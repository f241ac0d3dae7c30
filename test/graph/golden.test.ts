import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { GRAPH_TOOLS } from './tools.js'
import { openWorld, tickingClock, type World } from './world.js'

/** One line of a transcript: a call with its response, or time passing. UPDATE_GOLDEN=1 writes the current responses. */
const lineSchema = z.union([
  z.strictObject({ advance: z.number() }),
  z.strictObject({ call: z.string(), input: z.record(z.string(), z.unknown()), as: z.string().optional(), answer: z.unknown().optional() }),
])

const folder = fileURLToPath(new URL('../golden/graph', import.meta.url))
const recording = process.env.UPDATE_GOLDEN === '1'
const files = readdirSync(folder).filter((file) => file.endsWith('.jsonl'))

/** `{{x*100}}` is a long text, `$name` the id of a node created earlier. */
function expand(value: unknown, names: ReadonlyMap<string, string>): unknown {
  if (typeof value === 'string') {
    const long = /^\{\{(.+)\*(\d+)\}\}$/u.exec(value)
    if (long !== null) return (long[1] ?? '').repeat(Number(long[2]))
    return value.startsWith('$') ? (names.get(value.slice(1)) ?? value) : value
  }
  if (Array.isArray(value)) return value.map((entry) => expand(entry, names))
  return typeof value === 'object' && value !== null
    ? Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, expand(entry, names)]))
    : value
}

/** Replaces long texts by their length, and the location of the store by a placeholder. */
function shorten(value: unknown): unknown {
  if (typeof value === 'string')
    return value.length > 300 ? `${value.slice(0, 4)}… (${value.length})` : value.replace(/to \/.*mneme\.db$/u, 'to the store')
  if (Array.isArray(value)) return value.map(shorten)
  return typeof value === 'object' && value !== null
    ? Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, shorten(entry)]))
    : value
}

async function replay(
  file: string,
  world: World,
  time: { advance(microseconds: number): void },
): Promise<{ readonly expected: unknown[]; readonly actual: unknown[] }> {
  const path = join(folder, file)
  const lines = readFileSync(path, 'utf8')
    .trim()
    .split('\n')
    .map((line) => lineSchema.parse(JSON.parse(line)))
  const names = new Map<string, string>()
  const actual: unknown[] = []
  const expected: unknown[] = []
  const record: string[] = []
  for (const line of lines) {
    if ('advance' in line) {
      time.advance(line.advance * 1000)
      record.push(JSON.stringify(line))
      continue
    }
    time.advance(1e6)
    const input = z.record(z.string(), z.unknown()).parse(expand(line.input, names))
    const answer = await world.call(line.call, input)
    const node = z.object({ node: z.object({ id: z.string() }) }).safeParse(answer)
    if (line.as !== undefined && node.success) names.set(line.as, node.data.node.id)
    const shown = { call: line.call, input: line.input, ...(line.as === undefined ? {} : { as: line.as }), answer: shorten(answer) }
    record.push(JSON.stringify(shown))
    actual.push(shown)
    expected.push({ ...shown, answer: line.answer })
  }
  if (recording) writeFileSync(path, `${record.join('\n')}\n`)
  return { expected: recording ? actual : expected, actual }
}

describe('the graph contract, as recorded', () => {
  let world: World | undefined
  afterEach(() => world?.close())

  it('has a transcript for every tool', () => {
    const text = files.map((file) => readFileSync(join(folder, file), 'utf8')).join('')
    expect(GRAPH_TOOLS.filter((tool) => !text.includes(`"call":"${tool}"`))).toEqual([])
    expect(existsSync(folder)).toBe(true)
  })

  it.each(files)('%s', async (file) => {
    const steps = tickingClock()
    // Time does not pass within a call, so that background reads of the clock have no effect.
    const clock = { ...steps, now: () => steps.peek() }
    world = await openWorld({}, undefined, clock)
    const { expected, actual } = await replay(file, world, clock)
    expect(actual).toEqual(expected)
  })
})
