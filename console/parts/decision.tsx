import { useEffect, useRef, useState } from 'preact/hooks'
import type { ReviewAnswer } from '../../src/contracts/console/review.js'
import type { ShownFact } from '../../src/contracts/console/shapes.js'
import { useKeys } from '../state/keys.js'
import { go } from '../state/route.js'
import { clientName, ownerName, percent } from '../state/words.js'
import { OneSide } from './diff.js'
import { State, When, Who } from './marks.js'

export type ReviewItem = ReviewAnswer['items'][number]

const Provenance = ({ fact }: { readonly fact: ShownFact }) => (
  <>
    <div class="prov">
      <Who source={fact.source} />
      <span>{clientName(fact.source)}</span>
      {fact.author !== null && <span>{fact.author}</span>}
      <When class="" at={fact.recorded_at} />
      <span>{ownerName(fact.owner)}</span>
    </div>
    {fact.reason !== null && (
      <p class="small dim" dir="auto">
        Reason: {fact.reason}
      </p>
    )}
  </>
)

/** A decision as the operations take it. */
export interface DecisionInput {
  readonly verdict: 'accept' | 'reject' | 'keep' | 'both' | 'merge'
  readonly ids: readonly string[]
  readonly keep?: string
  readonly text?: string
}

interface PartProps {
  readonly item: ReviewItem
  readonly place: string
  readonly onDecide: (decision: DecisionInput, done: string) => void
  readonly onLater: () => void
  /** The page of a fact, if there is one. */
  readonly linkTo?: (fact: ShownFact, task?: 'edit') => string
}

export function Pair({ item, place, onDecide, onLater, linkTo }: PartProps) {
  const [earlier, later] = item.facts
  const [merging, setMerging] = useState(false)
  const decide = (decision: Omit<DecisionInput, 'ids'>, done: string): void =>
    onDecide({ ids: item.facts.map(({ id }) => id), ...decision }, done)
  const keep = (fact: ShownFact | undefined, done: string): void => {
    if (fact !== undefined) decide({ verdict: 'keep', keep: fact.id }, done)
  }
  const keepEarlier = (): void => keep(earlier, 'Kept the earlier; the later ended.')
  const keepLater = (): void => keep(later, 'Kept the later; the earlier ended.')
  const both = (): void => decide({ verdict: 'both' }, 'Both hold. This pair will not return.')
  useKeys(merging ? {} : { '1': keepEarlier, '2': keepLater, b: both, m: () => setMerging(true) })
  if (earlier === undefined || later === undefined) return null
  const suggested = item.kind === 'conflict' || later.text.length >= earlier.text.length ? later : earlier
  const side = (fact: ShownFact, name: string, key: string) => (
    <section class={fact === suggested ? 'pick' : ''} aria-label={fact === suggested ? `${name}, suggested` : name}>
      <div class="between">
        <State life={fact.life} />
        <kbd>{key}</kbd>
      </div>
      <p class="said" dir="auto">
        <OneSide before={earlier.text} after={later.text} side={fact === earlier ? 'before' : 'after'} />
      </p>
      <Provenance fact={fact} />
      {linkTo !== undefined && (
        <a class="link small" href={linkTo(fact)}>
          Open
        </a>
      )}
    </section>
  )
  return (
    <>
      <div class="head">
        <h2 id="review-title">{item.kind === 'conflict' ? 'Which one holds?' : 'Do these say the same?'}</h2>
        <span class="faint">
          {item.kind === 'conflict' && item.alike !== undefined ? (
            'by its wording, the later note replaces the earlier one'
          ) : item.kind === 'conflict' ? (
            <>
              same subject and predicate:{' '}
              <span class="mono" dir="auto">
                {later.subject}, {later.predicate}
              </span>
            </>
          ) : (
            `${percent(item.alike ?? 0)} alike`
          )}
        </span>
        <span class="push faint">{place}</span>
      </div>
      <div class="versus">
        {side(earlier, 'Earlier', '1')}
        {side(later, 'Later', '2')}
        {merging ? (
          <Merge
            earlier={earlier}
            later={later}
            onCancel={() => setMerging(false)}
            onMerge={(text) => decide({ verdict: 'merge', keep: later.id, text }, 'Merged; the earlier ended.')}
          />
        ) : (
          <footer>
            <button type="button" class="btn solid" onClick={keepLater}>
              Keep the later <kbd>2</kbd>
            </button>
            <button type="button" class="btn" onClick={keepEarlier}>
              Keep the earlier <kbd>1</kbd>
            </button>
            <button type="button" class="btn" onClick={both}>
              Both hold <kbd>b</kbd>
            </button>
            <button type="button" class="btn" onClick={() => setMerging(true)}>
              Merge <kbd>m</kbd>
            </button>
            <button type="button" class="btn quiet push" onClick={onLater}>
              Later <kbd>l</kbd>
            </button>
          </footer>
        )}
      </div>
      <p class="faint small hint">
        The one that is not kept ends, with a link to the one that stays. Both: this pair does not return. Every decision can be undone.
      </p>
    </>
  )
}

