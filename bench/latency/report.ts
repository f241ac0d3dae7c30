import type { BenchResult } from '../result.js'
import type { ReferenceResult } from './reference.js'
import type { Summary } from './samples.js'
import type { SizeResult } from './subject.js'
import type { Survival } from './survivors.js'

export interface LatencyFigures {
  readonly sizes: readonly SizeResult[]
  readonly survival: Survival | null
  readonly reference: readonly ReferenceResult[]
  readonly referenceSurvival: Survival | null
}

interface Row {
  readonly name: string
  readonly budget: string
  value(result: SizeResult): string
  reference?(result: ReferenceResult): string
}

const ms = (summary: Summary): string => `${summary.p50} / ${summary.p95}`

const ROWS: readonly Row[] = [
  { name: 'start to initialize, ms', budget: '300', value: (r) => ms(r.startMs), reference: (r) => ms(r.startMs) },
  { name: 'tools/list, bytes', budget: '16384', value: (r) => String(r.listingBytes), reference: (r) => String(r.listingBytes) },
  { name: 'get_memory, ms', budget: '1', value: (r) => ms(r.getMs), reference: (r) => ms(r.getMs) },
  { name: 'store_memory, ms', budget: '25', value: (r) => ms(r.storeMs), reference: (r) => ms(r.storeMs) },
  { name: 'bulk import, facts/s', budget: '5000', value: (r) => String(r.importPerSecond) },
  { name: 'search_text, ms', budget: '5 at 100,000', value: (r) => ms(r.searchTextMs), reference: (r) => ms(r.searchTextMs) },
  { name: 'search, ms', budget: '', value: (r) => ms(r.searchMs) },
  { name: 'search beyond embedding, ms', budget: '', value: (r) => ms(r.searchBeyondEmbeddingMs) },
  { name: 'recall (fast), ms', budget: '', value: (r) => ms(r.recallMs) },
  { name: 'recall (fast) beyond embedding, ms', budget: '6 / 15 at 10,000 / 100,000', value: (r) => ms(r.recallBeyondEmbeddingMs) },
  { name: 'search after a write by another process, ms', budget: '', value: (r) => ms(r.searchAfterForeignWriteMs) },
  { name: 'first search of a process, ms', budget: '', value: (r) => String(r.firstSearchMs) },
  { name: 'resident memory, MB', budget: '450 at 100,000', value: (r) => String(r.residentMb), reference: (r) => String(r.residentMb) },
]

/** Markdown; times are p50 / p95 as seen by the client. */
export function renderTable({ commit, machine, results: report }: BenchResult<LatencyFigures>): string {
  const head = [
    '',
    'budget (p50)',
    ...report.sizes.map((size) => `mneme, ${size.facts} facts, ${size.embedder}`),
    ...report.reference.map((size) => `server-memory, ${size.facts}`),
  ]
  const rows = ROWS.map((row) => [
    row.name,
    row.budget,
    ...report.sizes.map((size) => row.value(size)),
    ...report.reference.map((size) => row.reference?.(size) ?? '-'),
  ])
  const lines = [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`)
  const survivals = [describeSurvival('mneme', report.survival), describeSurvival('server-memory', report.referenceSurvival)]
  return [
    `${machine.cpu}, ${machine.cores} cores, ${machine.memoryGb} GB, Node ${machine.node}, load ${machine.load}, commit ${commit ?? 'unknown'}`,
    '',
    ...lines,
    '',
    ...survivals.filter((line) => line !== null),
  ].join('\n')
}

function describeSurvival(name: string, survival: Survival | null): string | null {
  if (!survival) return null
  const { processes, kills, acknowledged, refused, present, lost, writesPerSecond } = survival
  return `${name}: ${processes} processes writing, ${kills} killed: ${acknowledged} acknowledged, ${refused} refused, ${present} present, ${lost} lost, ${writesPerSecond} writes/s`
}
