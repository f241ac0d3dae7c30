import type { ShownFact } from '../../src/contracts/console/shapes.js'
import { ago, dayOf, plural } from '../state/words.js'

type LifecycleFields = Pick<ShownFact, 'life' | 'valid_from' | 'valid_until' | 'recorded_at'>

const DAY = 86_400_000
const CLASSES: Readonly<Record<string, string>> = { candidate: 'maybe', contested: 'split', superseded: 'over', ended: 'past' }

interface Axis {
  readonly from: number
  readonly until: number
}

const timeOf = (text: string): number => new Date(text).getTime()

interface Drawn {
  readonly name: string
  readonly a: number
  readonly b: number
}

interface Line {
  readonly bars: readonly Drawn[]
  /** Where it was recorded. */
  readonly said: number
  readonly now: number
}

/** When a fact was true against when it was recorded, on an axis. */
function lineOf(fact: LifecycleFields, axis: Axis, now: number): Line {
  const place = (at: number): number => Math.min(1, Math.max(0, (at - axis.from) / (axis.until - axis.from)))
  const [from, said] = [timeOf(fact.valid_from), timeOf(fact.recorded_at)]
  const until = fact.valid_until === null ? now : Math.min(timeOf(fact.valid_until), now)
  const shown = CLASSES[fact.life] ?? ''
  const bars: Drawn[] = []
  if (from < said) bars.push({ name: `unknown ${shown}`, a: place(from), b: place(Math.min(said, until)) })
  if (until > said) bars.push({ name: shown, a: place(Math.max(from, said)), b: place(until) })
  // Delivered as current although it had ended by then.
  if (fact.valid_until !== null && until < said) bars.push({ name: 'wrong', a: place(until), b: place(said) })
  return { bars, said: place(said), now: place(now) }
}

const Bars = ({ line }: { readonly line: Line }) => (
  <>
    {line.bars.map(({ name, a, b }) => (
      <i key={name} class={name} style={{ '--a': a, '--b': b }} />
    ))}
    <i class="said" style={{ '--a': line.said }} />
  </>
)

/** Small, in rows: the last four months. */
export function LifeLine({ fact }: { readonly fact: LifecycleFields }) {
  const now = Date.now()
  const line = lineOf(fact, { from: now - 120 * DAY, until: now + 8 * DAY }, now)
  return (
    <span class="life" aria-hidden="true">
      <Bars line={line} />
    </span>
  )
}

/** Large, on the page of a fact: its own time, in a sentence as well. */
export function BigLifeLine({ fact }: { readonly fact: LifecycleFields }) {
  const now = Date.now()
  const [from, said] = [timeOf(fact.valid_from), timeOf(fact.recorded_at)]
  const first = Math.min(from, said)
  const span = Math.max(DAY, now - first)
  const line = lineOf(fact, { from: first - span * 0.12, until: now + span * 0.1 }, now)
  const ended = fact.valid_until === null ? undefined : fact.valid_until
  const unknown = Math.round((said - from) / DAY)
  const beginning = line.bars[0]?.a ?? line.said
  const near = Math.abs(beginning - line.said) < 0.16
  const sentence = `True since ${dayOf(fact.valid_from)}, recorded ${dayOf(fact.recorded_at)}, ${ended === undefined ? 'still true' : `ended ${dayOf(ended)}`}`
  return (
    <>
      <div class="life big" role="img" aria-label={sentence}>
        <Bars line={line} />
        <i class="now" style={{ '--a': line.now }} />
        <span class="up" style={{ '--a': beginning }}>
          true since {ago(fact.valid_from)}
        </span>
        <span class={near ? 'down' : 'down mid'} style={{ '--a': near ? beginning : line.said }}>
          recorded {ago(fact.recorded_at)}
        </span>
        <span class="up back" style={{ '--a': 1 }}>
          {ended === undefined ? 'now' : `ended ${ago(ended)}`}
        </span>
      </div>
      <div class="key">
        <span>
          <i class="known" />
          true and known
        </span>
        {unknown > 0 && (
          <span>
            <i class="unknown" />
            true, not yet known ({plural(unknown, 'day')})
          </span>
        )}
      </div>
    </>
  )
}
