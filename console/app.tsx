import { effect } from '@preact/signals'
import { type ComponentChild, render } from 'preact'
import { useEffect } from 'preact/hooks'
import { KeysHelp, Palette } from './parts/palette.js'
import { Shell } from './parts/shell.js'
import { overlay, startKeys } from './state/keys.js'
import { connect, disconnect } from './state/live.js'
import { href, route } from './state/route.js'
import { begin, checkSession, session } from './state/session.js'
import { subject } from './state/subject.js'
import { startTheme } from './state/theme.js'
import { Activity } from './views/activity.js'
import { Ask } from './views/ask.js'
import { Browse } from './views/browse.js'
import { Entities, EntityView } from './views/entities.js'
import { FactPage } from './views/fact.js'
import { ImportView } from './views/import.js'
import { Overview } from './views/overview.js'
import { Review } from './views/review.js'
import { Settings } from './views/settings.js'
import { SignIn } from './views/sign-in.js'
import { Code, JobsView } from './views/store.js'
import { Time } from './views/time.js'
import { Told } from './views/told.js'

interface View {
  readonly title: string
  readonly show: () => ComponentChild
  /** The view above it. */
  readonly parent?: readonly [string, string]
}

const VIEWS: Readonly<Record<string, View>> = {
  overview: { title: 'Overview', show: Overview },
  browse: { title: 'Browse', show: Browse },
  fact: { title: 'Fact', show: FactPage, parent: ['browse', 'Browse'] },
  ask: { title: 'Ask', show: Ask },
  told: { title: 'Told', show: Told },
  review: { title: 'Review', show: Review },
  activity: { title: 'Activity', show: Activity },
  entities: { title: 'Entities', show: Entities },
  entity: { title: 'Entity', show: EntityView, parent: ['entities', 'Entities'] },
  time: { title: 'Time', show: Time },
  code: { title: 'Code', show: Code },
  jobs: { title: 'Jobs', show: JobsView },
  import: { title: 'Import, export', show: ImportView },
  settings: { title: 'Settings', show: Settings },
}

function NotFound() {
  return (
    <div class="empty">
      <h1>There is no page of that name.</h1>
      <a class="btn" href={href('overview')}>
        To the overview
      </a>
    </div>
  )
}

function App() {
  const { view, params } = route.value
  const known = session.value
  const signedIn = known?.signed_in === true
  useEffect(() => {
    if (!signedIn) return undefined
    connect(() => void checkSession())
    return disconnect
  }, [signedIn])
  if (known === undefined) return null
  if (!signedIn) return <SignIn />
  const { title, show: Show, parent } = VIEWS[view] ?? { title: 'Not found', show: NotFound }
  const crumbs =
    parent === undefined ? undefined : (
      <>
        <a href={href(parent[0])}>{parent[1]}</a>
        <span class="said one" dir="auto">
          {subject.value ?? title}
        </span>
      </>
    )
  return (
    <>
      <Shell title={subject.value ?? title} crumbs={crumbs}>
        <Show key={`${view} ${params.get('id') ?? ''}`} />
      </Shell>
      {overlay.value === 'palette' && <Palette />}
      {overlay.value === 'keys' && <KeysHelp />}
    </>
  )
}

startTheme()
startKeys()
const root = document.getElementById('app')
if (root !== null) {
  render(<App />, root)
  void begin()
  // A link that is pasted into an open sign-in page changes the fragment only.
  addEventListener('hashchange', () => void begin())
  // A page that shows another session's answers would mislead.
  effect(() => {
    document.documentElement.dataset.signedIn = String(session.value?.signed_in === true)
  })
}
