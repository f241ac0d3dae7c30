import type { AskAnswer } from '../../src/contracts/console/ask.js'
import type { Answer } from '../state/answers.js'
import { href } from '../state/route.js'
import { percent } from '../state/words.js'
import { Meter } from './marks.js'
import { legendOf, Marked, Parts, scaleOf } from './score.js'

/** How sure the answer is, and what the colours of the scores mean. */
export function Verdict({ answers }: { readonly answers: readonly Answer<AskAnswer>[] }) {
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

export function Results({
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
