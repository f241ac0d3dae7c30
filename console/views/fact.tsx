import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { FactAnswer } from '../../src/contracts/console/fact.js'
import { ConfirmDelete } from '../parts/dialog.js'
import { Diff } from '../parts/diff.js'
import { FactRow } from '../parts/fact-row.js'
import { Loaded } from '../parts/feedback.js'
import { Icon } from '../parts/icon.js'
import { BigLifeLine } from '../parts/life-line.js'
import { Mark, State, When, Who } from '../parts/marks.js'
import { act, say } from '../state/actions.js'
import { type Answer, useAnswer } from '../state/answers.js'

import { useKeys } from '../state/keys.js'
import { listen } from '../state/live.js'
import { asOf, change, go, href, route } from '../state/route.js'
import { mayWrite } from '../state/session.js'
import { useSubject } from '../state/subject.js'
import { ago, clientName, dateAndTime, isProject, ownerName, percent, timeOf } from '../state/words.js'

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
          <State life={fact.life} />
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
        <h1 class={`said fact-text${fact.text.length > 400 ? ' long' : ''}`} dir="auto">
          {fact.text}
        </h1>
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

/** Keeps what was typed when the fact is changed elsewhere meanwhile, and shows both. */
function Editor({
  page,
  task,
  onDone,
  reload,
}: {
  readonly page: FactAnswer
  readonly task: 'edit' | 'supersede'
  readonly onDone: () => void
  readonly reload: () => void
}) {
  const { fact } = page
  const [opened, setOpened] = useState({ version: fact.version, text: fact.text })
  const [text, setText] = useState(fact.text)
  const [kind, setKind] = useState(fact.kind)
  const [reason, setReason] = useState('')
  const field = useRef<HTMLTextAreaElement>(null)
  useLayoutEffect(() => {
    field.current?.focus()
    field.current?.setSelectionRange(field.current.value.length, field.current.value.length)
    if (route.value.params.get('do') !== null) change({ do: null }, { replace: true })
  }, [])
  const elsewhere = task === 'edit' && fact.version !== opened.version
  const save = (event: Event): void => {
    event.preventDefault()
    const why = reason.trim() === '' ? {} : { reason: reason.trim() }
    const input =
      task === 'edit'
        ? { id: fact.id, version: opened.version, text, ...(kind === fact.kind ? {} : { kind }), ...why }
        : { id: fact.id, text, ...why }
    void act({
      tool: `console/${task}`,
      input,
      done: (answer) => (task === 'edit' ? `Saved as version ${answer.fact?.version ?? ''}.` : 'Stored; the earlier one ended.'),
    }).then((done) => {
      if (done === undefined) return reload()
      onDone()
      if (task === 'supersede' && done.ids[0] !== undefined) go(href('fact', { id: done.ids[0] }))
    })
  }
  return (
    <form
      class="stack block"
      onSubmit={save}
      onKeyDown={(event) => {
        if (event.key === 'Escape') onDone()
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) save(event)
      }}
    >
      {elsewhere && (
        <div class="banner" role="alert">
          <Icon name="warn" />
          <p>
            <b>{clientName(page.versions[0]?.actor ?? 'Someone')} changed this while you were editing.</b> What it says now:{' '}
            <span dir="auto">{fact.text}</span>
          </p>
          <button
            type="button"
            class="btn"
            onClick={() => {
              setText(fact.text)
              setOpened({ version: fact.version, text: fact.text })
            }}
          >
            Take theirs
          </button>
          <button type="button" class="btn" onClick={() => setOpened({ version: fact.version, text: fact.text })}>
            Keep mine
          </button>
        </div>
      )}
      <div class="field">
        <label for="edit-text">{task === 'edit' ? 'What it says' : 'What is true now'}</label>
        <textarea
          id="edit-text"
          class="input"
          dir="auto"
          rows={4}
          ref={field}
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
          required
        />
        <small>
          {task === 'edit'
            ? 'For a correction. If the world has changed, supersede it.'
            : 'The earlier fact ends now, and stays as history.'}
        </small>
      </div>
      {task === 'edit' && (
        <div class="field">
          <label for="edit-kind">Kind</label>
          <input
            id="edit-kind"
            class="input"
            value={kind}
            maxLength={100}
            onInput={(event) => setKind(event.currentTarget.value)}
            required
          />
        </div>
      )}
      <div class="field">
        <label for="edit-reason">Reason</label>
        <input
          id="edit-reason"
          class="input"
          value={reason}
          maxLength={2000}
          autocomplete="off"
          onInput={(event) => setReason(event.currentTarget.value)}
        />
      </div>
      <div class="flow">
        <button type="submit" class="btn solid" disabled={elsewhere || text.trim() === ''}>
          Save <kbd>Ctrl Enter</kbd>
        </button>
        <button type="button" class="btn" onClick={onDone}>
          Cancel <kbd>Esc</kbd>
        </button>
      </div>
    </form>
  )
}

