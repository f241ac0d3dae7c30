import { z } from 'zod'
import type { Operation } from '../../src/contracts/operation.js'
import { hostileNumber, hostileText, hostileValue } from './hostile.js'
import type { Random } from './random.js'

/** A tool as its server lists it. */
export interface FuzzedTool {
  readonly contract: string
  readonly name: string
  readonly inputSchema: unknown
  readonly outputSchema: unknown
}

/** As in its listing. */
export const toFuzzed = (contract: string, { name, schemas }: Operation): FuzzedTool => ({
  contract,
  name,
  inputSchema: schemas.input,
  outputSchema: schemas.output,
})

/** How the arguments were created: from the schema, with modifications, or independently of it. */
export type CallKind = 'fitting' | 'bent' | 'broken'

export interface ToolCall {
  readonly tool: FuzzedTool
  readonly kind: CallKind
  readonly input: unknown
}

/** Existing ids and names, from earlier results. */
export interface Known {
  learn(answer: unknown): void
  id(): string
}

export interface CallMaker extends Known {
  make(): ToolCall
}

interface Schema {
  readonly type: readonly string[]
  readonly properties: Readonly<Record<string, unknown>>
  readonly required: readonly string[]
  readonly enum: readonly unknown[] | undefined
  readonly anyOf: readonly unknown[] | undefined
  readonly items: unknown
  readonly minimum: number | undefined
  readonly maximum: number | undefined
}

const schemaShape = z.object({
  type: z.union([z.string(), z.array(z.string())]).optional(),
  properties: z.record(z.string(), z.unknown()).optional(),
  required: z.array(z.string()).optional(),
  enum: z.array(z.unknown()).optional(),
  anyOf: z.array(z.unknown()).optional(),
  items: z.unknown().optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
})

const read = new WeakMap<object, Schema>()

function schemaOf(value: unknown): Schema {
  const cached = typeof value === 'object' && value !== null ? read.get(value) : undefined
  if (cached !== undefined) return cached
  const input = schemaShape.safeParse(value).data ?? {}
  const type = input.type === undefined ? [] : Array.isArray(input.type) ? input.type : [input.type]
  const schema: Schema = {
    type,
    properties: input.properties ?? {},
    required: input.required ?? [],
    enum: input.enum,
    anyOf: input.anyOf,
    items: input.items,
    minimum: input.minimum,
    maximum: input.maximum,
  }
  if (typeof value === 'object' && value !== null) read.set(value, schema)
  return schema
}

/** Slow and destructive tools are called less often. */
const WEIGHTS: Readonly<Record<string, number>> = {
  index_project: 0.01,
  delete_project: 0.2,
  reset_all_memory: 0.05,
  get_status: 0.3,
  health_check: 0.3,
  doctor: 0.002,
  reindex: 0.002,
  backup: 0.002,
  export: 0.002,
  import: 0.02,
  jobs: 0.02,
}

const WORDS: readonly [string, ...string[]] = [
  'harbour',
  'ferry',
  'billing',
  'Dana',
  'gateway',
  'Porto',
  'the',
  'of',
  'deploys',
  'C++',
  'naïve',
  '東京',
]
const OWNERS: readonly [string, ...string[]] = ['default', 'alice', 'bob']
/** File arguments: must stay in the scratch folder. */
const FILE_ARGUMENTS = new Set(['index_project.path', 'backup.file', 'export.file', 'import.file'])
const MOST_IDS = 200

