import type { ComponentChildren } from 'preact'
import type { ShownFact } from '../../src/contracts/console/shapes.js'
import { patches } from '../state/actions.js'
import { href } from '../state/route.js'
import { LIFECYCLE_WORDS, ownerName } from '../state/words.js'
import { LifeLine } from './life-line.js'
import { Mark, said, When } from './marks.js'

interface RowProps {
  readonly fact: ShownFact
  /** Replaces kind, owner and author below the text. */
  readonly meta?: ComponentChildren
  readonly line?: boolean
  readonly fresh?: boolean
  readonly selected?: boolean
  readonly onSelect?: (range: boolean) => void
}

/** One fact in a list: its text is a link to its page. Nothing is shown where an action has just removed it. */
export function FactRow({ fact, meta, line = true, fresh, selected, onSelect }: RowProps) {
  const patch = patches.value.get(fact.id)
  if (patch?.gone === true) return null
  const life = patch?.life ?? fact.life
  const over = life !== 'current' && life !== 'candidate' && life !== 'contested' && life !== 'stale'
  return (
    <li class={`row${over ? ' gone' : ''}${fresh === true ? ' fresh' : ''}`}>
      {onSelect !== undefined && (
        <input
          type="checkbox"
          checked={selected === true}
          aria-label={`Select: ${fact.text.slice(0, 60)}`}
          onClick={(event) => onSelect(event.shiftKey)}
        />
      )}
      <Mark life={life} />
      <a class="row-text said one" dir="auto" href={href('fact', { id: fact.id })} data-row={fact.id}>
        {patch?.text ?? fact.text}
      </a>
      <span class="row-meta">
        {meta ?? (
          <>
            {life !== 'current' && <span>{LIFECYCLE_WORDS[life] ?? life}</span>}
            <span>{fact.kind}</span>
            <span>{ownerName(fact.owner)}</span>
            <span>{said(fact.author, fact.source)}</span>
            {fact.tags.map((tag) => (
              <span key={tag}>#{tag}</span>
            ))}
          </>
        )}
      </span>
      {line && <LifeLine fact={fact} />}
      <When at={fact.recorded_at} />
    </li>
  )
}
