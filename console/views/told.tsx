import { useEffect, useMemo, useState } from 'preact/hooks'
import type { ShownFact } from '../../src/contracts/console/shapes.js'
import type { ToldAnswer } from '../../src/contracts/console/told.js'
import { ConfirmDelete } from '../parts/dialog.js'
import { Loaded } from '../parts/feedback.js'
import { Icon } from '../parts/icon.js'
import { Meter, said, When, Who } from '../parts/marks.js'
import { act } from '../state/actions.js'
import { useAnswer } from '../state/answers.js'
import { change, go, href, route } from '../state/route.js'
import { clientName, ownerName, percent, plural, relativeDay, score, timeOf } from '../state/words.js'

type Delivery = ToldAnswer['deliveries'][number]

interface Conversation {
  readonly key: string
  readonly client: string
  readonly owner: string
  /** Newest first. */
  readonly turns: readonly Delivery[]
}

const keyOf = ({ conversation, client, id }: Delivery): string => (conversation === null ? id : `${client} ${conversation}`)

function conversationsOf(deliveries: readonly Delivery[]): readonly Conversation[] {
  const found = new Map<string, Delivery[]>()
  for (const delivery of deliveries) found.set(keyOf(delivery), [...(found.get(keyOf(delivery)) ?? []), delivery])
  return [...found].flatMap(([key, turns]) =>
    turns[0] === undefined ? [] : [{ key, client: turns[0].client, owner: turns[0].owner, turns }],
  )
}

const titleOf = ({ turns }: Conversation): string =>
  [...turns].reverse().find(({ question }) => question !== null)?.question ?? 'Start of a conversation'

const PAGE_SIZE = 200

/** Where a page begins, as the address has it. */
function placeIn(text: string | null): { readonly at: string; readonly id: string } | undefined {
  const [at, id] = text?.split(' ') ?? []
  return at === undefined || id === undefined ? undefined : { at, id }
}

export function Told() {
  const { params } = route.value
  const [fact, q, before] = [params.get('fact'), params.get('q'), placeIn(params.get('before'))]
  const answer = useAnswer<ToldAnswer>('console/told', {
    ...{ limit: PAGE_SIZE },
    ...(fact === null ? {} : { fact }),
    ...(q === null ? {} : { q }),
    ...(before === undefined ? {} : { before }),
  })
  return (
    <>
      <h1 class="sr">Told</h1>
      <Loaded answer={answer}>{(told) => <Conversations told={told} />}</Loaded>
    </>
  )
}

function Conversations({ told }: { readonly told: ToldAnswer }) {
  const { params } = route.value
  const facts = useMemo(() => new Map(told.facts.map((fact) => [fact.id, fact])), [told])
  const all = useMemo(() => conversationsOf(told.deliveries), [told])
  const chosen = all.find(({ key }) => key === params.get('conversation')) ?? all[0]
  const [about, wanted] = [params.get('fact'), params.get('q')]
  const kept = Object.fromEntries(params)
  if (all.length === 0 && wanted === null)
    return (
      <div class="empty">
        <h2>{about === null ? 'Nothing has been told yet.' : 'This fact is in no delivery of the log.'}</h2>
        <p>
          Hooks tell facts at a prompt; <code>mneme install --hooks</code> adds them. What <code>recall</code> answers an agent is logged as
          well.
        </p>
        {about !== null && (
          <a class="btn" href={href('told')}>
            Show everything
          </a>
        )}
      </div>
    )
  return (
    <div class="inbox">
      <section aria-label="Conversations">
        <SearchTold />
        {about !== null && (
          <p class="flow block">
            <a class="chip on" href={href('told')}>
              one fact only
              <span class="x">×</span>
            </a>
          </p>
        )}
        <ul class="queue block">
          {all.map((one, place) => {
            const facts = one.turns.reduce((sum, turn) => sum + turn.facts.length, 0)
            const day = relativeDay(one.turns[0]?.at ?? '')
            const before = all[place - 1]
            return (
              <li key={one.key}>
                {(before === undefined || relativeDay(before.turns[0]?.at ?? '') !== day) && <h2 class="day">{day}</h2>}
                <a
                  href={href('told', { ...kept, conversation: one.key })}
                  data-row={one.key}
                  aria-current={one.key === chosen?.key ? 'true' : undefined}
                >
                  <Who source={one.client} />
                  <span class="one" dir="auto">
                    {titleOf(one)}
                  </span>
                  <When class="faint" at={one.turns[0]?.at ?? ''} text={timeOf(one.turns[0]?.at ?? '')} />
                  <span class="small faint">
                    {ownerName(one.owner)}, {plural(one.turns.length, 'time')}, {facts === 0 ? 'nothing told' : `${facts} told`}
                  </span>
                </a>
              </li>
            )
          })}
        </ul>
        {all.length === 0 && <p class="dim">No delivery of the log holds "{wanted}".</p>}
        <nav class="flow pages" aria-label="Pages">
          {params.get('before') !== null && (
            <a class="btn" href={href('told', { ...kept, before: null, conversation: null })}>
              Newest
            </a>
          )}
          {told.next !== null && (
            <a class="btn" href={href('told', { ...kept, before: `${told.next.at} ${told.next.id}`, conversation: null })}>
              Older
            </a>
          )}
        </nav>
      </section>
      {chosen !== undefined && (
        <section aria-labelledby="told-title">
          <div class="head">
            <h2 id="told-title" class="one" dir="auto">
              {titleOf(chosen)}
            </h2>
            <span class="faint push num">
              {clientName(chosen.client)} in {ownerName(chosen.owner)}
            </span>
          </div>
          {[...chosen.turns].reverse().map((turn) => (
            <Turn key={turn.id} turn={turn} facts={facts} needed={told.needed} />
          ))}
        </section>
      )}
    </div>
  )
}

