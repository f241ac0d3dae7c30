import { useEffect, useState } from 'preact/hooks'
import type { AskAnswer } from '../../src/contracts/console/ask.js'
import type { WhyNotAnswer } from '../../src/contracts/console/why-not.js'
import { Loaded } from '../parts/feedback.js'
import { Icon } from '../parts/icon.js'
import { Meter } from '../parts/marks.js'
import { legendOf, Marked, Parts, scaleOf } from '../parts/score.js'
import { say } from '../state/actions.js'
import { type Answer, useAnswer } from '../state/answers.js'
import { focusedRow, useKeys } from '../state/keys.js'
import { asOf, change, href, route } from '../state/route.js'
import { dayOf, ownerName, percent } from '../state/words.js'

export function Ask() {
  const { params } = route.value
  const question = params.get('q') ?? ''
  const mode = params.get('effort') ?? 'best'
  const owner = params.get('owner')
  const code = params.get('code') === 'on'
  const input = (effort: string): object | undefined =>
    question === ''
      ? undefined
      : { question, effort, code, limit: 10, ...(owner === null ? {} : { owner }), ...(asOf.value === null ? {} : { as_of: asOf.value }) }
  const fast = useAnswer<AskAnswer>('console/ask', mode === 'best' ? undefined : input('fast'))
  const best = useAnswer<AskAnswer>('console/ask', mode === 'fast' ? undefined : input('best'))
  const [why, setWhy] = useState<string | undefined>(params.get('why') ?? undefined)
  const main = mode === 'fast' ? fast : best
  useKeys({
    c: () => void copyCall(),
    w: () => setWhy(focusedRow() ?? why),
    Escape: () => setWhy(undefined),
  })
  const copyCall = async (): Promise<void> => {
    const given = {
      query: question,
      ...(owner === null ? {} : { user_id: owner }),
      ...(code ? { include_code: true } : {}),
      ...(asOf.value === null ? {} : { as_of: asOf.value }),
      explain: true,
      effort: mode === 'fast' ? 'fast' : 'best',
    }
    const text = `mneme call memory recall --json '${JSON.stringify(given).replaceAll("'", "'\\''")}'`
    await navigator.clipboard.writeText(text).then(
      () => say('Copied.'),
      () => say(text),
    )
  }
  return (
    <>
      <h1 class="sr">Ask</h1>
      <div class="lookfor">
        <Question question={question} />
        {question !== '' && (
          <>
            <div class="between">
              <div class="flow">
                <div class="seg" role="group" aria-label="Effort">
                  {[
                    ['fast', 'Fast'],
                    ['best', 'Best'],
                    ['both', 'Side by side'],
                  ].map(([name = '', label]) => (
                    <button key={name} type="button" aria-pressed={mode === name} onClick={() => change({ effort: name })}>
                      {label}
                    </button>
                  ))}
                </div>
                <button type="button" class="chip" aria-pressed={code} onClick={() => change({ code: code ? null : 'on' })}>
                  code <b>{code ? 'on' : 'off'}</b>
                </button>
                <OwnerChip owner={owner} owners={main.value?.owners ?? []} />
                <a class="chip" href={href('time')}>
                  as of <b>{asOf.value === null ? 'now' : dayOf(asOf.value)}</b>
                </a>
              </div>
              <button type="button" class="btn quiet wide-only" onClick={() => void copyCall()}>
                <Icon name="copy" />
                Copy as mneme call <kbd>c</kbd>
              </button>
            </div>
            <Verdict answers={mode === 'both' ? [fast, best] : [main]} />
          </>
        )}
      </div>
      {question === '' ? (
        <div class="empty">
          <h2>Ask as your agent would.</h2>
          <p>Every result shows what made its score: meaning, words, links and the reranker. Pick any fact to see why it was not told.</p>
        </div>
      ) : (
        <div class={`ask block${mode === 'both' ? '' : ' one-way'}`}>
          {mode !== 'best' && (
            <section aria-labelledby="c-fast">
              <div class="head">
                <h2 id="c-fast">Fast</h2>
                <span class="faint">without the reranker</span>
              </div>
              <Loaded answer={fast}>
                {(answer) => <Results answer={answer} other={mode === 'both' ? best.value : undefined} name="best" onWhy={setWhy} />}
              </Loaded>
            </section>
          )}
          {mode !== 'fast' && (
            <section aria-labelledby="c-best">
              <div class="head">
                <h2 id="c-best">Best</h2>
                <span class="faint">
                  {best.value?.reranking === 'used' ? 'the first 30 read again' : `reranker ${best.value?.reranking ?? ''}`}
                </span>
              </div>
              <Loaded answer={best}>
                {(answer) => <Results answer={answer} other={mode === 'both' ? fast.value : undefined} name="fast" onWhy={setWhy} />}
              </Loaded>
            </section>
          )}
          <WhyNot question={question} owner={owner} effort={mode === 'fast' ? 'fast' : 'best'} fact={why} onPick={setWhy} />
        </div>
      )}
    </>
  )
}

function Question({ question }: { readonly question: string }) {
  const [text, setText] = useState(question)
  useEffect(() => setText(question), [question])
  return (
    <form
      role="search"
      onSubmit={(event) => {
        event.preventDefault()
        if (text.trim() !== '') change({ q: text.trim() })
      }}
    >
      <label class="find big">
        <span class="sr">Question</span>
        <Icon name="search" />
        <input
          type="search"
          placeholder="Which port does the api use?"
          value={text}
          autofocus={question === ''}
          onInput={(event) => setText(event.currentTarget.value)}
          autocomplete="off"
        />
        <kbd class="hint">Enter</kbd>
      </label>
    </form>
  )
}

