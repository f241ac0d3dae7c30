import { useEffect, useRef, useState } from 'preact/hooks'
import type { ReviewAnswer } from '../../src/contracts/console/review.js'
import type { ShownFact } from '../../src/contracts/console/shapes.js'
import { OneSide } from '../parts/diff.js'
import { Loaded } from '../parts/feedback.js'
import { State, When, Who } from '../parts/marks.js'
import { act } from '../state/actions.js'
import { useAnswer } from '../state/answers.js'
import { useKeys } from '../state/keys.js'
import { listen } from '../state/live.js'
import { change, go, href, route } from '../state/route.js'
import { clientName, ownerName, percent } from '../state/words.js'

type Item = ReviewAnswer['items'][number]

const GROUPS = [
  { kind: 'conflict', title: 'Conflicts', mark: 'contested' },
  { kind: 'candidate', title: 'Candidates', mark: 'candidate' },
  { kind: 'duplicate', title: 'Near duplicates', mark: 'superseded' },
  { kind: 'quarantine', title: 'Quarantined', mark: 'ended' },
] as const

const keyOf = ({ facts }: Item): string => facts.map(({ id }) => id).join('+')

export function Review() {
  const answer = useAnswer<ReviewAnswer>('console/review', { limit: 300 })
  const { reload } = answer
  useEffect(() => {
    let timer: number | undefined
    const stop = listen((changes) => {
      if (!changes.some(({ kind }) => kind === 'fact' || kind === 'edge')) return
      window.clearTimeout(timer)
      timer = window.setTimeout(reload, 600)
    })
    return () => {
      window.clearTimeout(timer)
      stop()
    }
  }, [reload])
  return (
    <>
      <h1 class="sr">Review</h1>
      <Loaded answer={answer}>{(review) => <Inbox items={review.items} />}</Loaded>
    </>
  )
}

function Inbox({ items }: { readonly items: readonly Item[] }) {
  const { params } = route.value
  // Put off for as long as this page is open.
  const [later, setLater] = useState<readonly string[]>([])
  const [marked, setMarked] = useState<ReadonlySet<string>>(new Set())
  const order = [...items.filter((item) => !later.includes(keyOf(item))), ...items.filter((item) => later.includes(keyOf(item)))]
  const wanted = params.get('item')
  const kind = params.get('kind')
  const at = Math.max(
    0,
    order.findIndex((item) => (wanted === null ? kind === null || item.kind === kind : keyOf(item) === wanted)),
  )
  const item = order[at]
  const open = (to: number): void => {
    const next = order[Math.min(order.length - 1, Math.max(0, to))]
    if (next !== undefined) change({ item: keyOf(next), kind: null }, { replace: true })
  }
  const batch = order.filter((one) => marked.has(keyOf(one)))
  const many = async (verdict: 'accept' | 'reject'): Promise<void> => {
    const ids = batch.flatMap(({ facts }) => facts.map(({ id }) => id))
    setMarked(new Set())
    await act({ tool: 'console/decide', input: { verdict, ids }, done: `${ids.length} ${verdict === 'accept' ? 'accepted' : 'rejected'}.` })
  }
  const select = (): void => {
    if (item === undefined || item.kind !== 'candidate') return
    const next = new Set(marked)
    if (next.has(keyOf(item))) next.delete(keyOf(item))
    else next.add(keyOf(item))
    setMarked(next)
    open(at + 1)
  }
  const put = (): void => {
    if (item === undefined) return
    setLater([...later.filter((key) => key !== keyOf(item)), keyOf(item)])
    const next = order[at + 1] ?? order[0]
    if (next !== undefined) change({ item: keyOf(next), kind: null }, { replace: true })
  }
  useKeys({
    j: () => open(at + 1),
    k: () => open(at - 1),
    l: put,
    ' ': select,
    ...(batch.length > 0 ? { a: () => void many('accept'), r: () => void many('reject') } : {}),
  })
  if (item === undefined)
    return (
      <div class="empty">
        <h2>Nothing is waiting.</h2>
        <p>New candidates and conflicts appear here by themselves.</p>
        <a class="btn" href={href('browse', { status: 'candidate' })}>
          Look at all candidates
        </a>
      </div>
    )
  return (
    <div class="inbox">
      <section aria-label="Waiting">
        <div class="head">
          <h2>Waiting</h2>
          <span class="faint">{order.length}</span>
        </div>
        {batch.length > 0 && (
          <div class="flow batch" role="toolbar" aria-label="Decide about the selection">
            <b>{batch.length} selected</b>
            <button type="button" class="btn" onClick={() => void many('accept')}>
              Accept <kbd>a</kbd>
            </button>
            <button type="button" class="btn" onClick={() => void many('reject')}>
              Reject <kbd>r</kbd>
            </button>
          </div>
        )}
        {GROUPS.map(({ kind: group, title, mark }) => {
          const own = order.filter((one) => one.kind === group)
          return own.length === 0 ? null : (
            <div key={group}>
              <h3>
                {title} <span class="faint">{own.length}</span>
              </h3>
              <ul class="queue">
                {own.slice(0, 60).map((one) => (
                  <li key={keyOf(one)}>
                    <a
                      href={href('review', { item: keyOf(one) })}
                      aria-current={keyOf(one) === keyOf(item) ? 'true' : undefined}
                      class={marked.has(keyOf(one)) ? 'marked' : ''}
                    >
                      <span class={`mark ${mark}`} />
                      <span class="one" dir="auto">
                        {one.facts[one.facts.length - 1]?.text}
                      </span>
                      <When class="faint" at={one.facts[one.facts.length - 1]?.recorded_at ?? ''} />
                    </a>
                  </li>
                ))}
              </ul>
            </div>
          )
        })}
      </section>
      <section aria-labelledby="review-title">
        {item.facts.length > 1 ? (
          <Pair key={keyOf(item)} item={item} place={`${at + 1} of ${order.length}`} onLater={put} />
        ) : (
          <Candidate key={keyOf(item)} item={item} place={`${at + 1} of ${order.length}`} onLater={put} batched={batch.length > 0} />
        )}
      </section>
    </div>
  )
}

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

