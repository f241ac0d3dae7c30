import { useEffect, useState } from 'preact/hooks'
import type { ReviewAnswer } from '../../src/contracts/console/review.js'
import type { ShownFact } from '../../src/contracts/console/shapes.js'
import { Candidate, type DecisionInput, Pair, type ReviewItem } from '../parts/decision.js'
import { Loaded } from '../parts/feedback.js'
import { When } from '../parts/marks.js'
import { act } from '../state/actions.js'
import { useAnswer } from '../state/answers.js'
import { useKeys } from '../state/keys.js'
import { listen } from '../state/live.js'
import { change, href, route } from '../state/route.js'

const GROUPS = [
  { kind: 'conflict', title: 'Conflicts', mark: 'contested' },
  { kind: 'candidate', title: 'Candidates', mark: 'candidate' },
  { kind: 'duplicate', title: 'Near duplicates', mark: 'superseded' },
  { kind: 'quarantine', title: 'Quarantined', mark: 'ended' },
] as const

/** Facts are compared for a while after they were stored; pairs appear as they are found. */
const COMPARING_MS = 2000

const keyOf = ({ facts }: ReviewItem): string => facts.map(({ id }) => id).join('+')

export function Review() {
  const answer = useAnswer<ReviewAnswer>('console/review', { limit: 300 })
  const { value, reload } = answer
  const isComparing = value?.comparing === true
  useEffect(() => {
    if (!isComparing) return undefined
    const timer = window.setTimeout(reload, COMPARING_MS)
    return () => window.clearTimeout(timer)
  }, [isComparing, value, reload])
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
      <Loaded answer={answer}>{(review) => <Inbox items={review.items} isComparing={review.comparing} />}</Loaded>
    </>
  )
}

function Inbox({ items, isComparing }: { readonly items: readonly ReviewItem[]; readonly isComparing: boolean }) {
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
        <p>{isComparing ? 'Facts are being compared for near duplicates. ' : ''}New candidates and conflicts appear here by themselves.</p>
        <a class="btn" href={href('browse', { status: 'candidate' })}>
          Look at all candidates
        </a>
      </div>
    )
  const decided = {
    item,
    place: `${at + 1} of ${order.length}`,
    onLater: put,
    onDecide: (input: DecisionInput, done: string): void => void act({ tool: 'console/decide', input, done }),
    linkTo: (fact: ShownFact, task?: 'edit'): string => href('fact', { id: fact.id, ...(task === undefined ? {} : { do: task }) }),
  }
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
        {isComparing && <p class="faint small block">Comparing facts for near duplicates</p>}
      </section>
      <section aria-labelledby="review-title">
        {item.facts.length > 1 ? (
          <Pair key={keyOf(item)} {...decided} />
        ) : (
          <>
            <Candidate key={keyOf(item)} {...decided} batched={batch.length > 0} />
            <p class="faint small hint">
              <kbd>Space</kbd> selects several, then <kbd>a</kbd> or <kbd>r</kbd> decides about all of them.
            </p>
          </>
        )}
      </section>
    </div>
  )
}