function OwnerChip({ owner, owners }: { readonly owner: string | null; readonly owners: readonly string[] }) {
  return (
    <label class="chip">
      owner
      <select
        class="bare"
        value={owner ?? ''}
        onChange={(event) => change({ owner: event.currentTarget.value === '' ? null : event.currentTarget.value })}
      >
        <option value="">everyone</option>
        {[...new Set([...(owner === null ? [] : [owner]), ...owners])].map((one) => (
          <option key={one} value={one}>
            {ownerName(one)}
          </option>
        ))}
      </select>
    </label>
  )
}

function Verdict({ answers }: { readonly answers: readonly Answer<AskAnswer>[] }) {
  const known = answers.flatMap(({ value }) => value ?? [])
  const last = known[known.length - 1]
  if (last === undefined) return null
  const likely = (last.confidence ?? 0) >= 0.5
  const legend = legendOf(known.flatMap(({ results }) => results.flatMap(({ contributions }) => contributions)))
  return (
    <div class="between">
      <p>
        <b>{last.results.length === 0 ? 'Nothing found' : likely ? 'Likely answered' : 'Probably not stored. These come closest.'}</b>{' '}
        <span class="dim">
          {last.confidence !== null && `confidence ${percent(last.confidence)}, `}
          {known.map(({ ms }) => `${Math.round(ms)} ms`).join(' and ')}
          {last.read_as !== undefined && `, read as "${last.read_as}"`}
        </span>
        {last.notice !== undefined && <span class="dim"> {last.notice}</span>}
      </p>
      <div class="key">
        {legend.map(([color, words]) => (
          <span key={color}>
            <i class={color} />
            {words}
          </span>
        ))}
      </div>
    </div>
  )
}

function Results({
  answer,
  other,
  name,
  onWhy,
}: {
  readonly answer: AskAnswer
  readonly other: AskAnswer | undefined
  readonly name: string
  readonly onWhy: (id: string) => void
}) {
  if (answer.results.length === 0) return <p class="dim">Nothing matches. Try other words, or look at everyone's facts.</p>
  const scale = scaleOf(answer.results.map(({ contributions }) => contributions))
  return (
    <ol class="list">
      {answer.results.map((result, at) => (
        <li key={result.id} class={`hit${result.told ? '' : ' untold'}`}>
          {!result.told && answer.results[at - 1]?.told === true && <p class="ends">An agent is not given what follows</p>}
          <span class="rank">{at + 1}</span>
          {result.source === 'memory' ? (
            <a class="said" dir="auto" href={href('fact', { id: result.id })} data-row={result.id}>
              <Marked text={result.text} terms={result.matched} />
            </a>
          ) : (
            <p class="said pre wrap" dir="auto">
              <span class="faint">{result.place}</span>
              {'\n'}
              {result.text}
            </p>
          )}
          <Parts contributions={result.contributions} total={result.score} unit={scale.unit} pad={scale.pad} />
          <div class="between">
            <span class="flow">
              <Meter value={result.relevance} label={`wanted ${percent(result.relevance)}`} />
              {result.path !== undefined && (
                <span class="faint small">
                  found through <span dir="auto">{result.path[1]}</span>
                </span>
              )}
              {result.superseded !== undefined && <span class="faint small">a later fact replaces it</span>}
            </span>
            {other !== undefined ? (
              <Move at={at} id={result.id} other={other} name={name} />
            ) : (
              result.source === 'memory' && (
                <button type="button" class="btn quiet small" onClick={() => onWhy(result.id)}>
                  Why
                </button>
              )
            )}
          </div>
        </li>
      ))}
    </ol>
  )
}

function Move({ at, id, other, name }: { readonly at: number; readonly id: string; readonly other: AskAnswer; readonly name: string }) {
  const there = other.results.findIndex((one) => one.id === id)
  if (there < 0) return <span class="move new">not in {name}</span>
  if (there === at) return <span class="move">same in {name}</span>
  return <span class={`move ${there > at ? 'up' : 'down'}`}>{`${there + 1} in ${name}`}</span>
}

const STAGES: Readonly<Record<string, string>> = {
  owner: 'Owner',
  access: 'Access',
  validity: 'Validity',
  candidates: 'Candidates',
  floor: 'Floor',
  limit: 'Limit',
}

function WhyNot({
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
  const [text, setText] = useState('')
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
        <form
          class="stack"
          onSubmit={(event) => {
            event.preventDefault()
            if (text.trim() !== '') onPick(text.trim())
          }}
        >
          <p class="dim">Pick a fact to see at which stage it was dropped, and what made its score.</p>
          <div class="field">
            <label for="why-id">Id of a fact</label>
            <input id="why-id" class="input" value={text} onInput={(event) => setText(event.currentTarget.value)} autocomplete="off" />
            <small>
              Or press <kbd>w</kbd> on a result.
            </small>
          </div>
        </form>
      ) : (
        <Loaded answer={answer} lines={4}>
          {(verdict) => <Verdicts verdict={verdict} />}
        </Loaded>
      )}
    </aside>
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
    </div>
  )
}
