import { useEffect, useState } from 'preact/hooks'
import type { BrowseAnswer } from '../../src/contracts/console/browse.js'
import type { WhyNotAnswer } from '../../src/contracts/console/why-not.js'
import { useAnswer } from '../state/answers.js'
import { asOf, href, route } from '../state/route.js'
import { dayOf } from '../state/words.js'
import { Loaded } from './feedback.js'
import { Icon } from './icon.js'
import { Mark } from './marks.js'
import { Parts, scaleOf, sumOf } from './score.js'

const STAGES: Readonly<Record<string, string>> = {
  owner: 'Owner',
  access: 'Access',
  validity: 'Validity',
  candidates: 'Candidates',
  floor: 'Floor',
  limit: 'Limit',
}

/** At which stage a question dropped a fact. */
export function WhyNot({
  question,
  owner,
  effort,
  fact,
  onPick,
}: {
  readonly question: string
  readonly owner: string | null
  readonly effort: string
  readonly fact: string | undefined
  readonly onPick: (id: string | undefined) => void
}) {
  const answer = useAnswer<WhyNotAnswer>(
    'console/why_not',
    fact === undefined
      ? undefined
      : {
          question,
          id: fact,
          effort,
          limit: 10,
          ...(owner === null ? {} : { owner }),
          ...(asOf.value === null ? {} : { as_of: asOf.value }),
        },
  )
  return (
    <aside class="inspect" aria-labelledby="c-why">
      <div class="head">
        <h2 id="c-why">Why not?</h2>
        {fact !== undefined && (
          <button type="button" class="btn quiet square push" aria-label="Close" onClick={() => onPick(undefined)}>
            <Icon name="close" />
          </button>
        )}
      </div>
      {fact === undefined ? (
        <PickFact onPick={onPick} />
      ) : (
        <Loaded answer={answer} lines={4}>
          {(verdict) => <Verdicts verdict={verdict} />}
        </Loaded>
      )}
    </aside>
  )
}

const WAIT_MS = 160
const MAX_CHOICES = 6

/** Any fact: found by its words, or named by its id. */
function PickFact({ onPick }: { readonly onPick: (id: string) => void }) {
  const [text, setText] = useState('')
  const [asked, setAsked] = useState('')
  useEffect(() => {
    const timer = setTimeout(() => setAsked(text.trim()), WAIT_MS)
    return () => clearTimeout(timer)
  }, [text])
  const found = useAnswer<BrowseAnswer>('console/browse', asked === '' ? undefined : { q: asked, limit: MAX_CHOICES })
  const isCurrent = asked === text.trim() && !found.loading
  const [isSent, setSent] = useState(false)
  const pick = (): void => {
    const wanted = choices[0]?.id ?? text.trim()
    if (wanted !== '') onPick(wanted)
  }
  // Enter may come before the facts that these words name.
  useEffect(() => {
    if (isSent && isCurrent) pick()
  }, [isSent, isCurrent])
  const choices = asked === '' ? [] : (found.value?.facts ?? [])
  return (
    <form
      class="stack"
      onSubmit={(event) => {
        event.preventDefault()
        if (isCurrent) pick()
        else setSent(true)
      }}
    >
      <p class="dim">Pick any fact to see at which stage it was dropped, and what made its score.</p>
      <div class="field">
        <label for="why-fact">Words or id of a fact</label>
        <input id="why-fact" class="input" value={text} onInput={(event) => setText(event.currentTarget.value)} autocomplete="off" />
        <small>
          Or press <kbd>w</kbd> on a result.
        </small>
      </div>
      {choices.length > 0 && (
        <ul class="queue" aria-label="Facts found">
          {choices.map((fact) => (
            <li key={fact.id}>
              <button type="button" onClick={() => onPick(fact.id)}>
                <Mark life={fact.life} />
                <span class="one" dir="auto">
                  {fact.text}
                </span>
              </button>
            </li>
          ))}
        </ul>
      )}
      {asked !== '' && found.value !== undefined && choices.length === 0 && (
        <p class="faint">No fact holds these words; Enter takes them as an id.</p>
      )}
    </form>
  )
}

function Verdicts({ verdict }: { readonly verdict: WhyNotAnswer }) {
  const scale = scaleOf([verdict.contributions])
  return (
    <div class="stack">
      <p class="quote said" dir="auto">
        {verdict.text}
      </p>
      <p>
        <b>{verdict.summary}</b>
      </p>
      <ol class="steps">
        {verdict.stages.map(({ stage, passed, detail }) => (
          <li key={stage} class={passed === false ? 'stop' : passed === null ? 'after' : ''}>
            <span class="dot">
              <Icon name={passed === false ? 'minus' : 'check'} />
            </span>
            <b>{STAGES[stage] ?? stage}</b>
            <p>{detail}</p>
          </li>
        ))}
      </ol>
      {verdict.dropped === 'validity' && verdict.held_at !== null && (
        <a class="btn" href={href('ask', { ...Object.fromEntries(route.value.params), at: verdict.held_at })}>
          Ask as of {dayOf(verdict.held_at)}
        </a>
      )}
      {verdict.contributions.length > 0 && (
        <Parts
          contributions={verdict.contributions}
          total={verdict.contributions.reduce((sum, { value }) => sum + value, 0)}
          unit={scale.unit}
          pad={scale.pad}
        />
      )}
      {verdict.contributions.length > 0 && <p class="faint small">{sumOf(verdict.contributions)}</p>}
    </div>
  )
}
