import type { OverviewAnswer } from '../../src/contracts/console/overview.js'
import { facetLabel, facetLists } from '../parts/facets.js'
import { FactRow } from '../parts/fact-row.js'
import { Empty, Loaded } from '../parts/feedback.js'
import { Growth } from '../parts/growth.js'
import { Icon } from '../parts/icon.js'
import { When, Who } from '../parts/marks.js'
import { useOverview } from '../parts/shell.js'
import { act } from '../state/actions.js'
import { go, href } from '../state/route.js'
import { mayAdminister } from '../state/session.js'
import { clientName, isProject, longAgo, number, plural } from '../state/words.js'

export function Overview() {
  const answer = useOverview()
  return (
    <>
      <h1 class="sr">Overview</h1>
      <Loaded answer={answer} lines={10}>
        {(overview) => (overview.total === 0 ? <NothingYet overview={overview} /> : <Filled overview={overview} />)}
      </Loaded>
    </>
  )
}

function NothingYet({ overview }: { readonly overview: OverviewAnswer }) {
  return (
    <>
      <p class="health">
        <span class={`mark ${overview.problems.length === 0 ? 'current' : 'contested'}`} aria-hidden="true" />{' '}
        {overview.problems.length === 0 ? 'Healthy, and empty.' : 'Empty.'} Nothing has been remembered yet.
      </p>
      <Problems overview={overview} />
      <Empty title="Three ways to begin">
        <p>Connect a client, and what its agent is told to remember appears here by itself:</p>
        <pre class="pre">mneme install --hooks</pre>
        <p>Store something by hand:</p>
        <pre class="pre">mneme remember "We deploy on Thursdays"</pre>
        <p>
          Or{' '}
          <a class="link" href={href('import')}>
            bring a file along
          </a>{' '}
          from another memory.
        </p>
      </Empty>
    </>
  )
}

function Sentence({ overview }: { readonly overview: OverviewAnswer }) {
  const projects = overview.facets.owner.filter(({ value }) => value !== null && isProject(value)).length
  const { pending, state } = overview.embedding
  const searchable =
    state === 'off'
      ? 'found by words'
      : pending === 0
        ? 'all searchable by meaning'
        : `${number(Math.max(0, overview.facts - pending))} searchable by meaning`
  const last = overview.last_write
  return (
    <p class="health">
      <span class={`mark ${overview.problems.length === 0 ? 'current' : 'contested'}`} aria-hidden="true" />{' '}
      {overview.problems.length === 0 ? 'Healthy. ' : 'Not quite well. '}
      <a href={href('browse')}>{plural(overview.facts, 'fact')}</a>
      {projects > 0 && ` in ${plural(projects, 'project')}`}, {searchable}
      {last !== null && (
        <>
          ; last written <When class="" at={last.at} text={longAgo(last.at)} /> by {clientName(last.actor)}
        </>
      )}
      .
    </p>
  )
}

/** Each problem with its remedy as a button. */
function Problems({ overview }: { readonly overview: OverviewAnswer }) {
  const { pending } = overview.embedding
  const readNow = (): void => void act({ tool: 'admin/reindex', input: { vectors: true }, done: 'Every fact has its vector.' })
  return (
    <>
      {overview.problems.map((problem) => (
        <div key={problem} class="banner bad block" role="alert">
          <Icon name="warn" />
          <p>{problem}</p>
          {mayAdminister() && (
            <button type="button" class="btn" onClick={() => go(href('settings', { part: 'health' }))}>
              Examine the store
            </button>
          )}
        </div>
      ))}
      {pending > 0 && (
        <div class="banner block" role="status">
          <Icon name="warn" />
          <p>
            <b>
              {plural(pending, 'text')} {pending === 1 ? 'has' : 'have'} no vector yet.
            </b>{' '}
            They are found by words only until the model has read them.
          </p>
          {mayAdminister() && (
            <button type="button" class="btn" onClick={readNow}>
              Read them now
            </button>
          )}
        </div>
      )}
    </>
  )
}

const REVIEW_KINDS = [
  { kind: 'conflict', mark: 'contested', words: 'conflict' },
  { kind: 'candidate', mark: 'candidate', words: 'candidate' },
  { kind: 'duplicate', mark: 'superseded', words: 'near duplicate' },
  { kind: 'quarantine', mark: 'ended', words: 'quarantined write' },
] as const

