import { sha256 } from '../../core/encoding/hash.js'
import type { Json, JsonObject } from '../../core/encoding/json.js'
import type { Instant } from '../../core/facts/fact.js'
import { normalRemote, projectOwner } from '../../core/hooks/project.js'
import { MemoryError } from '../../errors.js'
import type { ConversationRecord, ImportRecord, RecognisedTree, RecordPlace } from '../../ports/importer.js'
import type { Lease } from '../../ports/jobs.js'
import { evictDead } from '../code/index-lease.js'
import type { Environment } from '../environment.js'
import { projectMemoryOf } from '../hooks/project-folders.js'
import { toMaskedText } from '../masking.js'
import { createItemWriter, type ItemCounts, type ItemSink } from '../transfer/item-writer.js'
import { type Item, type Repeats, takeLine } from '../transfer/items.js'
import { captureConversation, toTranscript } from './conversation-items.js'
import { RecordItems } from './import-records.js'
import { ImportFindings } from './import-report.js'
import { createItemPreview } from './item-preview.js'

const JOB_KIND = 'import'
const LEASE_US = 60e6
const PROGRESS_EVERY = 500
const MAX_ITEM_CHARS = 2000
/** Failures of a single record; others end the run. */
const FAULTS_OF_RECORDS: ReadonlySet<string> = new Set(['invalid_input', 'too_large'])

interface ImportRequest {
  readonly trees: readonly RecognisedTree[]
  /** Owner of all records; without it, the owner of each record or the default owner. */
  readonly owner?: string | undefined
  /** Project of all records: a repository address, a folder or a name. */
  readonly project?: string | undefined
  /** Skips records with an earlier date. */
  readonly since?: Instant | undefined
  /** Also stores conversations turn by turn, as documents. */
  readonly turns: boolean
  readonly sensitive: boolean
  readonly map: ReadonlyMap<string, string>
  /** Stores nothing. */
  readonly preview: boolean
}

interface ImportRunOptions {
  readonly signal: AbortSignal
  /** The share of the sources that was read; null where they are databases. */
  progress(records: number, message: string, share: number | null): void
}

export interface ImportRunReport {
  /** Null for a preview. */
  readonly run: string | null
  /** True if this run continued an interrupted run of the same sources. */
  readonly resumed: boolean
  readonly counts: Readonly<ItemCounts>
  readonly findings: ImportFindings
}

/** Imports recognised sources as one run, which `undo` reverts as a whole. Identical imports never run concurrently. */
export async function runImport(env: Environment, request: ImportRequest, options: ImportRunOptions): Promise<ImportRunReport> {
  if (request.preview) return readAll(env, request, options, { run: null, resumed: false, sink: createItemPreview(env) })
  const subject = fingerprintOf(env, request)
  await evictDead(env, JOB_KIND, subject)
  const now = env.clock.now()
  const lease = await env.jobs.take(JOB_KIND, subject, env.ids.mint(), now, now + LEASE_US)
  if (lease === undefined)
    throw new MemoryError('conflict', 'These sources are being imported already.', { hint: '`mneme jobs` shows how far that import is.' })
  const known = lease.progress
  const resumed = typeof known.run === 'string' && known.done !== true
  const run = resumed && typeof known.run === 'string' ? known.run : newRunName(env, request)
  const stage = { lease, run, origins: request.trees.map(({ tree }) => tree.origin).slice(0, 20) }
  const sink = createItemWriter(env, run, () => hold(env, stage, { done: false, stored: sink.counts.facts }))
  try {
    await hold(env, stage, { done: false })
    const report = await readAll(env, request, options, { run, resumed, sink })
    await hold(env, stage, { done: true, stored: sink.counts.facts })
    await env.jobs.release(lease, env.clock.now(), null)
    return report
  } catch (failure) {
    await env.jobs.release(lease, env.clock.now(), failure instanceof Error ? failure.message : String(failure)).catch(() => undefined)
    const { skipped: _skipped, ...stored } = sink.counts
    throw resumed || Object.values(stored).some((count) => count > 0) ? named(failure, run) : failure
  }
}

