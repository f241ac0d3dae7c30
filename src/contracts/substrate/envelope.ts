import { z } from 'zod'
import type { JournalEntry } from '../../core/journal/change.js'
import { knownHint } from '../../errors/known-names.js'
import { MemoryError } from '../../errors.js'
import { type Answer, type Call, type Effect, type Mode, type Operation, operation } from '../operation.js'
import { isRecord } from '../wire-schema.js'

/** Absent and null are equivalent in this contract. */
export const optional = <S extends z.ZodType>(schema: S) => schema.nullish().transform((value) => value ?? undefined)

/** For modes without arguments or options. */
export const NO_DATA = z.strictObject({})

/** A mode of a tool with its own arguments; the generic types are enclosed. */
export interface ToolMode extends Mode {
  /** The call must contain `options.apply=true`, which is checked first. */
  readonly needsApply: boolean
  run(call: Call, input: unknown, options: unknown): Promise<Answer>
}

interface ToolModeSpec<I extends z.ZodObject, O extends z.ZodObject> {
  readonly effect: Effect
  readonly longRunning?: boolean
  readonly needsApply?: boolean
  readonly input: I
  readonly options: O
  run(call: Call, input: z.output<I>, options: z.output<O>): Promise<Answer>
}

export function toolMode<I extends z.ZodObject, O extends z.ZodObject>(spec: ToolModeSpec<I, O>): ToolMode {
  return {
    effect: spec.effect,
    longRunning: spec.longRunning ?? false,
    needsApply: spec.needsApply ?? false,
    run: (call, input, options) =>
      spec.run(call, readInput(spec.input, input, ['args', 'input_data']), readInput(spec.options, options ?? {}, ['args', 'options'])),
  }
}

/** Parses the input of a mode; errors have the format of this contract. */
export function readInput<S extends z.ZodType>(schema: S, value: unknown, path: readonly string[]): z.output<S> {
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  throw new MemoryError('invalid_input', wordRefusal(parsed.error, path))
}

/** Formats input errors: one line per problem, with the full path of the field. */
const wordRefusal = (error: z.ZodError, path: readonly string[] = []): string =>
  error.issues.flatMap((issue) => wordIssue(issue, path)).join('\n')

function wordIssue(issue: z.core.$ZodIssue, path: readonly string[]): readonly string[] {
  const where = [...path, ...issue.path.map(String)].join('.')
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key) => `${where === '' ? key : `${where}.${key}`}: Extra inputs are not permitted`)
  if (issue.code === 'invalid_type' && issue.message.endsWith('received undefined')) return [`${where}: Field required`]
  return [`${where === '' ? 'arguments' : where}: ${issue.message}`]
}

interface ToolSpec {
  readonly name: string
  /** The noun used in messages. */
  readonly noun: string
  readonly title: string
  readonly description: string
  /** The strongest of its modes. */
  readonly effect: Effect
  /** What `input_data` and `options` may contain, for the listing. */
  readonly inputData: string
  readonly options: string
  readonly modes: Readonly<Record<string, ToolMode>>
  /** Rebuilds the response of an earlier call from its journal entries. */
  recover?(call: Call, args: { readonly mode: string; readonly input_data: Answer }, entries: readonly JournalEntry[]): Promise<Answer>
}

/** A tool of this contract: a common envelope with a mode. */
export function tool(spec: ToolSpec): Operation {
  const names = Object.keys(spec.modes)
  const { recover } = spec
  const anything = (description: string) => z.record(z.string(), z.unknown()).meta({ wire: 'object' }).describe(description)
  const input = z.strictObject({
    args: z.strictObject({
      mode: z.string().meta({ enum: names }),
      input_data: anything(spec.inputData),
      options: anything(spec.options).nullish(),
    }),
  })
  const modeNamed = (raw: Readonly<Record<string, unknown>>): ToolMode | undefined => {
    const mode = isRecord(raw.args) ? raw.args.mode : undefined
    return typeof mode === 'string' && Object.hasOwn(spec.modes, mode) ? spec.modes[mode] : undefined
  }
  return operation({
    name: spec.name,
    title: spec.title,
    description: spec.description,
    effect: spec.effect,
    idempotent: spec.effect === 'read',
    mode: (raw) => {
      const { effect = spec.effect, longRunning = false } = modeNamed(raw) ?? {}
      return { effect, longRunning }
    },
    refusal: (error) => wordRefusal(error),
    input,
    output: z.record(z.string(), z.unknown()),
    ...(recover === undefined
      ? {}
      : {
          recover: (call: Call, { args }: z.output<typeof input>, entries: readonly JournalEntry[]) => recover(call, args, entries),
        }),
    async run(call, input) {
      const mode = modeNamed(input)
      const { args } = input
      if (mode === undefined)
        throw new MemoryError('invalid_input', `Unsupported ${spec.noun} mode: ${args.mode.slice(0, 100)}`, {
          hint: knownHint(args.mode, names),
        })
      if (mode.needsApply && args.options?.apply !== true)
        throw new MemoryError('invalid_input', `${spec.name} mode '${args.mode}' mutates memory and requires options.apply=true`)
      return mode.run(call, args.input_data, args.options)
    },
  })
}