/** Searches the whole log: queries, and the facts that were delivered. */
function SearchTold() {
  const shown = route.value.params.get('q') ?? ''
  const [text, setText] = useState(shown)
  useEffect(() => setText(shown), [shown])
  useEffect(() => {
    if (text.trim() === shown) return undefined
    const timer = setTimeout(() => change({ q: text.trim(), before: null, conversation: null }, { replace: true }), 160)
    return () => clearTimeout(timer)
  }, [text, shown])
  return (
    <label class="find">
      <span class="sr">When was this last told, and to whom?</span>
      <Icon name="search" />
      <input type="search" placeholder="When was this last told?" value={text} onInput={(event) => setText(event.currentTarget.value)} />
    </label>
  )
}

const WORDS = { start: 'Brief at the start', prompt: 'Prompt', recall: 'Asked by the agent' } as const

function Turn({
  turn,
  facts,
  needed,
}: {
  readonly turn: Delivery
  readonly facts: ReadonlyMap<string, ShownFact>
  readonly needed: number
}) {
  return (
    <div class="turn">
      <div class="prov">
        <b>{WORDS[turn.kind]}</b>
        <When class="" at={turn.at} text={timeOf(turn.at)} />
      </div>
      {turn.question !== null && (
        <p class="prompt said quote" dir="auto">
          {turn.question}
        </p>
      )}
      {turn.facts.length === 0 && (
        <p class="faint">
          Nothing told.
          {turn.confidence === null ? '' : ` The best match was ${percent(turn.confidence)} likely to be wanted`}
          {turn.confidence === null ? '' : turn.kind === 'prompt' ? `; ${percent(needed)} is needed.` : '.'}
        </p>
      )}
      {turn.facts.map(({ id, relevance }) => {
        const fact = facts.get(id)
        return fact === undefined ? null : <ToldFact key={id} fact={fact} relevance={relevance} />
      })}
    </div>
  )
}

function ToldFact({ fact, relevance }: { readonly fact: ShownFact; readonly relevance: number | null }) {
  const [deleting, setDeleting] = useState(false)
  const short = fact.text.slice(0, 40)
  const mark = (word: 'right' | 'wrong'): Promise<unknown> =>
    act({ tool: 'console/mark', input: { id: fact.id, mark: word }, done: word === 'right' ? 'Marked as right.' : 'Marked as wrong.' })
  const correct = (): void => void mark('wrong').then(() => go(href('fact', { id: fact.id, do: 'edit' })))
  const remove = (reason: string): void => {
    setDeleting(false)
    void act({
      tool: 'console/delete',
      input: { ids: [fact.id], ...(reason === '' ? {} : { reason }) },
      done: 'Forgotten; so is every delivery that named it.',
    })
  }
  return (
    <div class="told">
      <a class="said" dir="auto" href={href('fact', { id: fact.id })}>
        {fact.text}
      </a>
      {relevance === null ? <span /> : <Meter value={relevance} label={score(relevance)} />}
      <span class="acts">
        <button type="button" class="btn quiet" aria-label={`Right: ${short}`} onClick={() => void mark('right')}>
          Right
        </button>
        <button type="button" class="btn quiet" aria-label={`Wrong, correct it: ${short}`} onClick={correct}>
          Wrong
        </button>
        <button type="button" class="btn quiet danger" aria-label={`Forget: ${short}`} onClick={() => setDeleting(true)}>
          Forget
        </button>
      </span>
      <span class="row-meta">
        <span>{fact.kind}</span>
        <span>{said(fact.author, fact.source)}</span>
        <When class="" at={fact.recorded_at} />
        {fact.life !== 'current' && <span>{fact.life} now</span>}
      </span>
      {deleting && <ConfirmDelete count={1} onDelete={remove} onClose={() => setDeleting(false)} />}
    </div>
  )
}
