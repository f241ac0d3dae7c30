import { useEffect, useState } from 'preact/hooks'
import type { FactAnswer } from '../../src/contracts/console/fact.js'
import { ConfirmDelete } from '../parts/dialog.js'
import { Editor } from '../parts/fact-editor.js'
import { Links, Versions } from '../parts/fact-history.js'
import { Loaded } from '../parts/feedback.js'
import { Icon } from '../parts/icon.js'
import { BigLifeLine } from '../parts/life-line.js'
import { State } from '../parts/marks.js'
import { Provenance } from '../parts/provenance.js'
import { act, say } from '../state/actions.js'
import { type Answer, useAnswer } from '../state/answers.js'
import { factThen } from '../state/fact-then.js'
import { useKeys } from '../state/keys.js'
import { listen } from '../state/live.js'
import { asOf, go, href, route } from '../state/route.js'
import { mayWrite } from '../state/session.js'
import { useSubject } from '../state/subject.js'
import { timeOf } from '../state/words.js'

type Task = 'edit' | 'supersede' | undefined

export function FactPage() {
  const id = route.value.params.get('id') ?? ''
  const answer = useAnswer<FactAnswer>('console/fact', { id })
  const gone = useGone(id, answer)
  if (answer.error?.code === 'gone' || gone !== undefined)
    return (
      <div class="empty">
        <h1>{gone === undefined ? 'This fact is not there.' : `This fact was deleted at ${gone}.`}</h1>
        <p>What it said is overwritten; the journal keeps that it happened.</p>
        <a class="btn" href={href('browse')}>
          Back to the list
        </a>
      </div>
    )
  return <Loaded answer={answer}>{(page) => <Page page={page} reload={answer.reload} />}</Loaded>
}

/** When it was deleted while its page was open; what was changed elsewhere is read again. */
function useGone(id: string, answer: Answer<FactAnswer>): string | undefined {
  const [gone, setGone] = useState<{ readonly id: string; readonly at: string }>()
  const { reload } = answer
  useEffect(
    () =>
      listen((changes) => {
        const own = changes.filter((one) => one.target === id)
        const deleted = own.find((one) => one.op === 'fact.delete')
        if (deleted !== undefined) setGone({ id, at: timeOf(deleted.at) })
        else if (own.length > 0) reload()
      }),
    [id, reload],
  )
  return gone?.id === id ? gone.at : undefined
}

function Page({ page, reload }: { readonly page: FactAnswer; readonly reload: () => void }) {
  const { fact } = page
  useSubject(fact.text)
  const { params } = route.value
  const asked = params.get('do')
  const [task, setTask] = useState<Task>(asked === 'edit' || asked === 'supersede' ? asked : undefined)
  const [deleting, setDeleting] = useState(false)
  const then = asOf.value === null ? undefined : factThen(page, asOf.value)
  const shownText = then?.text ?? fact.text
  const current = fact.life !== 'ended' && fact.life !== 'superseded'
  const allowed = mayWrite() && asOf.value === null
  const end = (): void => void act({ tool: 'console/end', input: { ids: [fact.id] }, done: 'Ended.' })
  const restore = (): void => void act({ tool: 'console/restore', input: { ids: [fact.id] }, done: 'Current again.' })
  const remove = (reason: string): void => {
    setDeleting(false)
    void act({ tool: 'console/delete', input: { ids: [fact.id], ...(reason === '' ? {} : { reason }) }, done: 'Deleted for good.' }).then(
      (done) => {
        if (done !== undefined) go(href('browse'))
      },
    )
  }
  useKeys(
    allowed && task === undefined
      ? {
          e: () => setTask('edit'),
          s: () => current && setTask('supersede'),
          x: () => (current ? end() : restore()),
          '#': () => setDeleting(true),
        }
      : {},
  )
  return (
    <div class="cols">
      <article>
        <div class="flow small">
          <State life={then?.life ?? fact.life} />
          <span class="faint">{fact.kind}</span>
          <button type="button" class="chip" onClick={() => void copy(fact.id, 'Id copied.')}>
            <Icon name="copy" />
            <span class="sr">Copy id </span>
            <span class="mono">{fact.id}</span>
          </button>
          <span class="faint">version {fact.version}</span>
          {fact.tags.map((tag) => (
            <span key={tag} class="chip">
              #{tag}
            </span>
          ))}
        </div>
        <h1 class={`said fact-text${shownText.length > 400 ? ' long' : ''}`} dir="auto">
          {shownText}
        </h1>
        {then !== undefined && <p class="dim">{then.note}</p>}
        <BigLifeLine fact={fact} />
        {task === undefined ? (
          <div class="flow block" role="toolbar" aria-label="Actions on this fact">
            <button type="button" class="btn solid" disabled={!allowed} onClick={() => setTask('edit')}>
              <Icon name="edit" />
              Edit <kbd>e</kbd>
            </button>
            {current ? (
              <>
                <button type="button" class="btn" disabled={!allowed} onClick={() => setTask('supersede')}>
                  <Icon name="supersede" />
                  Supersede <kbd>s</kbd>
                </button>
                <button type="button" class="btn" disabled={!allowed} onClick={end}>
                  <Icon name="end" />
                  End <kbd>x</kbd>
                </button>
              </>
            ) : (
              <button type="button" class="btn" disabled={!allowed} onClick={restore}>
                <Icon name="restore" />
                Restore <kbd>x</kbd>
              </button>
            )}
            <button type="button" class="btn danger" disabled={!allowed} onClick={() => setDeleting(true)}>
              <Icon name="delete" />
              Delete <kbd>#</kbd>
            </button>
            <a class="btn quiet push" href={href('told', { fact: fact.id })}>
              When was it told?
            </a>
          </div>
        ) : (
          <Editor page={page} task={task} onDone={() => setTask(undefined)} reload={reload} />
        )}
        {!mayWrite() && <p class="faint">This key may only read.</p>}
        <Versions page={page} />
        <Links page={page} />
      </article>
      <Provenance page={page} />
      {deleting && <ConfirmDelete count={1} onDelete={remove} onClose={() => setDeleting(false)} />}
    </div>
  )
}

async function copy(text: string, done: string): Promise<void> {
  await navigator.clipboard.writeText(text).then(
    () => say(done),
    () => say('The browser does not allow copying here.', { bad: true }),
  )
}
