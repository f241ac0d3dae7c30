import { randomUUID } from 'node:crypto'
import type { Answer, Operation } from '../../contracts/operation.js'
import { LOCAL_PRINCIPAL } from '../../contracts/operation.js'
import { fromText, parseJson, propertiesOf, type Schema, typesOf } from '../../contracts/text-input.js'
import { MemoryError } from '../../errors.js'
import type { Host } from '../host.js'
import { createDispatch } from '../host.js'
import type { Log } from '../log.js'
import type { Flag } from './flags.js'
import type { Terminal } from './terminal.js'
import { pipeOf, progressLine, readAll, readPiped } from './terminal.js'

interface GivenInput {
  readonly flags: readonly Flag[]
  /** Values as collected by commander, by attribute name. */
  readonly values: Readonly<Record<string, unknown>>
  readonly positionals: readonly (string | readonly string[] | undefined)[]
  /** The text of `--json`, `-` for stdin. */
  readonly json: string | undefined
}

/** Flags take precedence over positional arguments, and these over JSON. */
export async function collectInput(operation: Operation, cliInput: GivenInput, terminal: Terminal): Promise<Record<string, unknown>> {
  const input: Record<string, unknown> =
    cliInput.json === undefined ? {} : toObject(cliInput.json === '-' ? await readAll(terminal) : cliInput.json)
  const properties = propertiesOf(operation.schemas.input)
  // `-` as the first argument means stdin.
  const isDash = cliInput.json !== '-' && [cliInput.positionals[0]].flat().join(' ') === '-'
  const dashed = isDash && operation.usesPipe !== true ? (await readAll(terminal)).trimEnd() : undefined
  operation.positionals.forEach((name, index) => {
    const words = index === 0 && dashed !== undefined ? dashed : cliInput.positionals[index]
    if (words === undefined || words.length === 0) return
    const schema = properties[name] ?? {}
    input[name] = fromText(schema, typeof words === 'string' ? words : toGiven(schema, words))
  })
  for (const { property, schema, option } of cliInput.flags) {
    const value = cliInput.values[option.attributeName()]
    if (typeof value === 'string' || isWords(value)) input[property] = fromText(schema, value)
  }
  const required = Array.isArray(operation.schemas.input.required) ? operation.schemas.input.required : []
  const first = operation.positionals[0]
  if (cliInput.json === undefined && required.some((name) => input[name] === undefined)) {
    const piped = await readPiped(terminal)
    if (piped !== undefined && (piped.trimStart().startsWith('{') || first === undefined)) return { ...toObject(piped), ...input }
    if (piped !== undefined && first !== undefined && input[first] === undefined)
      input[first] = fromText(properties[first] ?? {}, piped.trimEnd())
  }
  return input
}

/** The words of a last argument: a list if the schema accepts one and there are several, otherwise a text. */
const toGiven = (schema: Schema, words: readonly string[]): string | readonly string[] =>
  schema.type === 'array' || (words.length > 1 && typesOf(schema).includes('array')) ? words : words.join(' ')

const LONG_MS = 60_000
const SIGNALS = ['SIGINT', 'SIGTERM'] as const

/**
 * Runs one operation and closes the store; rejects with its failure. Undefined if the operation wrote its own output. Ctrl-C cancels it.
 */
export async function runOperation(
  context: { readonly host: Host; readonly log: Log; readonly terminal: Terminal },
  operation: Operation,
  input: unknown,
): Promise<Answer | undefined> {
  const { host, log, terminal } = context
  const abort = new AbortController()
  const interrupt = () => abort.abort()
  if (terminal.interrupted === undefined) for (const name of SIGNALS) process.once(name, interrupt)
  else terminal.interrupted.addEventListener('abort', interrupt, { once: true })
  const progress = progressLine(terminal)
  // Timers of waiting operations do not keep the process alive, but a command waits for its response.
  const alive = setInterval(() => undefined, LONG_MS)
  try {
    const pipe = pipeOf(terminal)
    const call = {
      operation,
      input,
      principal: LOCAL_PRINCIPAL,
      actor: 'cli',
      connection: randomUUID(),
      signal: abort.signal,
      progress: progress.show,
      pipe,
    }
    const outcome = await createDispatch(host, log).invoke(call)
    if (!outcome.ok) throw outcome.error
    return pipe.written() ? undefined : outcome.answer
  } finally {
    progress.clear()
    for (const name of SIGNALS) process.off(name, interrupt)
    await host.close().finally(() => clearInterval(alive))
  }
}

function toObject(text: string): Record<string, unknown> {
  const value = parseJson(text)
  if (isObject(value)) return { ...value }
  throw new MemoryError('invalid_input', 'The input must be one JSON object.', { hint: `For example --json '{"query": "tea"}'.` })
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isWords(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((word) => typeof word === 'string')
}