function Filled({ overview }: { readonly overview: OverviewAnswer }) {
  const { week, review, told } = overview
  const waiting = Object.values(review).reduce((sum, count) => sum + count, 0)
  return (
    <>
      <Sentence overview={overview} />
      <Problems overview={overview} />
      <div class="cols block">
        <section aria-labelledby="h-week">
          <div class="head">
            <h2 id="h-week">Learned this week</h2>
            <span class="faint">
              {plural(week.learned, 'fact')}, {week.ended} ended
            </span>
            <a class="link small push" href={href('time')}>
              Compare with last week
            </a>
          </div>
          {week.facts.length === 0 ? (
            <p class="dim">
              Nothing new in seven days.{' '}
              <a class="link" href={href('browse')}>
                Look at everything
              </a>
            </p>
          ) : (
            <ul class="list">
              {week.facts.map((fact) => (
                <FactRow key={fact.id} fact={fact} />
              ))}
            </ul>
          )}
        </section>
        <aside aria-label="Waiting and told">
          <div class="head">
            <h2>Waiting for you</h2>
            {waiting > 0 && (
              <a class="link small push" href={href('review')}>
                Review {waiting}
              </a>
            )}
          </div>
          {waiting === 0 ? (
            <p class="dim">Nothing is waiting.</p>
          ) : (
            <ul class="queue">
              {REVIEW_KINDS.filter(({ kind }) => review[kind] > 0).map(({ kind, mark, words }) => (
                <li key={kind}>
                  <a href={href('review', { kind })}>
                    <span class={`mark ${mark}`} />
                    <span>{plural(review[kind], words)}</span>
                  </a>
                </li>
              ))}
            </ul>
          )}
          <div class="block">
            <div class="head">
              <h2>Told today</h2>
              <a class="link small push" href={href('told')}>
                All
              </a>
            </div>
            {told.length === 0 ? (
              <p class="dim">Nothing yet.</p>
            ) : (
              <table class="table">
                <thead>
                  <tr>
                    <th scope="col">Client</th>
                    <th scope="col" class="r">
                      Asked
                    </th>
                    <th scope="col" class="r">
                      Told
                    </th>
                  </tr>
                </thead>
                <tbody>
                  {told.map(({ client, prompts, facts }) => (
                    <tr key={client}>
                      <th scope="row">
                        <span class="flow">
                          <Who source={client} />
                          {clientName(client)}
                        </span>
                      </th>
                      <td class="r">{prompts}</td>
                      <td class="r">{facts}</td>
                    </tr>
                  ))}
                </tbody>
              </table>
            )}
          </div>
        </aside>
      </div>
      <section class="block" aria-labelledby="h-grow">
        <header>
          <h2 id="h-grow">Growth per day</h2>
          <div class="key">
            <span>
              <i class="d1" />
              learned
            </span>
            <span>
              <i class="d5" />
              ended
            </span>
          </div>
        </header>
        <Growth days={everyDay(overview.growth)} />
      </section>
      <section class="block" aria-labelledby="h-in">
        <header>
          <h2 id="h-in">What is in here</h2>
        </header>
        <div class="facet-grid">
          {facetLists(overview.facets).map(({ title, name, values }) => {
            const most = Math.max(1, ...values.map(({ count }) => count))
            return values.length === 0 ? null : (
              <section key={title} class="facet">
                <h3>{title}</h3>
                <ul>
                  {values.slice(0, 6).map(({ value, count }) => (
                    <li key={value ?? ''}>
                      <a href={href('browse', { [name]: value ?? '' })} style={{ '--v': count / most }}>
                        <span class="label" dir="auto">
                          {facetLabel(name, value)}
                        </span>
                        <span class="n">{number(count)}</span>
                      </a>
                    </li>
                  ))}
                </ul>
              </section>
            )
          })}
        </div>
      </section>
    </>
  )
}

const DAY = 86_400_000

/** Days on which nothing happened are days as well. */
function everyDay(days: OverviewAnswer['growth']): OverviewAnswer['growth'] {
  const first = days[0]
  if (first === undefined) return []
  const known = new Map(days.map((day) => [Math.round(new Date(day.at).getTime() / DAY), day]))
  const from = new Date(first.at).getTime()
  const count = Math.max(30, Math.ceil((Date.now() - from) / DAY))
  return Array.from({ length: count }, (_, at) => {
    const begins = Date.now() - (count - 1 - at) * DAY
    const day = known.get(Math.round((from + Math.floor((begins - from) / DAY) * DAY) / DAY))
    return day ?? { at: new Date(begins).toISOString(), learned: 0, ended: 0 }
  })
}
