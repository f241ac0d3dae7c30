import type { Fact } from '../../core/facts/fact.js'
import type { Environment } from '../environment.js'
import { type ExportSelection, selectedFacts } from './export-selection.js'

const date = (at: number | null): string => (at === null ? '' : new Date(at / 1000).toISOString())

/** Columns of a table of facts, with the names that an import recognises. */
const COLUMNS: readonly (readonly [string, (fact: Fact) => string])[] = [
  ['id', (fact) => fact.id],
  ['content', (fact) => fact.text],
  ['owner', (fact) => fact.owner],
  ['type', (fact) => fact.kind],
  ['title', (fact) => fact.title ?? ''],
  ['subject', (fact) => fact.subject ?? ''],
  ['predicate', (fact) => fact.predicate ?? ''],
  ['author', (fact) => fact.author ?? ''],
  ['session', (fact) => fact.session ?? ''],
  ['date', (fact) => date(fact.recordedAt)],
  ['valid_from', (fact) => date(fact.validFrom)],
  ['valid_until', (fact) => date(fact.validUntil)],
  ['status', (fact) => fact.status],
  ['confidence', (fact) => String(fact.confidence)],
  ['importance', (fact) => String(fact.importance)],
]

const cell = (text: string): string => (/[",\n\r]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)

/** Facts as CSV, one row each. */
export async function* tableLines(env: Environment, selection: ExportSelection): AsyncGenerator<string> {
  yield COLUMNS.map(([name]) => name).join(',')
  for await (const fact of selectedFacts(env, selection)) yield COLUMNS.map(([, read]) => cell(read(fact))).join(',')
}
