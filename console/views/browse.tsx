import { useRef, useState } from 'preact/hooks'
import type { BrowseAnswer } from '../../src/contracts/console/browse.js'
import { Chips, Histogram, Search } from '../parts/browse-filters.js'
import { ConfirmDelete } from '../parts/dialog.js'
import { Facet, facetLists } from '../parts/facets.js'
import { FactRow } from '../parts/fact-row.js'
import { Loaded } from '../parts/feedback.js'
import { Icon } from '../parts/icon.js'
import { exportFacts, TagField } from '../parts/selection.js'
import { act } from '../state/actions.js'
import { useAnswer } from '../state/answers.js'
import { focusAfter, focusedRow, focusRow, useKeys } from '../state/keys.js'
import { useNews } from '../state/news.js'
import { asOf, change, go, href, route } from '../state/route.js'
import { ownerName, plural } from '../state/words.js'

const CHOICES = ['owner', 'status', 'kind', 'source', 'author', 'subject'] as const
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
          facetLists(page.facets, page.subjects).map(({ title, name, values }) => (
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
        {selected.size > 0 && !tagging && (
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
    if (Object.keys(filter).length === 0)
      return (
        <div class="empty">
          <h2>Nothing has been remembered yet.</h2>
          <p>What agents store appears here by itself.</p>
          <div class="flow">
            <a class="btn" href={href('import')}>
              Import a file
            </a>
            <a class="btn quiet" href={href('overview')}>
              Other ways to begin
            </a>
          </div>
        </div>
      )
    return (
      <div class="empty">
        <h2>
          No fact matches{query === null ? '' : ` "${query}"`}
          {owner === null ? '' : ` in ${ownerName(owner)}`}.
        </h2>
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
      </div>
    )
  }
}

const everyParam = (params: URLSearchParams): Record<string, readonly string[]> =>
  Object.fromEntries([...new Set(params.keys())].map((name) => [name, params.getAll(name)]))
