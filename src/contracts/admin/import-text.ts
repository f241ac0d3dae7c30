import { type AnswerRow, counted, numberOf, oneLine, type PlainText, paragraph, rowOf, rowsOf, wordOf } from '../plain-text.js'

const MEGABYTE = 1024 * 1024

const sizeText = (bytes: number): string => (bytes < MEGABYTE ? `${Math.ceil(bytes / 1024)} kB` : `${(bytes / MEGABYTE).toFixed(1)} MB`)

/** One line of a store: what it is, where, and how much it holds. */
export function storeLine(store: AnswerRow): string {
  const records = recordsText(store.records)
  const held = store.complete === true ? (records === '' ? 'nothing' : records) : records === '' ? 'not counted' : `${records} and more`
  return `${wordOf(store.title)} (${wordOf(store.format)}): ${wordOf(store.path)}: ${held}, ${counted(numberOf(store.files), 'file')}, ${sizeText(numberOf(store.bytes))}`
}

function storesText(stores: readonly AnswerRow[]): string {
  if (stores.length === 0) return 'No store of another program was found on this machine. Name a file or folder: mneme import <path>.'
  return paragraph(
    ...stores.map(storeLine),
    'Nothing was imported. `mneme import <path> --dry-run` shows what a store would become, `mneme import --all` imports all of them.',
  )
}

const recordsText = (records: unknown): string =>
  Object.entries(rowOf(records))
    .map(([kind, count]) => counted(numberOf(count), kind.replace(/s$/, '').replace(/ie$/, 'y'), kind))
    .join(', ')

const foundText = (row: AnswerRow): string => {
  const records = recordsText(row.records)
  const version = typeof row.version === 'string' ? `, ${row.version}` : ''
  return `${wordOf(row.path)}: ${wordOf(row.format)} (${wordOf(row.what)}${version}): ${records === '' ? 'nothing' : records}.`
}

function skippedText(row: AnswerRow): string {
  const places = Array.isArray(row.places) ? row.places.map(wordOf) : []
  const more = numberOf(row.count) > places.length ? ' and others' : ''
  return `${row.bad === true ? 'Not readable' : 'Left out'}: ${numberOf(row.count).toLocaleString('en')} x ${oneLine(row.reason)} (${oneLine(places.slice(0, 5).join(', '), 200)}${more})`
}

const watchedText = (row: AnswerRow): string =>
  paragraph(
    `${wordOf(row.folder)}: ${counted(numberOf(row.added), 'memory', 'memories')} added, ${numberOf(row.revised)} edited, ${numberOf(row.ended)} ended; ${counted(numberOf(row.written), 'page')} written, ${numberOf(row.removed)} removed.`,
    numberOf(row.conflicts) > 0 && `${counted(numberOf(row.conflicts), 'conflict')} to review: \`mneme console\` shows both sides.`,
    numberOf(row.refused) > 0 && `${counted(numberOf(row.refused), 'edit')} could not be stored; the pages are kept in .mneme-edits.`,
  )

export const importText: PlainText = (answer) => {
  if (Array.isArray(answer.stores)) return storesText(rowsOf(answer.stores))
  if (Array.isArray(answer.formats))
    return paragraph(...rowsOf(answer.formats).map((row) => `${wordOf(row.name).padEnd(20)} ${wordOf(row.title)}. ${wordOf(row.describe)}`))
  if (typeof answer.watched === 'object') return watchedText(rowOf(answer.watched))
  const isPreview = answer.preview === true
  const revised = numberOf(answer.revised)
  const stored = ['facts', 'entities', 'edges', 'sources', 'revised'].reduce((sum, kind) => sum + numberOf(answer[kind]), 0)
  return paragraph(
    ...rowsOf(answer.found).map(foundText),
    ...(isPreview ? rowsOf(answer.samples).map((sample) => `  ${wordOf(sample.owner)}: ${oneLine(sample.text)}`) : []),
    ...rowsOf(answer.skipped_records).map(skippedText),
    ...rowsOf(answer.refused).map((row) =>
      `Not imported: ${oneLine(row.path, 200)} (${oneLine(row.seems)}). ${wordOf(row.hint)}`.trimEnd(),
    ),
    ...(Array.isArray(answer.notes) ? answer.notes.map(wordOf) : []),
    `${counted(numberOf(answer.facts), 'memory', 'memories')}, ${counted(numberOf(answer.entities), 'entity', 'entities')}${numberOf(answer.sources) > 0 ? `, ${counted(numberOf(answer.sources), 'document')}` : ''} and ${counted(numberOf(answer.edges), 'relation')} ${isPreview ? 'would be' : ''} imported, ${numberOf(answer.skipped)} were there already.`.replace(
      '  ',
      ' ',
    ),
    revised > 0 && `${counted(revised, 'memory', 'memories')} ${isPreview ? 'would be' : 'were'} changed since the import before.`,
    isPreview && 'Nothing was stored: this is a preview.',
    typeof answer.run === 'string' && stored > 0 && `\`mneme undo ${answer.run}\` takes it back.`,
    typeof answer.report === 'string' && `Report: ${answer.report}`,
  )
}
