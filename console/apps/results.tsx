import { render } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { Meter } from '../parts/marks.js'
import { type Contribution, legendOf, Parts, scaleOf } from '../parts/score.js'
import { percent } from '../state/words.js'
import { connectHost, type Host } from './host.js'
import { Empty, NoticeLine, useActions } from './notice.js'

interface Result {
  readonly id: string
  readonly content: string
  readonly source: 'memory' | 'document' | 'code'
  readonly score: number
  readonly relevance: number
  readonly date?: string
  readonly author?: string
  readonly title?: string
  readonly status?: string
  readonly caution?: string
  readonly superseded_by_newer?: string
  /** Of a passage of a document: the headings around it. */
  readonly heading_path?: readonly string[]
  readonly file_path?: string
  readonly start_line?: number
  /** The content is a part of a longer text, which is not corrected here. */
  readonly part?: object
  readonly explain?: { readonly contributions?: readonly Contribution[] }
}

interface RecallResults {
  readonly results?: readonly Result[]
  readonly query?: string
  readonly notice?: string
}

type Args = Readonly<Record<string, unknown>>

function App() {
  const [answer, setAnswer] = useState<RecallResults>()
  const [failure, setFailure] = useState<string>()
  const [args, setArgs] = useState<Args>({})
  const [host, setHost] = useState<Host>()
  useEffect(() => {
    const connected = connectHost({ onInput: setArgs, onResult: (given) => setAnswer(given as RecallResults), onFailure: setFailure })
    setHost(connected)
  }, [])
  if (failure !== undefined) return <Empty title={failure} />
  if (answer === undefined || host === undefined) return <p class="dim">Waiting for the results.</p>
  return <Results key={answer.query ?? ''} answer={answer} args={args} host={host} />
}

function Results({ answer, args, host }: { readonly answer: RecallResults; readonly args: Args; readonly host: Host }) {
  const { notice, busy, run } = useActions()
  const [texts, setTexts] = useState<ReadonlyMap<string, string>>(new Map())
  const [gone, setGone] = useState<ReadonlySet<string>>(new Set())
  const [explained, setExplained] = useState<ReadonlyMap<string, Result>>()
  const [why, setWhy] = useState<string>()
  const shown = (answer.results ?? []).filter(({ id }) => !gone.has(id))
  const put = (id: string, content: string): void => setTexts((known) => new Map(known).set(id, content))
  const write = async (id: string, content: string): Promise<void> => {
    await host.call('update_memory', { id, content })
    put(id, content)
  }
  const correct = (id: string, before: string, content: string): void =>
    void run(async () => {
      await write(id, content)
      return { text: 'Corrected.', undo: () => run(async () => write(id, before).then(() => ({ text: 'Undone.' }))) }
    })
  const forget = (id: string): void =>
    void run(async () => {
      await host.call('delete_memory', { id })
      setGone((known) => new Set(known).add(id))
      return { text: 'Forgotten: its text is overwritten.' }
    })
  const explain = (id: string): void => {
    setWhy(why === id ? undefined : id)
    if (why === id || explained !== undefined) return
    void run(async () => {
      const again = await host.call<RecallResults>('recall', { ...args, query: args.query ?? answer.query, explain: true })
      setExplained(new Map((again.results ?? []).map((one) => [one.id, one])))
      return undefined
    })
  }
  if (shown.length === 0)
    return (
      <>
        <Empty title="Nothing is remembered about this.">
          <p>{answer.notice ?? 'What an agent stores about it appears in the next answer.'}</p>
        </Empty>
        <NoticeLine notice={notice} />
      </>
    )
  const parts = [...(explained?.values() ?? [])].map(({ explain: one }) => one?.contributions ?? [])
  const scale = scaleOf(parts)
  return (
    <>
      <h1 class="sr">Recalled memories</h1>
      {answer.notice !== undefined && <p class="dim">{answer.notice}</p>}
      <ol class="list">
        {shown.map((result, at) => (
          <Hit
            key={result.id}
            result={result}
            rank={at + 1}
            text={texts.get(result.id) ?? result.content}
            busy={busy}
            onCorrect={(text) => correct(result.id, texts.get(result.id) ?? result.content, text)}
            onForget={() => forget(result.id)}
            onWhy={() => explain(result.id)}
            why={why === result.id ? (explained?.get(result.id)?.explain?.contributions ?? []) : undefined}
            scale={scale}
          />
        ))}
      </ol>
      <NoticeLine notice={notice} />
    </>
  )
}