interface PartProps {
  readonly item: Item
  readonly place: string
  readonly onLater: () => void
}

function Pair({ item, place, onLater }: PartProps) {
  const [earlier, later] = item.facts
  const [merging, setMerging] = useState(false)
  const decide = (input: object, done: string): void =>
    void act({ tool: 'console/decide', input: { ids: item.facts.map(({ id }) => id), ...input }, done })
  const keep = (fact: ShownFact | undefined, done: string): void => decide({ verdict: 'keep', keep: fact?.id }, done)
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
      <a class="link small" href={href('fact', { id: fact.id })}>
        Open
      </a>
    </section>
  )
  return (
    <>
      <div class="head">
        <h2 id="review-title">{item.kind === 'conflict' ? 'Which one holds?' : 'Do these say the same?'}</h2>
        <span class="faint">
          {item.kind === 'conflict' ? (
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
      <form
        class="stack merge"
        onSubmit={(event) => {
          event.preventDefault()
          onMerge(text)
        }}
        onKeyDown={(event) => {
          if (event.key === 'Escape') onCancel()
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
          <button type="submit" class="btn solid">
            Merge
          </button>
          <button type="button" class="btn" onClick={() => setText(`${earlier.text} ${later.text}`)}>
            Join both texts
          </button>
          <button type="button" class="btn quiet" onClick={onCancel}>
            Cancel <kbd>Esc</kbd>
          </button>
        </div>
      </form>
    </footer>
  )
}

function Candidate({ item, place, onLater, batched }: PartProps & { readonly batched: boolean }) {
  const [fact] = item.facts
  const decide = (verdict: 'accept' | 'reject'): void =>
    void act({
      tool: 'console/decide',
      input: { verdict, ids: item.facts.map(({ id }) => id) },
      done: verdict === 'accept' ? 'Accepted.' : 'Rejected.',
    })
  useKeys(
    batched
      ? {}
      : {
          a: () => decide('accept'),
          r: () => decide('reject'),
          e: () => fact !== undefined && go(href('fact', { id: fact.id, do: 'edit' })),
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
          <a class="link small" href={href('fact', { id: fact.id })}>
            Open with its links
          </a>
        </section>
        <footer>
          <button type="button" class="btn solid" onClick={() => decide('accept')}>
            Accept <kbd>a</kbd>
          </button>
          <button type="button" class="btn" onClick={() => decide('reject')}>
            Reject <kbd>r</kbd>
          </button>
          <a class="btn" href={href('fact', { id: fact.id, do: 'edit' })}>
            Edit <kbd>e</kbd>
          </a>
          <button type="button" class="btn quiet push" onClick={onLater}>
            Later <kbd>l</kbd>
          </button>
        </footer>
      </div>
      <p class="faint small hint">
        <kbd>Space</kbd> selects several, then <kbd>a</kbd> or <kbd>r</kbd> decides about all of them.
      </p>
    </>
  )
}
