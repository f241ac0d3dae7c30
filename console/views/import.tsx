import { useState } from 'preact/hooks'
import { Icon } from '../parts/icon.js'
import { useOverview } from '../parts/shell.js'
import { say } from '../state/actions.js'
import { revision } from '../state/answers.js'
import { type ApiError, callLong, type Progress } from '../state/api.js'
import { number, ownerName } from '../state/words.js'
import { ImportFile } from './import-file.js'

export function ImportView() {
  return (
    <>
      <ImportFile />
      <section class="block" aria-labelledby="export-title">
        <header>
          <h2 id="export-title">Export</h2>
        </header>
        <Export />
      </section>
      <section class="block" aria-labelledby="backup-title">
        <header>
          <h2 id="backup-title">Backup</h2>
        </header>
        <Backup />
      </section>
    </>
  )
}

const FORMATS = [
  { to: 'jsonl', title: 'JSON lines', what: 'Everything; any mneme reads it again.', ending: 'jsonl' },
  { to: 'csv', title: 'CSV', what: 'Facts as a table.', ending: 'csv' },
  {
    to: 'server-memory',
    title: 'server-memory',
    what: 'Entities, their current facts as observations, and relations.',
    ending: 'server-memory.jsonl',
  },
] as const

function Export() {
  const [progress, setProgress] = useState<number>()
  const [history, setHistory] = useState(false)
  const [to, setTo] = useState<(typeof FORMATS)[number]['to']>('jsonl')
  const [owner, setOwner] = useState('')
  const owners = useOverview().value?.facets.owner ?? []
  const { what, ending } = FORMATS.find((format) => format.to === to) ?? FORMATS[0]
  const start = async (): Promise<void> => {
    const lines: string[] = []
    setProgress(0)
    await callLong(
      'admin/export',
      { file: '-', to, ...(to === 'jsonl' ? { history } : {}), ...(owner === '' ? {} : { owner }) },
      {
        text: (text) => {
          lines.push(text)
          if (lines.length % 500 === 0) setProgress(lines.length)
        },
      },
    ).then(
      () => {
        const link = document.createElement('a')
        link.href = URL.createObjectURL(new Blob(lines, { type: to === 'csv' ? 'text/csv' : 'application/x-ndjson' }))
        link.download = `mneme-${new Date().toISOString().slice(0, 10)}.${ending}`
        link.click()
        URL.revokeObjectURL(link.href)
        say(`${number(lines.length)} lines exported.`)
      },
      (failure: ApiError) => say(failure.message, { bad: true }),
    )
    setProgress(undefined)
  }
  return (
    <>
      <p class="dim">
        {what} A folder of Markdown is written by <code>mneme export notes --to markdown</code>.
      </p>
      <div class="flow block">
        <label class="chip">
          as
          <select class="bare" value={to} onChange={(event) => setTo(FORMATS[event.currentTarget.selectedIndex]?.to ?? 'jsonl')}>
            {FORMATS.map((format) => (
              <option key={format.to} value={format.to}>
                {format.title}
              </option>
            ))}
          </select>
        </label>
        <label class="chip">
          of
          <select class="bare" value={owner} onChange={(event) => setOwner(event.currentTarget.value)}>
            <option value="">everyone</option>
            {owners.map(
              ({ value }) =>
                value !== null && (
                  <option key={value} value={value}>
                    {ownerName(value)}
                  </option>
                ),
            )}
          </select>
        </label>
        <button type="button" class="btn" disabled={progress !== undefined} onClick={() => void start()}>
          <Icon name="import" />
          {progress === undefined ? 'Export' : `${number(progress)} lines`}
        </button>
        <label class="check">
          <input type="checkbox" checked={history} disabled={to !== 'jsonl'} onChange={() => setHistory(!history)} />
          with the journal
        </label>
      </div>
    </>
  )
}

function Backup() {
  const [file, setFile] = useState(`mneme-${new Date().toISOString().slice(0, 10)}.db`)
  const [busy, setBusy] = useState<Progress | true>()
  const start = async (event: Event): Promise<void> => {
    event.preventDefault()
    setBusy(true)
    await callLong<{ readonly file: string }>('admin/backup', { file }, { progress: setBusy }).then(
      (done) => say(`Copied to ${done.file}.`),
      (failure: ApiError) => say(`${failure.message} ${failure.hint ?? ''}`, { bad: true }),
    )
    setBusy(undefined)
    revision.value += 1
  }
  return (
    <form onSubmit={(event) => void start(event)}>
      <div class="flow">
        <div class="field">
          <label for="backup-file">File on the server</label>
          <input
            id="backup-file"
            class="input"
            value={file}
            required
            aria-describedby="backup-note"
            onInput={(event) => setFile(event.currentTarget.value)}
          />
        </div>
        <button type="submit" class="btn" disabled={busy !== undefined}>
          {busy === undefined ? 'Back up' : 'Copying'}
        </button>
      </div>
      <p id="backup-note" class="faint small">
        A path there; it must not exist yet. <code>mneme restore</code> puts it back.
      </p>
    </form>
  )
}
