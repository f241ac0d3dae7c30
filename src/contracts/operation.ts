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
import { callId, KEY_ARGUMENT, takeKey, withKey } from './idempotency-key.js'
import { describeIssues, unknownKeysHint } from './input-errors.js'
import type { Answer, PlainText } from './plain-text.js'
import { isRecord, readPlain, toExactSchema, toJsonSchema, type WireSchema } from './wire-schema.js'

export { LOCAL_PRINCIPAL, type Principal } from '../core/access/access-filter.js'
export type { Engine } from '../engine/engine.js'
export { authorise, LOCAL_WITHOUT_GARDENS, showsGardens } from './authorise.js'
export type { Answer } from './plain-text.js'

/** What a surface knows about one call; nothing in it is kept after the call. */
export interface Call {
  readonly context: Context
  /** The caller as named in the journal. */
  readonly actor: string
  /** Facts stored over one connection without a session become neighbours. */
  readonly connection: string
  progress(done: number, total: number | null, message: string): void
  /** Base of relative paths in the input; by default the working directory of this process. */
  readonly cwd?: string
  /** Paths of files that the caller uploaded for this call. */
  readonly uploaded?: ReadonlySet<string>
  /** Standard input and output of a command; absent on other surfaces. */
  readonly pipe?: Pipe
  /** The HTTP endpoint of the call, if any. */
  readonly door?: { readonly url: string; readonly addresses: readonly string[]; readonly asksForKey: boolean }
  /** Current settings and their origins, if the surface knows them. */
  settings?(): readonly { readonly key: string; readonly value: unknown; readonly origin: string }[]
}

export interface Pipe {
  /** Writes JSON instead of the response. */
  write(text: string): Promise<void>
  lines(): AsyncIterable<string>
  /** True if input is piped in; an open pipe without data is not awaited. */
  hasInput?(): Promise<boolean>
  /** Asks a person at a terminal; undefined where there is none. */
  ask?(question: string): Promise<string | undefined>
}

/** The effect of a call: the strongest of its modes. */
export type Effect = 'read' | 'write' | 'destroy'

export interface Mode {
  readonly effect: Effect
  /** Takes minutes: later calls of the connection do not wait for it. */
  readonly longRunning: boolean
}

/** The right that a key needs before a call runs. */
export type { Right } from '../core/access/access-filter.js'

/**
 * An HTTP route. Path parameters (`:id`, or `:id{.+}` for one with slashes), query and body form one input; text in path and query is
 * converted to the types of the schema.
 */
export interface Route {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly path: string
  /** Status of a successful response; 204 has no body. */
  readonly status: number
  /** Another status depending on the response, such as 200 for an existing object. */
  statusOf?(answer: Answer): number
  /** The statuses `statusOf` may return in addition to `status`. */
  readonly otherStatuses?: readonly number[]
  /** The response body, if a client expects only a part of the response. */
  bodyOf?(answer: Answer): unknown
  /** Requires no key. */
  readonly open?: true
}

/** A page that hosts with MCP Apps (extension `io.modelcontextprotocol/ui`) show for an answer. */
interface ToolView {
  /** A view of the contract. */
  readonly uri: string
  /** Called by the page; models are not offered it. */
  readonly forPages?: true
}

interface OperationSpec<I extends z.ZodObject, O extends z.ZodType> {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly effect: Effect
  readonly idempotent: boolean
  readonly longRunning?: boolean
  /** The mode selected by unvalidated arguments. */
  mode?(input: Readonly<Record<string, unknown>>): Partial<Mode>
  /** By default a POST under the name of its contract; the first of several routes is the canonical one. */
  readonly route?: Route | readonly Route[]
  /** By default derived from the effect. */
  readonly right?: Right
  /** False excludes it from `tools/list`; it can still be called. */
  readonly listed?: boolean
  /** Hosts that show it list the tool even if it is not listed otherwise. */
  readonly view?: ToolView
  /** Clients with strict schemas send null for unset arguments, so null is read as absent unless it has a meaning here. */
  readonly nulls?: 'absent' | 'kept'
  /** Error kind of malformed input: `unprocessable` returns 422 over HTTP with the same reason. */
  readonly malformed?: 'invalid_input' | 'unprocessable'
  /** The words of its command, such as `keys create`; by default its name. */
  readonly command?: string
  /** Formats input errors; `describeIssues` by default. */
  refusal?(error: z.ZodError): string
  /** Positional arguments of the command, in order. */
  readonly positionals?: readonly string[]
  /** `-` reaches the operation, which reads or writes the pipe of the call itself. Otherwise the command line replaces it by standard input. */
  readonly usesPipe?: true
  readonly input: I
  readonly output: O
  run(call: Call, input: z.output<I>): Promise<z.input<O>>
  /** Rebuilds the response of an earlier call from its journal entries, if its process ended before it responded. */
  recover?(call: Call, input: z.output<I>, entries: readonly JournalEntry[]): Promise<z.input<O>> | z.input<O>
  /** Formats the response at a terminal; without it the surface prints its fields. */
  readonly text?: PlainText
  /** False for work of many commits that can be repeated: it accepts no idempotency key. */
  readonly keyed?: false
}

