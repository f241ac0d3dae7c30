import { type Fact, isLate } from '../../core/facts/fact.js'
import type { JournalEntry } from '../../core/journal/change.js'
import { clampToNow } from '../../core/time/instants.js'
import type { Environment } from '../environment.js'
import { exportControlRecords } from './control-records.js'
import { refuseEdges, WrittenNodes } from './edge-ends.js'
import { byOwner, type ExportSelection, each, everyPage, selectedEntities, selectedFacts } from './export-selection.js'
import { createItemWriter } from './item-writer.js'
import { type Repeats, takeLine } from './items.js'
import { EXPORT_VERSION } from './lines.js'
import { sourceLines } from './sources.js'

const PAGE_SIZE = 500
interface ExportOptions extends ExportSelection {
  /** Also exports the journal for readers of the file; an import writes its own history. */
  readonly history?: boolean
  /** False leaves out indexed repositories. */
  readonly withCode?: boolean
}

/** The memory of one owner, or of all, one JSON value per line: facts in the order of recording. */
export async function* exportLines(env: Environment, options: ExportOptions): AsyncGenerator<string> {
  yield JSON.stringify({ mneme: EXPORT_VERSION })
  const { history, withCode } = options
  const ownerFilter = byOwner(options)
  const { store } = env
  yield* exportControlRecords(store, ownerFilter)
  const written = new WrittenNodes()
  const factLine = (fact: Fact): string => JSON.stringify({ fact: withoutAbsent(clampToNow(fact, env.clock.now())) })
  for await (const fact of selectedFacts(env, options)) {
    written.add(fact)
    yield factLine(fact)
  }
  for await (const entity of selectedEntities(env, options)) {
    written.add(entity)
    yield JSON.stringify({ entity })
  }
  for await (const source of each(ownerFilter, (query) => store.pageSources(query)))
    if (withCode !== false || source.kind !== 'repo') yield* sourceLines(store, source)
  const isPartial = options.since !== undefined || options.asOf !== undefined
  for await (const page of everyPage(ownerFilter, (query) => store.pageEdges(query))) {
    const made = page.filter((edge) => edge.properties.auto_linked !== true)
    // A partial export contains only relations within it.
    const { facts, entities, edges } = isPartial
      ? { facts: [], entities: [], edges: written.edgesWithEnds(made) }
      : await written.addStoredEnds(store, made)
    for (const fact of facts) yield factLine(fact)
    for (const entity of entities) yield JSON.stringify({ entity })
    for (const edge of edges) yield JSON.stringify({ edge })
  }
  if (history !== true) return
  for (let last: JournalEntry | undefined; ; ) {
    const entries: readonly JournalEntry[] = await store.journal({
      ...ownerFilter,
      ...(last === undefined ? {} : { beyond: last }),
      limit: PAGE_SIZE,
    })
    for (const entry of entries) yield JSON.stringify({ entry })
    last = entries[entries.length - 1]
    if (last === undefined || entries.length < PAGE_SIZE) return
  }
}

/** Omits optional fields without a value, which keeps lines short and readable by older versions. */
const withoutAbsent = (fact: Fact): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(fact).filter(([name, value]) => value !== null || !isLate(name)))

export interface ImportReport {
  readonly facts: number
  readonly entities: number
  readonly edges: number
  /** Number of sources and files; absent if there are none. */
  readonly sources?: number
  /** Number of gardens, policies and peers; absent if there are none. */
  readonly arrangements?: number
  /** Existing ids and names, which stay unchanged. */
  readonly skipped: number
}

interface ImportOptions {
  readonly actor: string
  readonly signal: AbortSignal
  progress(lines: number): void
}

/**
 * Reads the output of `exportLines`, or plain memories. Stops at an unreadable line and names it; earlier batches stay. Edges may precede
 * their endpoints; edges without endpoints are listed at the end.
 */
export async function importLines(env: Environment, lines: AsyncIterable<string>, options: ImportOptions): Promise<ImportReport> {
  const repeats: Repeats = new Map()
  let number = 0
  const writer = createItemWriter(env, options.actor, () => options.progress(number))
  for await (const line of lines) {
    number++
    if (line.trim() === '') continue
    options.signal.throwIfAborted()
    const item = await takeLine(env, number === 1 ? line.replace(/^\uFEFF/u, '') : line, number, repeats)
    if (item !== undefined) await writer.add(item, line.length)
  }
  await refuseEdges(env.store, await writer.finish(options.signal))
  const { facts, entities, edges, sources, arrangements, skipped } = writer.counts
  return { facts, entities, edges, skipped, ...(sources === 0 ? {} : { sources }), ...(arrangements === 0 ? {} : { arrangements }) }
}
