import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { BrowseAnswer } from '../../src/contracts/console/browse.js'
import type { ShownFact } from '../../src/contracts/console/shapes.js'
import { ConfirmDelete } from '../parts/dialog.js'
import { Facet, facetLists } from '../parts/facets.js'
import { FactRow } from '../parts/fact-row.js'
import { Loaded } from '../parts/feedback.js'
import { Icon } from '../parts/icon.js'
import { act, say } from '../state/actions.js'
import { useAnswer } from '../state/answers.js'
import { call } from '../state/api.js'
import { focusAfter, focusedRow, focusRow, useKeys } from '../state/keys.js'
import { listen } from '../state/live.js'
import { asOf, change, go, href, route } from '../state/route.js'
import { dayOf, number, ownerName, plural } from '../state/words.js'

const CHOICES = ['owner', 'status', 'kind', 'source', 'author'] as const
const NO_NAME = ''

/** What the address says, as the operation takes it. */
function filterOf(params: URLSearchParams): Record<string, unknown> {
  const filter: Record<string, unknown> = {}
  for (const name of CHOICES) {
    const values = params.getAll(name)
    if (values.length > 0) filter[name] = name === 'author' ? values.map((value) => (value === NO_NAME ? null : value)) : values
  }
  for (const name of ['q', 'name', 'from', 'until']) {
    const value = params.get(name)
    if (value !== null) filter[name] = value
  }
  return asOf.value === null ? filter : { ...filter, as_of: asOf.value }
}

export function Browse() {
  const { params } = route.value
  const filter = filterOf(params)
  const after = params.get('after')
  const answer = useAnswer<BrowseAnswer>('console/browse', {
    ...filter,
    facets: true,
    histogram: true,
    limit: 50,
    ...(after === null ? {} : { after }),
  })
  return (
    <>
      <h1 class="sr">Browse</h1>
      <Loaded answer={answer} lines={12}>
        {(page) => <Page page={page} filter={filter} reload={answer.reload} />}
      </Loaded>
    </>
  )
}

