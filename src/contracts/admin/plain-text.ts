import {
  type AnswerRow,
  counted,
  numberOf,
  oneLine,
  type PlainText,
  paragraph,
  type Reader,
  rowOf,
  rowsOf,
  tallied,
  wordOf,
} from '../plain-text.js'

const NOUNS: Readonly<Record<string, string>> = {
  fact: 'memory',
  entity: 'entity',
  edge: 'relation',
  source: 'source',
  store: 'everything',
  policy: 'rule of decay',
  door: 'the door',
}

function verbOf(row: AnswerRow): string {
  const op = wordOf(row.op)
  if (op === 'reset') return 'erased'
  if (op === 'denial') return 'was refused at'
  if (op.endsWith('.delete')) return 'deleted'
  if (row.created === true) return 'stored'
  // The journal does not describe objects deleted since.
  return row.about === undefined ? 'wrote' : 'changed'
}

function changeLine(row: AnswerRow, reader: Reader): string {
  const about = oneLine(row.about, 100)
  const target = row.kind === 'store' ? '' : ` [${wordOf(row.target)}]`
  return paragraph(
    `#${wordOf(row.seq)}  ${reader.time(wordOf(row.at))}  ${wordOf(row.actor)} ${verbOf(row)} ${NOUNS[wordOf(row.kind)] ?? wordOf(row.kind)}${target}${about === '' ? '' : `: ${about}`}`,
    row.reason === undefined ? undefined : `      because: ${oneLine(row.reason)}`,
    row.before === undefined ? undefined : `      before: ${JSON.stringify(row.before)}`,
    row.after === undefined ? undefined : `      after:  ${JSON.stringify(row.after)}`,
  )
}

export const historyText: PlainText = (answer, reader) => {
  const rows = rowsOf(answer.changes)
  return rows.length === 0 ? 'Nothing happened yet.' : rows.map((row) => changeLine(row, reader)).join('\n')
}

/** Leases that only announce work, in addition to the job itself. */
const ANNOUNCING_LEASES = new Set(['queue', 'watch'])

/** The counters of a job, without its internal state. */
function doneOf(row: AnswerRow): string {
  const { after: _, done: __, startedAt: ___, pid, generation, until, ...counts } = rowOf(row.progress)
  return tallied(Object.fromEntries(Object.entries(counts).filter(([, count]) => typeof count === 'number' && count !== 0)))
}

function jobName(row: AnswerRow): string {
  if (row.kind === 'embed') return 'Making vectors'
  const whose = wordOf(row.project) || wordOf(row.owner) || wordOf(row.subject)
  return row.kind === 'index' ? `Indexing ${whose}` : `${wordOf(row.kind)} of ${whose}`
}