export function createCallMaker(tools: readonly FuzzedTool[], random: Random, scratch: string): CallMaker {
  const ids: string[] = []
  const total = tools.reduce((sum, tool) => sum + weightOf(tool), 0)

  const choose = (): FuzzedTool => {
    let left = random.next() * total
    for (const tool of tools) {
      left -= weightOf(tool)
      if (left < 0) return tool
    }
    throw new Error('There is no tool to call.')
  }

  const id = (): string => (random.chance(0.8) ? random.pick(ids) : undefined) ?? 'a'.repeat(20)

  const text = (key: string): string => {
    if (/(^|_)ids?$|entity$|superseded|supersedes/.test(key)) return id()
    if (/user_id|owner/.test(key)) return random.pick(OWNERS)
    if (/time|valid|as_of|date|since|until/.test(key)) return new Date(1.6e12 + random.int(4e8) * 1000).toISOString()
    return Array.from({ length: 1 + random.int(8) }, () => random.pick(WORDS)).join(' ')
  }

  const suiting = (schema: Schema, key: string): unknown => {
    if (schema.enum !== undefined) return random.pick(schema.enum)
    if (schema.anyOf !== undefined) return suiting(schemaOf(random.pick(schema.anyOf)), key)
    const type = random.pick(schema.type) ?? 'string'
    if (type === 'string') return text(key)
    if (type === 'integer') return (schema.minimum ?? 0) + random.int(Math.min(1000, schema.maximum ?? 100) - (schema.minimum ?? 0) + 1)
    if (type === 'number') return (schema.minimum ?? 0) + random.next() * ((schema.maximum ?? 1) - (schema.minimum ?? 0))
    // Rarely confirmed, so that the store fills up before it is emptied.
    if (type === 'boolean') return key === 'confirm' ? random.chance(0.01) : random.chance(0.5)
    if (type === 'array') return Array.from({ length: random.int(4) }, () => suiting(schemaOf(schema.items), key))
    if (type === 'object') return random.chance(0.5) ? { title: text('title'), author: text('author'), session: text('session') } : {}
    return null
  }

  const fitting = (tool: FuzzedTool): Record<string, unknown> => {
    const { properties, required } = schemaOf(tool.inputSchema)
    const chosen = Object.entries(properties).filter(([key]) => required.includes(key) || random.chance(0.3))
    return Object.fromEntries(chosen.map(([key, schema]) => [key, suiting(schemaOf(schema), key)]))
  }

  const bend = (tool: FuzzedTool, input: Record<string, unknown>): unknown => {
    const keys = Object.keys(schemaOf(tool.inputSchema).properties)
    const key = random.pick(keys) ?? 'extra'
    const way = random.int(8)
    if (way === 0) return Object.fromEntries(Object.entries(input).filter(([name]) => name !== key))
    if (way === 1) return Object.fromEntries([...Object.entries(input), [hostileText(random), hostileValue(random)]])
    if (way === 2)
      return JSON.parse(`{"__proto__":${JSON.stringify(hostileValue(random))},${JSON.stringify(input).slice(1)}`.replace(/,\}$/, '}'))
    if (way === 3) return { ...input, [key]: hostileNumber(random) }
    if (way === 4) return { ...input, [key]: hostileValue(random) }
    return { ...input, [key]: hostileText(random) }
  }

  const make = (): ToolCall => {
    const tool = choose()
    const dice = random.next()
    const kind: CallKind = dice < 0.3 ? 'fitting' : dice < 0.95 ? 'bent' : 'broken'
    const input = kind === 'broken' ? hostileValue(random) : kind === 'bent' ? bend(tool, fitting(tool)) : fitting(tool)
    return { tool, kind, input: contained(tool, input, scratch) }
  }

  return {
    make,
    id,
    learn(answer) {
      for (const found of JSON.stringify(answer)?.matchAll(/"([a-z0-9]{20})"/g) ?? []) {
        if (ids.length < MOST_IDS) ids.push(found[1] ?? '')
        else ids[random.int(MOST_IDS)] = found[1] ?? ''
      }
    },
  }
}

const weightOf = ({ name }: FuzzedTool): number => WEIGHTS[name.replace(/^graph_/, '')] ?? 1

function contained({ name }: FuzzedTool, input: unknown, scratch: string): unknown {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return input
  // In place: a copy would lose a key named __proto__.
  for (const [key, value] of Object.entries(input)) {
    if (!FILE_ARGUMENTS.has(`${name}.${key}`) || typeof value !== 'string' || value === '') continue
    const safe = value.startsWith('harbour') ? `${scratch}/project` : `${scratch}/files/${value.replaceAll('..', '').slice(0, 100)}`
    Object.defineProperty(input, key, { value: safe })
  }
  return input
}