function Merge({
  earlier,
  later,
  onMerge,
  onCancel,
}: {
  readonly earlier: ShownFact
  readonly later: ShownFact
  readonly onMerge: (text: string) => void
  readonly onCancel: () => void
}) {
  const [text, setText] = useState(later.text)
  const field = useRef<HTMLTextAreaElement>(null)
  useEffect(() => field.current?.focus(), [])
  return (
    <footer>
      {/* No form: hosts of MCP Apps show this in a frame in which forms cannot be sent. */}
      <div
        class="stack merge"
        role="group"
        aria-label="Merge"
        onKeyDown={(event) => {
          if (event.key === 'Escape') onCancel()
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) onMerge(text)
        }}
      >
        <div class="field">
          <label for="merge-text">What the one that stays says</label>
          <textarea
            id="merge-text"
            class="input"
            dir="auto"
            rows={3}
            ref={field}
            value={text}
            onInput={(event) => setText(event.currentTarget.value)}
          />
        </div>
        <div class="flow">
          <button type="button" class="btn solid" onClick={() => onMerge(text)}>
            Merge
          </button>
          <button type="button" class="btn" onClick={() => setText(`${earlier.text} ${later.text}`)}>
            Join both texts
          </button>
          <button type="button" class="btn quiet" onClick={onCancel}>
            Cancel <kbd>Esc</kbd>
          </button>
        </div>
      </div>
    </footer>
  )
}

export function Candidate({ item, place, onDecide, onLater, linkTo, batched = false }: PartProps & { readonly batched?: boolean }) {
  const [fact] = item.facts
  const decide = (verdict: 'accept' | 'reject'): void =>
    onDecide({ verdict, ids: item.facts.map(({ id }) => id) }, verdict === 'accept' ? 'Accepted.' : 'Rejected.')
  useKeys(
    batched
      ? {}
      : {
          a: () => decide('accept'),
          r: () => decide('reject'),
          e: () => fact !== undefined && linkTo !== undefined && go(linkTo(fact, 'edit')),
        },
  )
  if (fact === undefined) return null
  return (
    <>
      <div class="head">
        <h2 id="review-title">{item.kind === 'quarantine' ? 'Let it out of quarantine?' : 'Keep this?'}</h2>
        <span class="faint">
          {item.kind === 'quarantine' ? `held back in ${fact.garden ?? 'a garden'}` : `captured by ${clientName(fact.source)}`}
        </span>
        <span class="push faint">{place}</span>
      </div>
      <div class="versus single">
        <section>
          <div class="between">
            <State life={fact.life} />
            <span class="faint">{fact.kind}</span>
          </div>
          <p class="said" dir="auto">
            {fact.text}
          </p>
          <Provenance fact={fact} />
          {linkTo !== undefined && (
            <a class="link small" href={linkTo(fact)}>
              Open with its links
            </a>
          )}
        </section>
        <footer>
          <button type="button" class="btn solid" onClick={() => decide('accept')}>
            Accept <kbd>a</kbd>
          </button>
          <button type="button" class="btn" onClick={() => decide('reject')}>
            Reject <kbd>r</kbd>
          </button>
          {linkTo !== undefined && (
            <a class="btn" href={linkTo(fact, 'edit')}>
              Edit <kbd>e</kbd>
            </a>
          )}
          <button type="button" class="btn quiet push" onClick={onLater}>
            Later <kbd>l</kbd>
          </button>
        </footer>
      </div>
    </>
  )
}