function Page({
  page,
  filter,
  reload,
}: {
  readonly page: BrowseAnswer
  readonly filter: Readonly<Record<string, unknown>>
  readonly reload: () => void
}) {
  const { params } = route.value
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const [deleting, setDeleting] = useState<readonly string[]>([])
  const [tagging, setTagging] = useState(false)
  const last = useRef<string | undefined>(undefined)
  const fresh = useNews(page, reload, selected.size > 0)
  const { facts } = page
  const choose = (name: string, value: string | null): void => {
    const text = value ?? NO_NAME
    const known = params.getAll(name)
    change({ [name]: known.includes(text) ? known.filter((one) => one !== text) : [...known, text], after: null })
  }
  const select = (id: string, range: boolean): void => {
    const from = facts.findIndex((fact) => fact.id === last.current)
    const to = facts.findIndex((fact) => fact.id === id)
    const ids = range && from >= 0 ? facts.slice(Math.min(from, to), Math.max(from, to) + 1).map((fact) => fact.id) : [id]
    const next = new Set(selected)
    for (const one of ids)
      if (next.has(one) && !range) next.delete(one)
      else next.add(one)
    last.current = id
    setSelected(next)
  }
  const targets = (): readonly string[] => {
    const focused = focusedRow()
    return selected.size > 0 ? [...selected] : focused === undefined ? [] : [focused]
  }
  const end = (): void => {
    const ids = targets()
    if (ids.length === 0) return
    const refocus = focusAfter(ids[0])
    void act({
      tool: 'console/end',
      input: { ids },
      done: ({ ids: done }) => (done.length === 1 ? 'Ended.' : `${done.length} ended.`),
      patch: { ids, life: 'ended' },
      restore: () => focusRow(ids[0] ?? ''),
    }).then(refocus)
    setSelected(new Set())
  }
  const remove = (reason: string): void => {
    const ids = deleting
    const refocus = focusAfter(ids[0])
    setDeleting([])
    setSelected(new Set())
    void act({
      tool: 'console/delete',
      input: { ids, ...(reason === '' ? {} : { reason }) },
      done: ({ ids: done }) => `${plural(done.length, 'fact')} deleted for good.`,
      patch: { ids, gone: true },
    }).then(refocus)
  }
  useKeys({
    x: end,
    '#': () => setDeleting(targets()),
    t: () => setTagging(targets().length > 0),
    e: () => {
      const id = focusedRow()
      if (id !== undefined) go(href('fact', { id, do: 'edit' }))
    },
    s: () => {
      const id = focusedRow()
      if (id !== undefined) go(href('fact', { id, do: 'supersede' }))
    },
    ' ': (event) => {
      const id = focusedRow()
      if (id !== undefined) select(id, event.shiftKey)
    },
    Escape: () => setSelected(new Set()),
  })
  return (
    <div class="browse">
      <div class="facets" role="group" aria-label="Narrow down">
        <h2 class="sr">Narrow down</h2>
        {page.facets !== undefined &&
          facetLists(page.facets).map(({ title, name, values }) => (
            <Facet
              key={title}
              title={title}
              name={name}
              values={values}
              chosen={params
                .getAll(name)
                .filter((value) => name !== 'owner' || values.some((one) => one.value === value))
                .map((value) => (name === 'author' && value === NO_NAME ? null : value))}
              onChoose={(value) => choose(name, value)}
            />
          ))}
      </div>
      <section aria-label="Facts">
        <Search />
        {page.histogram !== undefined && page.histogram.length > 1 && <Histogram page={page} />}
        <div class="between counts">
          <div class="flow">
            <b aria-live="polite">{plural(page.total ?? facts.length, 'fact')}</b>
            <Chips />
          </div>
        </div>
        {fresh > 0 && (
          <button type="button" class="btn newer" onClick={() => change({ after: null })}>
            {fresh} new, show {fresh === 1 ? 'it' : 'them'}
          </button>
        )}
        {facts.length === 0 ? (
          <NothingFound />
        ) : (
          <ul class="list">
            {facts.map((fact) => (
              <FactRow key={fact.id} fact={fact} selected={selected.has(fact.id)} onSelect={(range) => select(fact.id, range)} />
            ))}
          </ul>
        )}
        <nav class="flow pages" aria-label="Pages">
          {params.get('after') !== null && (
            <a class="btn" href={href('browse', { ...everyParam(params), after: null })}>
              Newest
            </a>
          )}
          {page.next !== null && (
            <a class="btn" href={href('browse', { ...everyParam(params), after: page.next })}>
              Older
            </a>
          )}
        </nav>
        {selected.size > 0 && (
          <div class="selbar" role="toolbar" aria-label="Actions on the selection">
            <b>{selected.size} selected</b>
            <button type="button" class="btn quiet" onClick={end}>
              <Icon name="end" />
              End <kbd>x</kbd>
            </button>
            <button type="button" class="btn quiet" onClick={() => setTagging(true)}>
              <Icon name="tag" />
              Tag <kbd>t</kbd>
            </button>
            <button type="button" class="btn quiet" onClick={() => void exportFacts(facts.filter(({ id }) => selected.has(id)))}>
              <Icon name="import" />
              Export
            </button>
            <button type="button" class="btn quiet danger" onClick={() => setDeleting([...selected])}>
              <Icon name="delete" />
              Delete <kbd>#</kbd>
            </button>
            <button type="button" class="btn quiet" onClick={() => setSelected(new Set())}>
              Clear <kbd>Esc</kbd>
            </button>
          </div>
        )}
        {tagging && <TagField ids={targets()} onDone={() => setTagging(false)} />}
      </section>
      {deleting.length > 0 && <ConfirmDelete count={deleting.length} onDelete={remove} onClose={() => setDeleting([])} />}
    </div>
  )

  function NothingFound() {
    const query = params.get('q')
    const owner = params.get('owner')
    const narrowed = [...params.keys()].some((name) => name !== 'q' && name !== 'at')
    return (
      <div class="empty">
        <h2>
          No fact matches{query === null ? '' : ` "${query}"`}
          {owner === null ? '' : ` in ${ownerName(owner)}`}.
        </h2>
        {Object.keys(filter).length > 0 && (
          <div class="flow">
            {narrowed && query !== null && (
              <a class="btn" href={href('browse', { q: query })}>
                Search everything
              </a>
            )}
            <a class="btn" href={href('browse')}>
              Show all facts
            </a>
            {query !== null && (
              <a class="btn quiet" href={href('ask', { q: query })}>
                Ask by meaning
              </a>
            )}
          </div>
        )}
      </div>
    )
  }
}

