import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { OverviewAnswer } from '../../src/contracts/console/overview.js'
import { useAnswer } from '../state/answers.js'
import { signOut } from '../state/api.js'
import { overlay } from '../state/keys.js'
import { lastSeen, liveState } from '../state/live.js'
import { asOf, change, href, route } from '../state/route.js'
import { mayAdminister, refreshSession, session } from '../state/session.js'
import { switchTheme } from '../state/theme.js'
import { dayOf, number, timeOf, todayStart } from '../state/words.js'
import { HalfDisc, Icon, type IconName, Logo } from './icon.js'
import { NewKeyNotice } from './new-key.js'
import { Toasts } from './toasts.js'

interface Entry {
  readonly view: IconName & string
  readonly label: string
  readonly primary?: boolean
  readonly admin?: boolean
}

const MEMORY: readonly Entry[] = [
  { view: 'overview', label: 'Overview', primary: true },
  { view: 'browse', label: 'Browse', primary: true },
  { view: 'ask', label: 'Ask', primary: true },
  { view: 'told', label: 'Told' },
  { view: 'review', label: 'Review', primary: true },
  { view: 'activity', label: 'Activity' },
  { view: 'entities', label: 'Entities' },
  { view: 'time', label: 'Time' },
]
const STORE: readonly Entry[] = [
  { view: 'code', label: 'Code' },
  { view: 'jobs', label: 'Jobs', admin: true },
  { view: 'import', label: 'Import, export', admin: true },
  { view: 'settings', label: 'Settings', admin: true },
]
/** The entry that a view without one belongs to. */
const PARENTS: Readonly<Record<string, string>> = { fact: 'browse', entity: 'entities' }

export const useOverview = () => useAnswer<OverviewAnswer>('console/overview', { today: todayStart() })

export function Shell({
  title,
  crumbs,
  children,
}: {
  readonly title: string
  readonly crumbs?: ComponentChildren
  readonly children: ComponentChildren
}) {
  const [open, setOpen] = useState(false)
  const overview = useOverview().value
  const waiting = overview === undefined ? 0 : Object.values(overview.review).reduce((sum, count) => sum + count, 0)
  const { view } = route.value
  const shown = PARENTS[view] ?? view
  useEffect(() => {
    document.title = `${waiting > 0 ? `(${waiting}) ` : ''}${title} · mneme`
  }, [title, waiting])
  useEffect(() => setOpen(false), [view])
  const counts: Readonly<Record<string, number | undefined>> = { browse: overview?.facts, entities: overview?.entities }
  const link = ({ view: name, label, primary, admin }: Entry) =>
    admin === true && !mayAdminister() ? null : (
      <a key={name} class={primary === true ? 'pri' : ''} href={href(name)} aria-current={shown === name ? 'page' : undefined}>
        <Icon name={name} />
        {label}
        {name === 'review' && waiting > 0 ? (
          <span class="n wait">
            {waiting}
            <span class="sr"> waiting</span>
          </span>
        ) : (
          counts[name] !== undefined && <span class="n">{number(counts[name] ?? 0)}</span>
        )}
      </a>
    )
  const problems = overview?.problems.length ?? 0
  return (
    <div data-nav={open ? 'open' : ''} data-asof={asOf.value ?? undefined}>
      <a class="skip" href="#main" onClick={() => document.getElementById('main')?.focus()}>
        Skip to content
      </a>
      <div class="shell">
        <nav class="side" aria-label="Console">
          <a class="brand" href={href('overview')}>
            <Logo />
            mneme
          </a>
          <div>
            <div class="nav">{MEMORY.map(link)}</div>
            <div class="nav">
              <h2>Store</h2>
              {STORE.map(link)}
              <button type="button" class="more" aria-expanded={open} onClick={() => setOpen(!open)}>
                <Icon name="more" />
                More
              </button>
            </div>
          </div>
          <footer>
            <a class="flow" href={href('overview')}>
              <span class={`mark ${problems === 0 ? 'current' : 'contested'}`} />
              {overview === undefined ? 'Checking' : problems === 0 ? 'Healthy' : `${problems} to look at`}
            </a>
            <div class="between">
              <Account />
              <button type="button" class="btn quiet square" aria-label="Switch theme" onClick={switchTheme}>
                <HalfDisc />
              </button>
            </div>
          </footer>
        </nav>
        <div class="panel">
          <header class="top">
            <div class="crumbs">{crumbs ?? <span>{title}</span>}</div>
            <button type="button" class="find" aria-keyshortcuts="Control+K" onClick={() => (overlay.value = 'palette')}>
              <Icon name="search" />
              <span>Search or jump to</span>
              <kbd>Ctrl K</kbd>
            </button>
            <AsOfControl />
            <Live />
          </header>
          <main id="main" tabIndex={-1}>
            <NewKeyNotice />
            {asOf.value !== null && <PastBanner at={asOf.value} />}
            {children}
          </main>
        </div>
      </div>
      <Toasts />
    </div>
  )
}

function Account() {
  const { name, local, owner } = session.value ?? {}
  if (local === true) return <span class="faint">{owner ?? 'this machine'}</span>
  const leave = (): void => void signOut().finally(refreshSession)
  return (
    <button type="button" class="btn quiet" onClick={leave}>
      <span class="one">Sign out {name}</span>
    </button>
  )
}

function AsOfControl() {
  const at = asOf.value
  return (
    <a class="btn quiet" href={href('time')} aria-label={`Time shown: ${at === null ? 'now' : dayOf(at)}. Change`}>
      <Icon name="time" />
      <span class="wide-only">{at === null ? 'Now' : dayOf(at)}</span>
    </a>
  )
}

function PastBanner({ at }: { readonly at: string }) {
  return (
    <div class="banner past" role="status">
      <Icon name="time" />
      <p>
        <b>You are looking at {dayOf(at)}.</b> Browse, Ask, facts and entities show what was true then. Nothing can be changed there.
      </p>
      <button type="button" class="btn" onClick={() => change({ at: null })}>
        Back to now <kbd>n</kbd>
      </button>
    </div>
  )
}

const LIVE_CLASSES = { live: '', connecting: 'paused', lost: 'off', paused: 'paused' } as const

function Live() {
  const state = liveState.value
  const words = {
    live: 'Live',
    connecting: 'Connecting',
    lost: `Not live, from ${timeOf(lastSeen.value.toISOString())}`,
    paused: 'Paused',
  }[state]
  return (
    <span class={`live ${LIVE_CLASSES[state]}`} role="status" title={state === 'lost' ? 'Trying again in a few seconds' : undefined}>
      <span>{words}</span>
    </span>
  )
}