interface HitProps {
  readonly result: Result
  readonly rank: number
  readonly text: string
  readonly busy: boolean
  readonly onCorrect: (text: string) => void
  readonly onForget: () => void
  readonly onWhy: () => void
  readonly why: readonly Contribution[] | undefined
  readonly scale: ReturnType<typeof scaleOf>
}

function Hit({ result, rank, text, busy, onCorrect, onForget, onWhy, why, scale }: HitProps) {
  const [task, setTask] = useState<'correct' | 'forget'>()
  const short = text.slice(0, 40)
  const meta = [
    result.source === 'document' ? 'captured document' : undefined,
    result.status,
    result.author,
    result.date?.slice(0, 10),
    result.superseded_by_newer === undefined ? undefined : 'a later memory replaces it',
    result.file_path === undefined ? undefined : `${result.file_path}:${result.start_line ?? 1}`,
  ].filter((one) => one !== undefined)
  return (
    <li class="hit">
      <span class="rank">{rank}</span>
      <div class="stack">
        {result.title !== undefined && (
          <b class="said" dir="auto">
            {[result.title, ...(result.heading_path ?? [])].join(' > ')}
          </b>
        )}
        {task === 'correct' ? (
          <Correction
            text={text}
            onSave={(changed) => {
              setTask(undefined)
              onCorrect(changed)
            }}
            onCancel={() => setTask(undefined)}
          />
        ) : (
          <p class={`said${result.source === 'code' ? ' pre wrap' : ''}`} dir="auto">
            {text}
          </p>
        )}
        {result.caution !== undefined && <p class="faint small">{result.caution}</p>}
        <div class="between">
          <span class="flow faint small">
            <Meter value={result.relevance} label={`wanted ${percent(result.relevance)}`} />
            {meta.join(' · ')}
          </span>
          {result.source === 'memory' && task === undefined && (
            <span class="flow">
              <button type="button" class="btn quiet" aria-expanded={why !== undefined} aria-label={`Why: ${short}`} onClick={onWhy}>
                Why
              </button>
              {result.part === undefined && (
                <button type="button" class="btn quiet" disabled={busy} aria-label={`Correct: ${short}`} onClick={() => setTask('correct')}>
                  Correct
                </button>
              )}
              <button
                type="button"
                class="btn quiet danger"
                disabled={busy}
                aria-label={`Forget: ${short}`}
                onClick={() => setTask('forget')}
              >
                Forget
              </button>
            </span>
          )}
        </div>
        {task === 'forget' && (
          <div class="flow" role="group" aria-label="Forget this memory">
            <span>Forget it for good? Its text is overwritten and cannot be restored.</span>
            <button type="button" class="btn danger" autofocus onClick={onForget}>
              Forget
            </button>
            <button type="button" class="btn" onClick={() => setTask(undefined)}>
              Cancel
            </button>
          </div>
        )}
        {why !== undefined && why.length > 0 && (
          <div class="why">
            <Parts contributions={why} total={why.reduce((sum, { value }) => sum + value, 0)} unit={scale.unit} pad={scale.pad} />
            <div class="key">
              {legendOf(why).map(([color, words]) => (
                <span key={color}>
                  <i class={color} />
                  {words}
                </span>
              ))}
            </div>
          </div>
        )}
      </div>
    </li>
  )
}

function Correction({
  text,
  onSave,
  onCancel,
}: {
  readonly text: string
  readonly onSave: (text: string) => void
  readonly onCancel: () => void
}) {
  const [changed, setChanged] = useState(text)
  const save = (): void => (changed.trim() !== '' && changed !== text ? onSave(changed) : onCancel())
  // Hosts show the page in a frame in which forms cannot be sent.
  return (
    <div class="stack">
      <textarea
        class="input"
        aria-label="Corrected text"
        dir="auto"
        rows={3}
        autofocus
        value={changed}
        onInput={(event) => setChanged(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') onCancel()
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) save()
        }}
      />
      <span class="flow">
        <button type="button" class="btn solid" onClick={save}>
          Save
        </button>
        <button type="button" class="btn quiet" onClick={onCancel}>
          Cancel
        </button>
      </span>
    </div>
  )
}

const root = document.getElementById('app')
if (root !== null) render(<App />, root)