/** Created on first use, because most processes serve few operations. */
interface WireSchemas {
  readonly input: WireSchema
  readonly output: WireSchema
  /** Both schemas without the omissions of a listing; typed clients are generated from them. */
  exact(): { readonly input: WireSchema; readonly output: WireSchema }
}

/**
 * A tool, route and command in one value. If secrets were masked, the response lists their kinds in `masked`. The generic types are
 * enclosed, so a list of operations needs no cast.
 */
export interface Operation {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly effect: Effect
  readonly idempotent: boolean
  readonly longRunning: boolean
  readonly routes: readonly Route[]
  readonly right?: Right
  /** True if it supports no scopes and gardens; set by its contract. */
  readonly plain?: boolean
  readonly command?: string
  readonly listed: boolean
  readonly view?: ToolView
  readonly positionals: readonly string[]
  readonly usesPipe?: true
  readonly schemas: WireSchemas
  readonly text?: PlainText
  /** The mode of a call with this input. */
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
    ...(spec.view === undefined ? {} : { view: spec.view }),
    ...(spec.command === undefined ? {} : { command: spec.command }),
    ...(spec.right === undefined ? {} : { right: spec.right }),
    modeOf,
    positionals: spec.positionals ?? [],
    ...(spec.usesPipe === undefined ? {} : { usesPipe: spec.usesPipe }),
    schemas,
    ...(spec.text === undefined ? {} : { text: spec.text }),
    async call(call, raw) {
      checkArguments(raw)
      const { key, input: args } = keyed ? takeKey(readNulls(raw ?? {})) : { key: undefined, input: readNulls(raw ?? {}) }
      const parsed = spec.input.safeParse(readPlain(schemas.input, args))
      if (!parsed.success)
        throw new MemoryError(spec.malformed ?? 'invalid_input', (spec.refusal ?? describeIssues)(parsed.error), {
          reason: 'invalid_input',
          // A contract with its own error format gets no hint appended.
          ...(spec.refusal === undefined ? unknownKeysHint(spec.input, parsed.error, keyed ? [KEY_ARGUMENT] : []) : {}),
        })
      const masked = new Set<string>()
      const note = (kinds: readonly string[]): void => {
        for (const kind of kinds) masked.add(kind)
      }
      const known = { ...call, actor: toActor(call.actor) }
      const run = async (context: Context): Promise<Answer> => {
        const noting = modeOf(args).effect === 'read' ? context : reportMasked(context, note)
        const answer = answerSchema.parse(await spec.run({ ...known, context: noting }, parsed.data))
        if (checked) checkAnswer(spec.name, spec.output, answer)
        return masked.size === 0 ? answer : { ...answer, masked: [...masked] }
      }
      if (key === undefined) return run(call.context)
      const { recover } = spec
      return runIdempotentCall(call.context, {
        call: callId(known, spec.name, key, readPlain(schemas.input, args)),
        run: async (context) => jsonAnswer.parse(await run(context)),
        recover: recover === undefined ? undefined : async (entries) => jsonAnswer.parse(await recover(known, parsed.data, entries)),
      })
    },
  }
}

function schemasOf({ input, output }: { readonly input: z.ZodObject; readonly output: z.ZodType }, keyed: boolean): WireSchemas {
  let taken: WireSchema | undefined
  let inputSchema: WireSchema | undefined
  return {
    get input() {
      taken ??= keyed ? withKey(toJsonSchema(input, 'input')) : toJsonSchema(input, 'input')
      return taken
    },
    get output() {
      inputSchema ??= toJsonSchema(output, 'output')
      return inputSchema
    },
    exact: () => ({
      input: keyed ? withKey(toExactSchema(input, 'input')) : toExactSchema(input, 'input'),
      output: toExactSchema(output, 'output'),
    }),
  }
}

/** Limit of arguments, because each is copied and checked several times. */
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

/** Enables validation of responses against their schema; used by tests. */
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
/** In stored and sent form: undefined members are absent. */
const jsonAnswer = answerSchema.transform((answer): JsonObject => JSON.parse(JSON.stringify(answer)))