interface Stage {
  readonly lease: Lease
  readonly run: string
  readonly origins: readonly string[]
}

/** Records the progress and renews the lease. */
async function hold(env: Environment, { lease, run, origins }: Stage, state: JsonObject): Promise<void> {
  const kept = await env.jobs.renew(lease, env.clock.now() + LEASE_US, {
    ...{ run, sources: [...origins], pid: env.self.pid, host: env.self.host, generation: lease.generation },
    ...state,
  })
  if (!kept) throw new MemoryError('conflict', `Another process has taken over the import ${run}.`)
}

/** Adds the run id to a failure, so that the stored part can be found. */
function named(failure: unknown, run: string): unknown {
  if (!(failure instanceof MemoryError)) return failure
  const hint = `What was stored until then is the run ${run}: the same command goes on with it, and \`mneme undo ${run}\` takes it back.`
  return new MemoryError(failure.code, failure.message, { hint: [failure.hint ?? [], hint].flat().join(' '), cause: failure })
}

const newRunName = (env: Environment, { trees }: ImportRequest): string => {
  const formats = [...new Set(trees.map(({ importer }) => importer.name))]
  return `import:${formats.length === 1 ? formats[0] : 'several'}:${env.ids.mint().slice(-10)}`
}

/** Identifies the sources and options of an import. */
function fingerprintOf(env: Environment, { trees, owner, project, since, turns, sensitive, map }: ImportRequest): string {
  const sources = trees.map(({ tree, importer }): Json => [importer.name, tree.origin])
  const settings = [
    owner ?? env.settings.defaultOwner,
    project ?? null,
    since ?? null,
    turns,
    sensitive,
    [...map].map(([field, column]) => [field, column]),
  ]
  return sha256(JSON.stringify([sources, settings])).slice(0, 24)
}

interface ImportPass {
  readonly run: string | null
  readonly resumed: boolean
  readonly sink: ItemSink
}

async function readAll(
  env: Environment,
  request: ImportRequest,
  options: ImportRunOptions,
  { run, resumed, sink }: ImportPass,
): Promise<ImportRunReport> {
  const findings = new ImportFindings()
  let records = 0
  let bytes = 0
  const size = request.trees.reduce((sum, { tree }) => sum + tree.entries.reduce((total, entry) => total + entry.size, 0), 0)
  for (const { tree, importer, detection, isLocal } of request.trees) {
    findings.begin({ path: tree.origin, format: importer.name, what: detection.what, version: detection.version ?? null })
    const ownerOf = createPlacement(env, request, isLocal)
    const items = new RecordItems(env, { format: importer.name, run: run ?? 'import', ownerOf })
    const repeats: Repeats = new Map()
    const store = async (made: readonly Item[], record: ImportRecord): Promise<void> => {
      for (const item of made) {
        countItem(findings, item)
        if (item.kind === 'fact' && findings.wantsSamples) {
          const change = item.change(env.clock.now())
          if (change.op === 'fact.put') findings.sample(change.fact, (text) => toMaskedText(env, text))
        }
        await sink.add(item, sizeOf(record))
      }
    }
    const start = tree.bytesRead() - bytes
    for await (const record of readable(
      importer.read(tree, { map: request.map, now: env.clock.now(), sensitive: request.sensitive }),
      findings,
      { file: tree.name, isOnly: request.trees.length === 1 },
    )) {
      options.signal.throwIfAborted()
      bytes = tree.bytesRead() - start
      if (++records % PROGRESS_EVERY === 0)
        options.progress(records, `records read, ${sink.counts.facts} facts stored`, bytes === 0 ? null : bytes / size)
      if (record.kind === 'skipped') findings.skip(record.reason, record.from, record.bad)
      else if (record.kind === 'note') findings.note(record.text)
      else
        try {
          if (isBefore(record, request.since)) findings.skip('it is older than --since', record.from, false)
          else if (record.kind === 'line') {
            const item = await takeLine(env, record.text, record.number, repeats)
            if (item !== undefined) await store([item], record)
          } else if (record.kind === 'conversation') await addConversation(record, { items, store, ownerOf })
          else await store(await items.of(record), record)
        } catch (failure) {
          if (!(failure instanceof MemoryError) || !FAULTS_OF_RECORDS.has(failure.code)) throw failure
          findings.skip(failure.message, record.from, true)
        }
    }
    for (const item of items.rest()) {
      countItem(findings, item)
      await sink.add(item, MAX_ITEM_CHARS)
    }
  }
  const endless = await sink.finish(options.signal)
  for (const { line } of endless) findings.skip('an end of a relation is missing', { file: '', line }, true)
  return { run, resumed, counts: sink.counts, findings }

  async function addConversation(record: ConversationRecord, { items, store, ownerOf }: RecordPlacement): Promise<void> {
    findings.count('conversations')
    const owners = { person: await ownerOf({}), project: await ownerOf(record) }
    for (const fact of await captureConversation(env, record, owners)) await store(await items.of(fact), fact)
    if (request.turns) {
      const transcript = toTranscript(record)
      if (transcript.passages.length > 0) await store(items.source(transcript, owners.project), transcript)
    }
  }
}

