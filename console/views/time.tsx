import type { TimelineAnswer } from '../../src/contracts/console/timeline.js'
import { Diff } from '../parts/diff.js'
import { Loaded } from '../parts/feedback.js'
import { When } from '../parts/marks.js'
import { useAnswer } from '../state/answers.js'
import { asOf, change, href, route } from '../state/route.js'
import { dayOf, number } from '../state/words.js'

const DAY = 86_400_000
const inputDay = (date: Date): string => new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 10)
const startOf = (day: string): Date => new Date(`${day}T00:00:00`)
const endOf = (day: string): Date => new Date(Math.min(Date.now(), startOf(day).getTime() + DAY - 1))
const CHANGE_SIGNS = { learned: ['+', 'add'], ended: ['−', 'cut'], changed: ['~', 'alt'] } as const
const TABS = ['all', 'learned', 'ended', 'changed'] as const

export function Time() {
  const { params } = route.value
  const from = params.get('from') ?? inputDay(new Date(Date.now() - 7 * DAY))
  const until = params.get('until') ?? inputDay(new Date())
  const reading = params.get('reading') === 'known' ? 'known' : 'true'
  const tab = params.get('tab') ?? 'all'
  const valid = startOf(from).getTime() < endOf(until).getTime()
  const answer = useAnswer<TimelineAnswer>(
    'console/timeline',
    valid ? { from: startOf(from).toISOString(), until: endOf(until).toISOString(), reading } : undefined,
  )
  return (
    <>
      <h1>
        From {dayOf(startOf(from).toISOString())} to {dayOf(startOf(until).toISOString())}
      </h1>
      <div class="flow block">
        <div class="field">
          <label for="t1">From</label>
          <input
            class="input"
            id="t1"
            type="date"
            value={from}
            max={until}
            onChange={(event) => change({ from: event.currentTarget.value })}
          />
        </div>
        <div class="field">
          <label for="t2">To</label>
          <input
            class="input"
            id="t2"
            type="date"
            value={until}
            min={from}
            onChange={(event) => change({ until: event.currentTarget.value })}
          />
        </div>
        <div class="seg" role="group" aria-label="Read by">
          <button type="button" aria-pressed={reading === 'true'} onClick={() => change({ reading: null })}>
            What was true
          </button>
          <button type="button" aria-pressed={reading === 'known'} onClick={() => change({ reading: 'known' })}>
            What was known
          </button>
        </div>
        {asOf.value === null ? (
          <button type="button" class="btn" onClick={() => change({ at: endOf(from).toISOString() })}>
            Look at {dayOf(startOf(from).toISOString())}
          </button>
        ) : (
          <button type="button" class="btn" onClick={() => change({ at: null })}>
            Back to now <kbd>n</kbd>
          </button>
        )}
      </div>
      {!valid && <p class="dim block">Choose a first day that lies before the last.</p>}
      <Loaded answer={answer}>
        {(timeline) => (
          <>
            <div class="facet-grid block">
              {(['learned', 'ended', 'changed', 'same'] as const).map((name) => (
                <p key={name} class="stat">
                  <b class="num">{number(timeline[name])}</b>
                  <span>{name === 'same' ? 'the same' : name}</span>
                </p>
              ))}
            </div>
            <nav class="tabs block" aria-label="Differences">
              {TABS.map((name) => (
                <a
                  key={name}
                  href={href('time', { ...everyParam(params), tab: name === 'all' ? null : name })}
                  aria-current={tab === name ? 'true' : undefined}
                >
                  {name === 'all' ? 'All' : `${name[0]?.toUpperCase()}${name.slice(1)}`}
                  <span class="n">{number(name === 'all' ? timeline.learned + timeline.ended + timeline.changed : timeline[name])}</span>
                </a>
              ))}
            </nav>
            {timeline.changes.length === 0 ? (
              <p class="dim block">Nothing differs between these days.</p>
            ) : (
              <Changes timeline={timeline} tab={tab} />
            )}
          </>
        )}
      </Loaded>
    </>
  )
}

const everyParam = (params: URLSearchParams): Record<string, readonly string[]> =>
  Object.fromEntries([...new Set(params.keys())].map((name) => [name, params.getAll(name)]))

function Changes({ timeline, tab }: { readonly timeline: TimelineAnswer; readonly tab: string }) {
  const shown = timeline.changes.filter(({ kind }) => tab === 'all' || kind === tab)
  const total =
    tab === 'learned' || tab === 'ended' || tab === 'changed' ? timeline[tab] : timeline.learned + timeline.ended + timeline.changed
  return (
    <>
      <ul>
        {shown.map(({ kind, at, fact, before }) => {
          const [sign, name] = CHANGE_SIGNS[kind === 'learned' || kind === 'ended' ? kind : 'changed']
          return (
            <li key={`${kind} ${fact.id}`} class={`change ${name}`}>
              <span class="sign" aria-hidden="true">
                {sign}
              </span>
              <p class="said" dir="auto">
                <span class="sr">{kind}: </span>
                <a href={href('fact', { id: fact.id })} data-row={fact.id}>
                  {before === undefined ? fact.text : <Diff before={before.text} after={fact.text} />}
                </a>
              </p>
              <When at={at} />
            </li>
          )
        })}
      </ul>
      {total > shown.length && (
        <p class="faint block">
          The newest {number(shown.length)} of {number(total)} are shown. A shorter time shows all of its changes.
        </p>
      )}
    </>
  )
}