function Versions({ page }: { readonly page: FactAnswer }) {
  if (page.versions.length === 0) return null
  return (
    <section class="block">
      <header>
        <h2>Versions</h2>
      </header>
      <ul class="list">
        {page.versions.map((entry) => {
          const changed = entry.before !== null && entry.text !== null && entry.before !== entry.text
          return (
            <li
              key={`${entry.seq} ${entry.commit}`}
              class={`change ${entry.created === true ? 'add' : entry.to !== undefined ? 'cut' : 'alt'}`}
            >
              <span class="sign" aria-hidden="true">
                {entry.version ?? '·'}
              </span>
              <p class="said" dir="auto">
                {changed ? (
                  <Diff before={entry.before ?? ''} after={entry.text ?? ''} />
                ) : entry.created === true ? (
                  entry.text
                ) : (
                  <span class="dim">{wordsFor(entry)}</span>
                )}
                {entry.reason !== undefined && <span class="faint small"> {entry.reason}</span>}
              </p>
              <span class="row-when">
                <When class="" at={entry.at} />, {clientName(entry.actor)}
              </span>
            </li>
          )
        })}
      </ul>
    </section>
  )
}

const wordsFor = ({ from, to, text }: FactAnswer['versions'][number]): string =>
  from !== undefined && to !== undefined
    ? `${from} became ${to}`
    : text === null
      ? 'its contents are no longer kept'
      : 'other fields changed'

function Links({ page }: { readonly page: FactAnswer }) {
  const rows = [
    ...page.replaces.map((fact) => ({ fact, word: 'replaced by this' })),
    ...(page.replaced_by === null ? [] : [{ fact: page.replaced_by, word: 'replaces this' }]),
    ...page.derived_from.map((fact) => ({ fact, word: 'this was concluded from it' })),
    ...page.links.map(({ fact, type, direction }) => ({
      fact,
      word: `${type.toLowerCase().replaceAll('_', ' ')}${direction === 'in' ? ' this' : ''}`,
    })),
    ...page.similar.slice(0, 6).map(({ fact, weight }) => ({ fact, word: `near duplicate, ${percent(weight)}` })),
  ]
  const seen = new Set<string>()
  const once = rows.filter(({ fact }) => !seen.has(fact.id) && seen.add(fact.id))
  if (once.length === 0) return null
  return (
    <section class="block">
      <header>
        <h2>Links</h2>
        <span class="faint">{once.length}</span>
      </header>
      <ul class="list">
        {once.map(({ fact, word }) => (
          <FactRow
            key={fact.id}
            fact={fact}
            line={false}
            meta={
              <>
                <span>{word}</span>
                <span>{clientName(fact.source)}</span>
              </>
            }
          />
        ))}
      </ul>
    </section>
  )
}

function Provenance({ page }: { readonly page: FactAnswer }) {
  const { fact, last_told: told } = page
  const { right, wrong } = fact.feedback
  return (
    <aside aria-label="Where it comes from">
      <h2>Where it comes from</h2>
      <dl class="kv block">
        <dt>Author</dt>
        <dd>{fact.author ?? 'not named'}</dd>
        <dt>Client</dt>
        <dd class="flow">
          <Who source={fact.source} />
          {clientName(fact.source)}
        </dd>
        <dt>Owner</dt>
        <dd>
          <a class="link" href={href('browse', { owner: fact.owner })}>
            {isProject(fact.owner) ? 'project ' : ''}
            {ownerName(fact.owner)}
          </a>
        </dd>
        {fact.subject !== null && (
          <>
            <dt>States</dt>
            <dd dir="auto">
              {fact.subject} {fact.predicate}
            </dd>
          </>
        )}
        <dt>Reason</dt>
        <dd dir="auto">{fact.reason ?? 'none given'}</dd>
        <dt>Recorded</dt>
        <dd>
          <When class="" at={fact.recorded_at} text={dateAndTime(fact.recorded_at)} />
        </dd>
        <dt>Last told</dt>
        <dd>
          {told === null ? (
            'not in this log'
          ) : (
            <a class="link" href={href('told', { fact: fact.id })}>
              {ago(told.at)} to {clientName(told.client)}
            </a>
          )}
        </dd>
        <dt>Marked</dt>
        <dd>
          {right} right, {wrong} wrong
        </dd>
      </dl>
      {page.entities.length > 0 && (
        <div class="block">
          <h2>Entities</h2>
          <p class="flow">
            {page.entities.slice(0, 20).map((entity) => (
              <a key={entity.id} class="chip" dir="auto" href={href('entity', { id: entity.id })}>
                {entity.name}
              </a>
            ))}
          </p>
        </div>
      )}
      {page.session.length > 1 && (
        <div class="block">
          <h2>Same session</h2>
          <ol class="queue">
            {page.session.map((one) => (
              <li key={one.id}>
                <a href={href('fact', { id: one.id })} aria-current={one.id === fact.id ? 'true' : undefined}>
                  <Mark life={one.life} />
                  <span class="one" dir="auto">
                    {one.id === fact.id ? 'This fact' : one.text}
                  </span>
                </a>
              </li>
            ))}
          </ol>
        </div>
      )}
    </aside>
  )
}