function jobLine(row: AnswerRow, reader: Reader): string {
  if (row.run !== undefined) {
    const { kind: _, owner: __, state, run, ...result } = row
    const done = doneOf({ progress: result })
    return `${jobName(row)}: ${wordOf(state)}, ${done === '' ? 'nothing to do.' : `${done}. \`mneme undo ${wordOf(run)}\` takes it back.`}`
  }
  const progress = rowOf(row.progress)
  const done = row.kind === 'index' ? `${wordOf(progress.done)} of ${counted(numberOf(progress.total), 'file')}` : doneOf(row)
  return paragraph(
    `${[`${jobName(row)}: ${wordOf(row.state)}`, done, row.due === undefined ? '' : `due ${reader.time(wordOf(row.due))}`].filter((part) => part !== '').join(', ')}.`,
    typeof row.error === 'string' ? `    failed ${counted(numberOf(row.attempts), 'time')}: ${row.error}` : undefined,
  )
}

export const jobsText: PlainText = (answer, reader) => {
  const rows = rowsOf(answer.jobs).filter((row) => !ANNOUNCING_LEASES.has(wordOf(row.kind)))
  const pending = numberOf(answer.pending_vectors)
  return paragraph(
    ...(rows.length === 0 ? ['No background work has run.'] : rows.map((row) => jobLine(row, reader))),
    pending === 0 ? undefined : `${counted(pending, 'vector is', 'vectors are')} still to be made.`,
  )
}

export const doctorText: PlainText = (answer) => {
  const store = rowOf(answer.store)
  const findings = rowsOf(answer.findings)
  return paragraph(
    answer.healthy === true ? `${wordOf(store.location)} is healthy.` : `${wordOf(store.location)} is NOT healthy.`,
    ...findings.map((finding) => paragraph(`${wordOf(finding.severity)}: ${wordOf(finding.what)}`, `    ${wordOf(finding.remedy)}`)),
    store.facts === undefined
      ? undefined
      : `${counted(numberOf(store.facts), 'memory', 'memories')}, ${counted(numberOf(store.entities), 'entity', 'entities')}, ${counted(numberOf(store.relations), 'relation')}, ${counted(numberOf(store.passages), 'passage')} of code.`,
    typeof store.model === 'string' ? `Vectors of ${store.model}, ${wordOf(store.dimensions)} dimensions.` : undefined,
    numberOf(store.pending_vectors) === 0
      ? undefined
      : `${counted(numberOf(store.pending_vectors), 'vector is', 'vectors are')} still to be made.`,
  )
}

export const undoText: PlainText = (answer) => {
  const skipped = Array.isArray(answer.skipped) ? answer.skipped.map(wordOf) : []
  return paragraph(
    `${counted(numberOf(answer.undone), 'change')} taken back.`,
    skipped.length === 0 ? undefined : `Left as they are, since they changed again: ${skipped.join(', ')}.`,
  )
}

export const ingestText: PlainText = (answer) => {
  const size = answer.files === undefined ? counted(numberOf(answer.segments), 'segment') : counted(numberOf(answer.files), 'file')
  const leftOut = Array.isArray(answer.left_out) ? answer.left_out.map(wordOf) : []
  const warnings = Array.isArray(answer.warnings) ? answer.warnings.map(wordOf) : []
  return paragraph(
    `${wordOf(answer.title)} [${wordOf(answer.source_id)}]: ${answer.status === 'noop' ? 'unchanged' : 'captured'}, ${size}.`,
    leftOut.length === 0 ? undefined : `Left out as the state of agents: ${leftOut.join(', ')}. --force captures it.`,
    ...warnings,
  )
}

export const exportText: PlainText = (answer) =>
  answer.files === undefined
    ? `${counted(numberOf(answer.lines), 'line')} written to ${wordOf(answer.file)}.`
    : `${counted(numberOf(answer.files), 'file')} in ${wordOf(answer.file)}: ${numberOf(answer.written)} written, ${numberOf(answer.removed)} removed.`

export const backupText: PlainText = (answer) => `Copied to ${wordOf(answer.file)}.`

export const newKeyText: PlainText = (answer) =>
  paragraph(wordOf(answer.key), `Its id is ${wordOf(answer.id)}. Keep it: it is not shown again.`)

const words = (value: unknown): string => (Array.isArray(value) ? value.map(wordOf).join(',') : '')

export const keysText: PlainText = (answer, reader) => {
  const rows = rowsOf(answer.keys)
  if (rows.length === 0) return 'There is no key: only this machine is let in.'
  return paragraph(
    ...rows.map((row) => {
      const gardens = Object.entries(rowOf(row.gardens)).map(([slug, role]) => `${slug}:${wordOf(role)}`)
      const end = row.revoked_at === null ? '' : `  revoked ${reader.time(wordOf(row.revoked_at))}`
      return `${wordOf(row.id)}  ${wordOf(row.owner)}  ${wordOf(row.entity)}  ${words(row.rights)}  ${words(row.scopes)}${gardens.length === 0 ? '' : `  ${gardens.join(',')}`}${end}`
    }),
  )
}