interface RecordPlacement {
  readonly items: RecordItems
  store(made: readonly Item[], record: ImportRecord): Promise<void>
  ownerOf(place: RecordPlace): Promise<string>
}

/** Reports a source that cannot be read completely and continues with the next one. The only source has to have a first record. */
async function* readable(
  records: AsyncIterable<ImportRecord>,
  findings: ImportFindings,
  { file, isOnly }: { readonly file: string; readonly isOnly: boolean },
): AsyncGenerator<ImportRecord> {
  let isFirst = true
  try {
    for await (const record of records) {
      isFirst = false
      yield record
    }
  } catch (failure) {
    if (!(failure instanceof MemoryError) || (isFirst && isOnly)) throw failure
    findings.skip(`it cannot be read further: ${failure.message}${failure.hint === undefined ? '' : ` ${failure.hint}`}`, { file }, true)
  }
}

const KIND_NAMES = {
  fact: 'facts',
  entity: 'entities',
  edge: 'relations',
  source: 'sources',
  file: 'files',
  arrangement: 'arrangements',
} as const

const countItem = (findings: ImportFindings, { kind }: Item): void => {
  if (kind !== 'file') findings.count(KIND_NAMES[kind])
}

const sizeOf = (record: ImportRecord): number =>
  record.kind === 'source'
    ? record.passages.reduce((sum, { text }) => sum + text.length, MAX_ITEM_CHARS)
    : 'text' in record
      ? record.text.length
      : MAX_ITEM_CHARS

function isBefore(record: ImportRecord, since: Instant | undefined): boolean {
  if (since === undefined) return false
  const at =
    record.kind === 'conversation' ? (record.turns.at(-1)?.at ?? record.startedAt) : 'createdAt' in record ? record.createdAt : undefined
  return at !== undefined && at < since
}

/**
 * The owner of each record: the requested one, else that of its project, else its own. Folders are resolved to repositories only for
 * clients on this machine.
 */
function createPlacement(env: Environment, { owner, project }: ImportRequest, isLocal: boolean): (place: RecordPlace) => Promise<string> {
  const known = new Map<string, string>()
  const named = async (name: string): Promise<string> => {
    const found = known.get(name) ?? (isLocal ? await ownerOfFolder(env, name) : undefined) ?? projectOwner(normalRemote(name) ?? name)
    known.set(name, found)
    return found
  }
  return async (place) => {
    if (owner !== undefined) return owner
    if (project !== undefined) return named(project)
    return place.project === undefined ? (place.owner ?? env.settings.defaultOwner) : named(place.project)
  }
}

/** The owner that hooks use in a folder; undefined for a name that is not a folder. */
async function ownerOfFolder(env: Environment, folder: string): Promise<string | undefined> {
  const project = await env.projects.projectOf(folder).catch(() => undefined)
  return project === undefined ? undefined : (await projectMemoryOf(env, project, { claims: false })).owner
}
