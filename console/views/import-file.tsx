import { useRef, useState } from 'preact/hooks'
import { Refusal } from '../parts/feedback.js'
import { Icon } from '../parts/icon.js'
import { Mark } from '../parts/marks.js'
import { say } from '../state/actions.js'
import { revision } from '../state/answers.js'
import type { ApiError } from '../state/api.js'
import { call, callLong, upload } from '../state/api.js'
import { number, ownerName, plural } from '../state/words.js'

/** What `admin/import` answers, with and without `dry_run`. */
interface ImportResult {
  readonly facts: number
  readonly entities: number
  readonly edges: number
  /** Stored already. */
  readonly skipped: number
  readonly revised?: number
  readonly bad?: number
  readonly left_out?: number
  /** Takes the import back. */
  readonly run?: string
  readonly found?: readonly { readonly what: string; readonly format: string; readonly records: Readonly<Record<string, number>> }[]
  readonly skipped_records?: readonly { readonly reason: string; readonly count: number }[]
  readonly notes?: readonly string[]
  readonly samples?: readonly Readonly<Record<string, unknown>>[]
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

type Step =
  | { readonly name: 'choose' }
  | { readonly name: 'sending'; readonly share: number }
  | { readonly name: 'preview'; readonly file: string; readonly preview: ImportResult }
  | { readonly name: 'importing'; readonly done: number; readonly total: number }

export function ImportFile() {
  const [step, setStep] = useState<Step>({ name: 'choose' })
  const [error, setError] = useState<ApiError>()
  const [name, setName] = useState('')
  const take = async (file: File | undefined): Promise<void> => {
    if (file === undefined) return
    setError(undefined)
    setName(file.name)
    setStep({ name: 'sending', share: 0 })
    try {
      const uploaded = await upload(file, (share) => setStep({ name: 'sending', share }))
      const preview = await call<ImportResult>('admin/import', { file: uploaded, dry_run: true })
      setStep({ name: 'preview', file: uploaded, preview })
    } catch (failure) {
      setError(failure as ApiError)
      setStep({ name: 'choose' })
    }
  }
  const start = async (file: string, preview: ImportResult): Promise<void> => {
    setStep({ name: 'importing', done: 0, total: totalOf(preview) })
    try {
      const answer = await callLong<ImportResult>(
        'admin/import',
        { file },
        {
          progress: ({ done }) => setStep({ name: 'importing', done, total: totalOf(preview) }),
        },
      )
      say(
        `${plural(answer.facts, 'fact')} imported.`,
        answer.run === undefined ? {} : { reverse: { tool: 'admin/undo', input: { what: answer.run } } },
      )
      setStep({ name: 'choose' })
    } catch (failure) {
      setError(failure as ApiError)
      setStep({ name: 'preview', file, preview })
    }
    revision.value += 1
  }
  return (
    <>
      {error !== undefined && <Refusal error={error} />}
      {step.name === 'choose' && <Choose onFile={(file) => void take(file)} />}
      {step.name === 'sending' && <Working title={`Sending ${name}`} share={step.share} />}
      {step.name === 'importing' && (
        <Working title={`${number(step.done)} of ${number(step.total)} read`} share={step.done / Math.max(1, step.total)} />
      )}
      {step.name === 'preview' && (
        <Preview
          name={name}
          preview={step.preview}
          onStart={() => void start(step.file, step.preview)}
          onOther={() => setStep({ name: 'choose' })}
        />
      )}
    </>
  )
}

function Working({ title, share }: { readonly title: string; readonly share: number }) {
  return (
    <div role="status">
      <h1>{title}</h1>
      <div
        class="progress block"
        role="progressbar"
        aria-label={title}
        aria-valuenow={Math.round(share * 100)}
        aria-valuemin={0}
        aria-valuemax={100}
      >
        <i style={{ '--v': Math.min(1, share) }} />
      </div>
    </div>
  )
}

function Choose({ onFile }: { readonly onFile: (file: File | undefined) => void }) {
  const field = useRef<HTMLInputElement>(null)
  const [over, setOver] = useState(false)
  return (
    <>
      <h1>Import</h1>
      <div
        class={`drop block${over ? ' over' : ''}`}
        onDragOver={(event) => {
          event.preventDefault()
          setOver(true)
        }}
        onDragLeave={() => setOver(false)}
        onDrop={(event) => {
          event.preventDefault()
          setOver(false)
          const files = event.dataTransfer?.files
          if ((files?.length ?? 0) > 1) say('One file at a time: this is the first. Drop the others afterwards, or all of them as one zip.')
          onFile(files?.[0])
        }}
      >
        <Icon name="import" />
        <p>Drop a file here to see what it would become. Nothing is stored until you start.</p>
        <button type="button" class="btn solid" onClick={() => field.current?.click()}>
          Choose a file
        </button>
        <input
          ref={field}
          type="file"
          class="sr"
          tabIndex={-1}
          aria-label="File to import"
          onChange={(event) => onFile(event.currentTarget.files?.[0])}
        />
        <p class="faint small">
          Exports of mneme, exports and databases of other memory programs, notes (Markdown, or a zip of them), tables, chat exports and
          transcripts. The format is recognised.
        </p>
      </div>
    </>
  )
}

function Preview({
  name,
  preview,
  onStart,
  onOther,
}: {
  readonly name: string
  readonly preview: ImportResult
  readonly onStart: () => void
  readonly onOther: () => void
}) {
  const {
    facts,
    skipped: stored,
    revised = 0,
    bad = 0,
    left_out: leftOut = 0,
    samples = [],
    skipped_records: reasons = [],
    found = [],
    notes = [],
  } = preview
  const wanted = facts + revised
  const parts = [
    { class: 'd1', count: facts, words: 'new' },
    { class: 'd3', count: revised, words: 'with another wording' },
    { class: 'd5', count: stored, words: 'already stored' },
    { class: 'd-minus', count: bad + leftOut, words: 'skipped' },
  ]
  const sentence = parts.map(({ count, words }) => `${number(count)} ${words}`).join(', ')
  return (
    <>
      <h1 dir="auto">
        {name} would become {plural(wanted, 'fact')}
      </h1>
      <p class="dim">
        {found.map(({ what }) => what).join(', ')}, {plural(totalOf(preview), 'entry', 'entries')}. Nothing is stored until you start.
      </p>
      <div class="block">
        <div class="split" role="img" aria-label={sentence}>
          {parts.map(({ class: part, count }) => count > 0 && <i key={part} class={part} style={{ '--v': count }} />)}
        </div>
        <div class="key block">
          {parts.map(({ class: part, count, words }) => (
            <span key={part}>
              <i class={part} />
              {number(count)} {words}
            </span>
          ))}
        </div>
      </div>
      <div class="flow block">
        <button type="button" class="btn solid" autofocus disabled={wanted === 0} onClick={onStart}>
          Import {number(wanted)}
        </button>
        <button type="button" class="btn" onClick={onOther}>
          Choose another file
        </button>
        <span class="faint">One run; undo takes all of it back.</span>
      </div>
      <div class="cols block">
        <section aria-labelledby="samples-title">
          <div class="head">
            <h2 id="samples-title">Samples</h2>
            <span class="faint">{samples.length} shown</span>
          </div>
          <ul class="list">
            {samples.map((sample, at) => (
              <li key={at} class="row">
                <Mark life={textOf(sample.status) === 'candidate' ? 'candidate' : 'current'} />
                <p class="row-text said one two" dir="auto">
                  {textOf(sample.text) || textOf(sample.content)}
                </p>
                <span class="row-meta">
                  <span>
                    becomes {textOf(sample.kind) || textOf(sample.memory_type) || 'a fact'}
                    {textOf(sample.owner) === '' ? '' : ` of ${ownerName(textOf(sample.owner))}`}
                  </span>
                </span>
              </li>
            ))}
          </ul>
          {notes.map((note) => (
            <p key={note} class="faint block">
              {note}
            </p>
          ))}
        </section>
        <section aria-labelledby="skipped-title">
          <div class="head">
            <h2 id="skipped-title">Skipped</h2>
            <span class="faint">{number(bad + leftOut)}</span>
          </div>
          {reasons.length === 0 ? (
            <p class="dim">Nothing is left out.</p>
          ) : (
            <table class="table">
              <thead>
                <tr>
                  <th scope="col">Why</th>
                  <th scope="col" class="r">
                    Entries
                  </th>
                </tr>
              </thead>
              <tbody>
                {reasons.map(({ reason: why, count }) => (
                  <tr key={why}>
                    <th scope="row">{why}</th>
                    <td class="r">{number(count)}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          )}
        </section>
      </div>
    </>
  )
}

const totalOf = ({ facts, entities, edges, skipped, revised = 0, bad = 0, left_out: leftOut = 0 }: ImportResult): number =>
  facts + entities + edges + skipped + revised + bad + leftOut
