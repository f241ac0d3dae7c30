import { useEffect, useMemo, useState } from 'preact/hooks'
import type { BrowseAnswer } from '../../src/contracts/console/browse.js'
import { change, route } from '../state/route.js'
import { dayOf, plural } from '../state/words.js'
import { Icon } from './icon.js'

export function Search() {
  const { params } = route.value
  const [text, setText] = useState(params.get('q') ?? '')
  const shown = params.get('q') ?? ''
  useEffect(() => setText(shown), [shown])
  useEffect(() => {
    if (text.trim() === shown) return undefined
    const timer = setTimeout(() => change({ q: text.trim(), after: null }, { replace: true }), 160)
    return () => clearTimeout(timer)
  }, [text, shown])
  return (
    <label class="find">
      <span class="sr">Search facts</span>
      <Icon name="search" />
      <input
        type="search"
        placeholder="Search all facts"
        value={text}
        onInput={(event) => setText(event.currentTarget.value)}
        autocomplete="off"
      />
      <kbd class="hint">/</kbd>
    </label>
  )
}

const DAY = 86_400_000

export function Histogram({ page }: { readonly page: BrowseAnswer }) {
  const { params } = route.value
  const width = (page.width_days ?? 1) * DAY
  const bars = useMemo(() => {
    const known = page.histogram ?? []
    const first = new Date(known[0]?.at ?? 0).getTime()
    const count = Math.max(1, Math.ceil((Date.now() - first) / width))
    const learned = new Map(known.map((bucket) => [Math.round((new Date(bucket.at).getTime() - first) / width), bucket.learned]))
    return Array.from({ length: count }, (_, at) => ({ at: first + at * width, learned: learned.get(at) ?? 0 }))
  }, [page, width])
  const most = Math.max(1, ...bars.map(({ learned }) => learned))
  const from = params.get('from')
  const until = params.get('until')
  const isIn = (at: number): boolean =>
    (from === null || at + width > new Date(from).getTime()) && (until === null || at < new Date(until).getTime())
  const first = bars[0]
  return (
    <div class="histo-box">
      <div class="histo" role="group" aria-label="Facts over time; choose a bar to see that time alone">
        {bars.map(({ at, learned }, place) => (
          <button
            key={at}
            type="button"
            tabIndex={place === bars.length - 1 ? 0 : -1}
            class={isIn(at) ? 'in' : ''}
            style={{ '--v': learned / most }}
            title={`${dayOf(new Date(at).toISOString())}: ${plural(learned, 'fact')}`}
            aria-label={`${dayOf(new Date(at).toISOString())}: ${plural(learned, 'fact')}`}
            onKeyDown={stepBars}
            onClick={() => change({ from: new Date(at).toISOString(), until: new Date(at + width).toISOString(), after: null })}
          />
        ))}
      </div>
      <div class="histo-axis" aria-hidden="true">
        {first !== undefined &&
          marksFrom(first.at, bars.length * width).map(({ label, share }) => (
            <span key={share} style={{ '--v': share }}>
              {label}
            </span>
          ))}
        <span class="end">today</span>
      </div>
    </div>
  )
}

/** Arrow keys move between bars, so that Tab leaves them at once. */
function stepBars(event: KeyboardEvent): void {
  const bar = event.currentTarget instanceof HTMLElement ? event.currentTarget : null
  const next = { ArrowLeft: bar?.previousElementSibling, ArrowRight: bar?.nextElementSibling }[event.key]
  if (!(next instanceof HTMLElement)) return
  event.preventDefault()
  next.focus()
}

/** The months that begin in a span, with their place in it: at most seven, and none under "today". In a shorter span, its first day. */
function marksFrom(first: number, span: number): readonly { readonly label: string; readonly share: number }[] {
  const found: { label: string; share: number }[] = []
  const month = new Date(first)
  month.setDate(1)
  month.setHours(0, 0, 0, 0)
  for (month.setMonth(month.getMonth() + 1); month.getTime() < first + span; month.setMonth(month.getMonth() + 1)) {
    const isJanuary = month.getMonth() === 0
    const label = month.toLocaleDateString('en-GB', { month: 'short', ...(isJanuary ? { year: 'numeric' } : {}) })
    found.push({ label, share: (month.getTime() - first) / span })
  }
  if (found.length === 0) return [{ label: dayOf(new Date(first).toISOString()), share: 0 }]
  const step = Math.ceil(found.length / 7)
  return found.filter(({ share }, at) => at % step === 0 && share < 0.93)
}

export function Chips() {
  const { params } = route.value
  const from = params.get('from')
  const name = params.get('name')
  return (
    <>
      {from !== null && (
        <button type="button" class="chip on" onClick={() => change({ from: null, until: null, after: null })}>
          since {dayOf(from)}
          <span class="x">
            <Icon name="close" />
            <span class="sr">Remove filter</span>
          </span>
        </button>
      )}
      {name !== null && (
        <button type="button" class="chip on" onClick={() => change({ name: null, after: null })}>
          about <b dir="auto">{name}</b>
          <span class="x">
            <Icon name="close" />
            <span class="sr">Remove filter</span>
          </span>
        </button>
      )}
    </>
  )
}
