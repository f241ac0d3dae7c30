import { z } from 'zod'
import type { Right } from '../core/access/access-filter.js'
import { toActor } from '../core/access/actor.js'
import type { JsonObject } from '../core/encoding/json.js'
import { checkDepth } from '../core/input/input.js'
import type { JournalEntry } from '../core/journal/change.js'
import { type Context, reportMasked } from '../engine/context.js'
import { runIdempotentCall } from '../engine/history/idempotency.js'
import { shownNames } from '../errors/known-names.js'
import { MemoryError } from '../errors.js'
import { ARGUMENT, callId, takeKey, withKey } from './idempotency-key.js'
import { describeIssues, unknownKeysHint } from './input-errors.js'
import type { Answer, PlainText } from './plain-text.js'
import { isRecord, readPlain, toExactSchema, toJsonSchema, type WireSchema } from './wire-schema.js'

export { LOCAL_PRINCIPAL, type Principal } from '../core/access/access-filter.js'
export type { Engine } from '../engine/engine.js'
export { authorise, LOCAL_WITHOUT_GARDENS, showsGardens } from './authorise.js'
export type { Answer } from './plain-text.js'

/** What a surface knows about one call. Nothing in here outlives it. */
export interface Call {
  readonly context: Context
  /** Who is calling, as written to the journal. */
  readonly actor: string
  /** Facts stored over one connection without a session are neighbours. */
  readonly connection: string
  progress(done: number, total: number | null, message: string): void
  /** Relative paths in the input start here; the folder of this process unless given. */
  readonly cwd?: string
  /** Standard input and output of a command; other surfaces have none. */
  readonly pipe?: Pipe
  /** The door it came through, where there is one. */
  readonly door?: { readonly url: string; readonly addresses: readonly string[]; readonly asksForKey: boolean }
  /** The settings in force and where each value comes from, where the surface knows them. */
  settings?(): readonly { readonly key: string; readonly value: unknown; readonly origin: string }[]
}

export interface Pipe {
  /** Writes JSON in place of the answer. */
  write(text: string): Promise<void>
  lines(): AsyncIterable<string>
  /** Whether anything is piped in; an open pipe that stays silent is not waited for. */
  hasInput?(): Promise<boolean>
}

/** What a call does: the strongest of its modes where they differ. */
export type Effect = 'read' | 'write' | 'destroy'

export interface Mode {
  readonly effect: Effect
  /** Minutes of work: later calls of the same connection do not wait for it. */
  readonly longRunning: boolean
}

/** What a key must allow before a call is begun. */
export type { Right } from '../core/access/access-filter.js'

/**
 * Where an operation is served over HTTP. Path parameters (`:id`, or `:id{.+}` for one with slashes in it), the query and the
 * body make one input; text in path and query is read as what the schema asks for.
 */
export interface Route {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly path: string
  /** Of an answer that is no failure; 204 sends none. */
  readonly status: number
  /** Another status by what was answered, such as 200 for what was there already. */
  statusOf?(answer: Answer): number
  /** The statuses `statusOf` may return in addition to `status`. */
  readonly otherStatuses?: readonly number[]
  /** What is sent of the answer, where a client expects something else than the whole. */
  bodyOf?(answer: Answer): unknown
  /** Asks for no key. */
  readonly open?: true
}

export interface OperationSpec<I extends z.ZodObject, O extends z.ZodType> {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly effect: Effect
  readonly idempotent: boolean
  readonly longRunning?: boolean
  /** What differs by what is asked: arguments as they came, before they are checked. */
  mode?(input: Readonly<Record<string, unknown>>): Partial<Mode>
  /** Unless given, a POST under the name of its contract; the first of several is the one it is known by. */
  readonly route?: Route | readonly Route[]
  /** Unless given, what its effect asks for. */
  readonly right?: Right
  /** False keeps it out of `tools/list`; it can be called all the same. */
  readonly listed?: boolean
  /** Clients with strict schemas send null for what they leave unset, so null is read as absent unless this says that it means something. */
  readonly nulls?: 'absent' | 'kept'
  /** What input of a wrong shape is refused as: `unprocessable` answers 422 over HTTP, under the same stable reason. */
  readonly malformed?: 'invalid_input' | 'unprocessable'
  /** The words of the command that stands for it, `keys create`; unless given, its name. */
  readonly command?: string
  /** How refused input is worded; `describeIssues` unless given. */
  refusal?(error: z.ZodError): string
  /** Arguments the command line takes without a flag, in order. */
  readonly positionals?: readonly string[]
  readonly input: I
  readonly output: O
  run(call: Call, input: z.output<I>): Promise<z.input<O>>
  /** The answer of an earlier call from the entries it left in the journal, for when its process ended before it had answered. */
  recover?(call: Call, input: z.output<I>, entries: readonly JournalEntry[]): Promise<z.input<O>> | z.input<O>
  /** How a person reads the answer at a terminal; without it the surface writes out its fields. */
  readonly text?: PlainText
  /** False for work of many commits that is simply done again: it takes no idempotency key. */
  readonly keyed?: false
}

/** Made when they are first asked for: most starts serve a handful of calls. */
export interface WireSchemas {
  readonly input: WireSchema
  readonly output: WireSchema
  /** Both without what a listing leaves out: typed clients are generated from these. */
  exact(): { readonly input: WireSchema; readonly output: WireSchema }
}

