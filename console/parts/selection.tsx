import { useEffect, useRef, useState } from 'preact/hooks'
import type { ShownFact } from '../../src/contracts/console/shapes.js'
import { act, say } from '../state/actions.js'
import { call } from '../state/api.js'
import { focusRow } from '../state/keys.js'
import { number, plural } from '../state/words.js'

export function TagField({ ids, onDone }: { readonly ids: readonly string[]; readonly onDone: () => void }) {
  const [tag, setTag] = useState('')
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => field.current?.focus(), [])
  const submit = (event: Event): void => {
    event.preventDefault()
    if (tag.trim() === '') return
    void act({
      tool: 'console/tag',
      input: { ids, tag: tag.trim() },
      done: ({ ids: done }) => `${plural(done.length, 'fact')} tagged.`,
      restore: () => focusRow(ids[0] ?? ''),
    })
    onDone()
  }
  return (
    <form class="selbar" onSubmit={submit}>
      <label for="tag-field">Tag {plural(ids.length, 'fact')}</label>
      <input
        id="tag-field"
        class="input"
        ref={field}
        value={tag}
        maxLength={60}
        autocomplete="off"
        onInput={(event) => setTag(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') onDone()
        }}
      />
      <button type="submit" class="btn solid">
        Add
      </button>
    </form>
  )
}

/** Saves the chosen facts as a file of JSON lines. */
export async function exportFacts(facts: readonly ShownFact[]): Promise<void> {
  const whole = await Promise.all(facts.map(({ id }) => call<{ readonly fact: object }>('console/fact', { id }).then(({ fact }) => fact)))
  const blob = new Blob(
    whole.map((fact) => `${JSON.stringify({ content: 'text' in fact ? fact.text : '', ...fact })}\n`),
    { type: 'application/x-ndjson' },
  )
  const link = document.createElement('a')
  link.href = URL.createObjectURL(blob)
  link.download = 'mneme-facts.jsonl'
  link.click()
  URL.revokeObjectURL(link.href)
  say(`${number(facts.length)} exported.`)
}