const everyParam = (params: URLSearchParams): Record<string, readonly string[]> =>
  Object.fromEntries([...new Set(params.keys())].map((name) => [name, params.getAll(name)]))

function Search() {
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

function Histogram({ page }: { readonly page: BrowseAnswer }) {
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
        {bars.map(({ at, learned }) => (
          <button
            key={at}
            type="button"
            tabIndex={-1}
            class={isIn(at) ? 'in' : ''}
            style={{ '--v': learned / most }}
            title={`${dayOf(new Date(at).toISOString())}: ${plural(learned, 'fact')}`}
            aria-label={`${dayOf(new Date(at).toISOString())}: ${plural(learned, 'fact')}`}
            onClick={() => change({ from: new Date(at).toISOString(), until: new Date(at + width).toISOString(), after: null })}
          />
        ))}
      </div>
      <div class="histo-axis" aria-hidden="true">
        {first !== undefined && <span>{dayOf(new Date(first.at).toISOString())}</span>}
        <span>today</span>
      </div>
    </div>
  )
}

function Chips() {
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

function TagField({ ids, onDone }: { readonly ids: readonly string[]; readonly onDone: () => void }) {
  const [tag, setTag] = useState('')
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => field.current?.focus(), [])
  const submit = (event: Event): void => {
    event.preventDefault()
    if (tag.trim() === '') return
    void act({
      tool: 'console/tag',
      input: { ids, tag: tag.trim() },
      done: ({ ids: done }) => `${plural(done.length, 'fact')} tagged.`,
      restore: () => focusRow(ids[0] ?? ''),
    })
    onDone()
  }
  return (
    <form class="selbar" onSubmit={submit}>
      <label for="tag-field">Tag {plural(ids.length, 'fact')}</label>
      <input
        id="tag-field"
        class="input"
        ref={field}
        value={tag}
        maxLength={60}
        autocomplete="off"
        onInput={(event) => setTag(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') onDone()
        }}
      />
      <button type="submit" class="btn solid">
        Add
      </button>
    </form>
  )
}

async function exportFacts(facts: readonly ShownFact[]): Promise<void> {
  const whole = await Promise.all(facts.map(({ id }) => call<{ readonly fact: object }>('console/fact', { id }).then(({ fact }) => fact)))
  const blob = new Blob(
    whole.map((fact) => `${JSON.stringify({ content: 'text' in fact ? fact.text : '', ...fact })}\n`),
    { type: 'application/x-ndjson' },
  )
  const link = document.createElement('a')
  link.href = URL.createObjectURL(blob)
  link.download = 'mneme-facts.jsonl'
  link.click()
  URL.revokeObjectURL(link.href)
  say(`${number(facts.length)} exported.`)
}

/** New facts wait behind a button, unless the list is at its top, unselected and nobody is in it. */
function useNews(page: BrowseAnswer, reload: () => void, busy: boolean): number {
  const [count, setCount] = useState(0)
  const seen = useRef(new Set<string>())
  const first = page.facts[0]?.id
  useEffect(() => {
    seen.current.clear()
    setCount(0)
  }, [first])
  useEffect(
    () =>
      listen((changes) => {
        const created = changes.filter((one) => one.kind === 'fact' && one.created === true)
        if (created.length === 0) return
        for (const one of created) seen.current.add(one.target)
        const top = (document.querySelector('.panel')?.scrollTop ?? 0) < 40
        const inList = document.activeElement?.closest('.list') !== null && document.activeElement?.closest('.list') !== undefined
        if (top && !busy && !inList) reload()
        else setCount(seen.current.size)
      }),
    [busy, reload],
  )
  return count
}