/** A tool, route and command in one value; what it answers names the kinds of secrets that it masked, if any (`masked`); the generics are closed over, so that a list of them needs no cast. */
export interface Operation {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly effect: Effect
  readonly idempotent: boolean
  readonly longRunning: boolean
  readonly routes: readonly Route[]
  readonly right?: Right
  /** Whether it knows nothing of scopes and gardens: set by its contract. */
  readonly plain?: boolean
  readonly command?: string
  readonly listed: boolean
  readonly positionals: readonly string[]
  readonly schemas: WireSchemas
  readonly text?: PlainText
  /** What a call with this input does. */
  modeOf(raw: unknown): Mode
  call(call: Call, raw: unknown): Promise<Answer>
}

export function operation<I extends z.ZodObject, O extends z.ZodType>(spec: OperationSpec<I, O>): Operation {
  const keyed = spec.effect !== 'read' && spec.keyed !== false
  const longRunning = spec.longRunning ?? false
  const modeOf = (raw: unknown): Mode => ({ effect: spec.effect, longRunning, ...(isRecord(raw) ? spec.mode?.(raw) : {}) })
  const readNulls = spec.nulls === 'kept' ? (raw: unknown) => raw : withoutNulls
  const schemas = schemasOf(spec, keyed)
  return {
    name: spec.name,
    title: spec.title,
    description: spec.description,
    effect: spec.effect,
    idempotent: spec.idempotent,
    longRunning,
    listed: spec.listed ?? true,
    routes: spec.route === undefined ? [] : [spec.route].flat(),
    ...(spec.command === undefined ? {} : { command: spec.command }),
    ...(spec.right === undefined ? {} : { right: spec.right }),
    modeOf,
    positionals: spec.positionals ?? [],
    schemas,
    ...(spec.text === undefined ? {} : { text: spec.text }),
    async call(call, raw) {
      checkArguments(raw)
      const { key, said } = keyed ? takeKey(readNulls(raw ?? {})) : { key: undefined, said: readNulls(raw ?? {}) }
      const parsed = spec.input.safeParse(readPlain(schemas.input, said))
      if (!parsed.success)
        throw new MemoryError(spec.malformed ?? 'invalid_input', (spec.refusal ?? describeIssues)(parsed.error), {
          reason: 'invalid_input',
          // A contract that words refusals itself has them to the letter.
          ...(spec.refusal === undefined ? unknownKeysHint(spec.input, parsed.error, keyed ? [ARGUMENT] : []) : {}),
        })
      const masked = new Set<string>()
      const note = (kinds: readonly string[]): void => {
        for (const kind of kinds) masked.add(kind)
      }
      const known = { ...call, actor: toActor(call.actor) }
      const run = async (context: Context): Promise<Answer> => {
        const noting = modeOf(said).effect === 'read' ? context : reportMasked(context, note)
        const answer = answerSchema.parse(await spec.run({ ...known, context: noting }, parsed.data))
        if (checked) checkAnswer(spec.name, spec.output, answer)
        return masked.size === 0 ? answer : { ...answer, masked: [...masked] }
      }
      if (key === undefined) return run(call.context)
      const { recover } = spec
      return runIdempotentCall(call.context, {
        call: callId(known, spec.name, key, readPlain(schemas.input, said)),
        run: async (context) => jsonAnswer.parse(await run(context)),
        recover: recover === undefined ? undefined : async (entries) => jsonAnswer.parse(await recover(known, parsed.data, entries)),
      })
    },
  }
}

function schemasOf({ input, output }: { readonly input: z.ZodObject; readonly output: z.ZodType }, keyed: boolean): WireSchemas {
  let taken: WireSchema | undefined
  let given: WireSchema | undefined
  return {
    get input() {
      taken ??= keyed ? withKey(toJsonSchema(input, 'input')) : toJsonSchema(input, 'input')
      return taken
    },
    get output() {
      given ??= toJsonSchema(output, 'output')
      return given
    },
    exact: () => ({
      input: keyed ? withKey(toExactSchema(input, 'input')) : toExactSchema(input, 'input'),
      output: toExactSchema(output, 'output'),
    }),
  }
}

/** More members are not read: each would be copied and checked several times before it is refused. */
const MAX_ARGUMENTS = 1000

function checkArguments(raw: unknown): void {
  if (!isRecord(raw)) return
  const names = Object.keys(raw)
  if (names.length > MAX_ARGUMENTS)
    throw new MemoryError('invalid_input', `More than ${MAX_ARGUMENTS.toLocaleString('en')} arguments: ${shownNames(names)}`, {
      hint: 'Send only the arguments of the operation.',
    })
  for (const name of names) checkDepth(raw[name], name)
}

let checked = false

/** From here on an answer that its own schema does not allow fails the call; tests run so. */
export function checkAnswers(): void {
  checked = true
}

function checkAnswer(name: string, schema: z.ZodType, answer: Answer): void {
  const parsed = schema.safeParse(JSON.parse(JSON.stringify(answer)))
  if (!parsed.success) throw new TypeError(`The answer of ${name} is not what its schema says: ${z.prettifyError(parsed.error)}`)
}

const withoutNulls = (raw: unknown): unknown =>
  isRecord(raw) && !Array.isArray(raw) ? Object.fromEntries(Object.entries(raw).filter(([, value]) => value !== null)) : raw

const answerSchema = z.record(z.string(), z.unknown())
/** As it is stored and sent: members that are undefined are absent. */
const jsonAnswer = answerSchema.transform((answer): JsonObject => JSON.parse(JSON.stringify(answer)))
