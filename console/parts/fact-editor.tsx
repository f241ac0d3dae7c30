import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { FactAnswer } from '../../src/contracts/console/fact.js'
import { act } from '../state/actions.js'
import { change, go, href, route } from '../state/route.js'
import { clientName } from '../state/words.js'
import { Icon } from './icon.js'

/** Keeps what was typed when the fact is changed elsewhere meanwhile, and shows both. */
export function Editor({
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
