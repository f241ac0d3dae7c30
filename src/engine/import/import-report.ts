import type { JsonObject } from '../../core/encoding/json.js'
import type { Fact } from '../../core/facts/fact.js'
import type { RecordOrigin } from '../../ports/importer.js'

const MAX_PLACES = 20
const MAX_REASONS = 100
const MAX_NOTES = 50
const MAX_SAMPLES = 10
const SAMPLE_CHARS = 240

interface SkippedRecords {
  readonly reason: string
  readonly bad: boolean
  count: number
  /** The first of them, as `file:line`. */
  readonly places: string[]
}

interface ImportedSource {
  readonly path: string
  readonly format: string
  readonly what: string
  readonly version: string | null
  /** Number of records by kind. */
  readonly found: Record<string, number>
}

/** Findings of a preview or a run. */
export class ImportFindings {
  readonly sources: ImportedSource[] = []
  readonly skipped: SkippedRecords[] = []
  readonly notes: string[] = []
  readonly samples: JsonObject[] = []
  bad = 0
  leftOut = 0
  #current: ImportedSource | undefined

  begin(source: Omit<ImportedSource, 'found'>): void {
    this.#current = { ...source, found: {} }
    this.sources.push(this.#current)
  }

  count(kind: string): void {
    const found = this.#current?.found
    if (found !== undefined) found[kind] = (found[kind] ?? 0) + 1
  }

  skip(reason: string, { file, line }: RecordOrigin, bad: boolean): void {
    if (bad) this.bad++
    else this.leftOut++
    let group = this.skipped.find((known) => known.reason === reason && known.bad === bad)
    if (group === undefined) {
      if (this.skipped.length >= MAX_REASONS) return
      group = { reason, bad, count: 0, places: [] }
      this.skipped.push(group)
    }
    group.count++
    if (group.places.length < MAX_PLACES) group.places.push(`${printable(file)}${line === undefined ? '' : `:${line}`}`)
  }

  note(text: string): void {
    if (this.notes.length < MAX_NOTES && !this.notes.includes(text)) this.notes.push(text)
  }

  get wantsSamples(): boolean {
    return this.samples.length < MAX_SAMPLES
  }

  /** A truncated preview of a stored fact. */
  sample({ text, owner, kind, subject, title, author, status, recordedAt, validUntil }: Fact, mask: (text: string) => string): void {
    if (!this.wantsSamples) return
    const plain = mask(text)
    this.samples.push({
      text: plain.length > SAMPLE_CHARS ? `${plain.slice(0, SAMPLE_CHARS)}...` : plain,
      ...{ owner, kind, status, recorded_at: new Date(recordedAt / 1000).toISOString() },
      ...(subject === null ? {} : { subject }),
      ...(title === null ? {} : { title }),
      ...(author === null ? {} : { author }),
      ...(validUntil === null ? {} : { valid_until: new Date(validUntil / 1000).toISOString() }),
    })
  }
}

/** File names come from untrusted archives. */
const printable = (name: string): string => name.replaceAll(/[\0-\x1f\x7f]/g, '?')
