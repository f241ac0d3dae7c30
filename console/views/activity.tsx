import { useEffect, useRef, useState } from 'preact/hooks'
import type { Activity as Change } from '../../src/contracts/activity.js'
import type { ActivityAnswer } from '../../src/contracts/console/activity.js'
import { Loaded } from '../parts/feedback.js'
import { Icon } from '../parts/icon.js'
import { When, Who } from '../parts/marks.js'
import { act } from '../state/actions.js'
import { useAnswer } from '../state/answers.js'
import { useKeys } from '../state/keys.js'
import { listen, liveState } from '../state/live.js'
import { change, href, route } from '../state/route.js'
import { mayWrite } from '../state/session.js'
import { clientName, number, ownerName, plural } from '../state/words.js'

const MAX_SHOWN = 400
const ANNOUNCE_MS = 10_000

/** Everything that one commit did. */
interface Run {
  readonly key: string
  readonly changes: readonly Change[]
}

function runsOf(changes: readonly Change[]): readonly Run[] {
  const runs: { key: string; changes: Change[] }[] = []
  const known = new Map<string, { key: string; changes: Change[] }>()
  for (const one of changes) {
    const run = known.get(one.commit)
    if (run === undefined) {
      const begun = { key: one.commit, changes: [one] }
      known.set(one.commit, begun)
      runs.push(begun)
    } else run.changes.push(one)
  }
  return runs
}

export function Activity() {
  const answer = useAnswer<ActivityAnswer>('console/activity', { limit: 200 })
  return (
    <>
      <h1 class="sr">Activity</h1>
      <Loaded answer={answer} lines={12}>
        {(first) => <Feed first={first.changes} />}
      </Loaded>
    </>
  )
}

function Feed({ first }: { readonly first: readonly Change[] }) {
  const [heard, setHeard] = useState<readonly Change[]>([])
  const [paused, setPaused] = useState(false)
  const [spoken, setSpoken] = useState('')
  const waiting = useRef<Change[]>([])
  const [held, setHeld] = useState(0)
  useEffect(() => {
    let unsaid = 0
    const timer = window.setInterval(() => {
      if (unsaid > 0) setSpoken(plural(unsaid, 'new change'))
      unsaid = 0
    }, ANNOUNCE_MS)
    const stop = listen((changes) => {
      unsaid += changes.length
      if (paused) {
        waiting.current.push(...changes)
        setHeld(waiting.current.length)
      } else setHeard((known) => [...[...changes].reverse(), ...known].slice(0, MAX_SHOWN))
    })
    return () => {
      window.clearInterval(timer)
      stop()
    }
  }, [paused])
  const toggle = (): void => {
    if (paused) {
      const held = waiting.current.splice(0)
      setHeard((known) => [...held.reverse(), ...known].slice(0, MAX_SHOWN))
      setHeld(0)
      liveState.value = 'live'
    } else liveState.value = 'paused'
    setPaused(!paused)
  }
  useKeys({ p: toggle })
  const { params } = route.value
  const client = params.get('client')
  const known = new Set(heard.map((one) => `${one.owner} ${one.seq}`))
  const all = [...heard, ...first.filter((one) => !known.has(`${one.owner} ${one.seq}`))].filter(
    ({ op }) => op !== 'denial' || client === 'door',
  )
  const clients = [...new Set(all.map(({ actor }) => clientName(actor)))].sort()
  const shown = client === null ? all : all.filter(({ actor }) => clientName(actor) === client)
  return (
    <>
      <div class="between">
        <div class="flow" role="group" aria-label="Client">
          <button
            type="button"
            class={`chip${client === null ? ' on' : ''}`}
            aria-pressed={client === null}
            onClick={() => change({ client: null })}
          >
            everyone
          </button>
          {clients.map((name) => (
            <button
              key={name}
              type="button"
              class={`chip${client === name ? ' on' : ''}`}
              aria-pressed={client === name}
              onClick={() => change({ client: name })}
            >
              {name}
            </button>
          ))}
        </div>
        <button type="button" class="btn" aria-pressed={paused} onClick={toggle}>
          <Icon name={paused ? 'play' : 'pause'} />
          {paused ? (held > 0 ? `${number(held)} waiting` : 'Resume') : 'Pause'} <kbd>p</kbd>
        </button>
      </div>
      <p class="sr" role="status">
        {spoken}
      </p>
      {shown.length === 0 ? (
        <div class="empty">
          <h2>Nothing has happened yet.</h2>
          <p>What any process stores, changes or deletes appears here at once.</p>
        </div>
      ) : (
        <ul class="feed block">
          {runsOf(shown).map((run) => (
            <Events
              key={run.key}
              run={run}
              fresh={run.changes[0] !== undefined && known.has(`${run.changes[0].owner} ${run.changes[0].seq}`)}
            />
          ))}
        </ul>
      )}
    </>
  )
}

function verbOf({ op, created, to }: Change): string {
  if (op === 'fact.put' || op === 'entity.put')
    return created === true ? 'learned' : to === undefined ? 'changed' : (ENDINGS[to] ?? 'changed')
  return VERBS[op] ?? op.replace('.', ' ')
}
const ENDINGS: Readonly<Record<string, string>> = {
  active: 'restored',
  outdated: 'ended',
  superseded: 'replaced',
  retracted: 'rejected',
  archived: 'archived',
  contested: 'contested',
}
const VERBS: Readonly<Record<string, string>> = {
  'fact.delete': 'deleted',
  'entity.delete': 'deleted',
  'edge.put': 'linked',
  'edge.delete': 'unlinked',
  'source.put': 'indexed',
  'source.delete': 'removed',
  'arrangement.put': 'arranged',
  'arrangement.delete': 'arranged',
  denial: 'refused',
  reset: 'erased',
}
const MAX_OF_RUN = 3

function Events({ run, fresh }: { readonly run: Run; readonly fresh: boolean }) {
  const [open, setOpen] = useState(false)
  const { changes } = run
  const first = changes[0]
  if (first === undefined) return null
  const seqs = changes.map(({ seq }) => seq)
  const commits = [...new Set(changes.map(({ owner }) => owner))].map((owner) => ({
    ...{ owner, commit: run.key },
    ...{ first_seq: Math.min(...seqs), last_seq: Math.max(...seqs) },
  }))
  const undo = (): void =>
    void act({ tool: 'console/undo', input: { commits }, done: changes.length === 1 ? 'Undone.' : `${changes.length} changes undone.` })
  const undoable = mayWrite() && changes.some(({ op }) => op.endsWith('.put') && !op.startsWith('arrangement'))
  const shown = open ? changes : changes.slice(0, MAX_OF_RUN)
  return (
    <>
      {shown.map((one, at) => (
        <li key={`${one.owner} ${one.seq}`} class={`event${fresh ? ' fresh' : ''}${at === 0 && changes.length > 1 ? ' run' : ''}`}>
          <When class="" at={one.at} />
          <Who source={one.actor} />
          <span class="verb">{verbOf(one)}</span>
          {one.kind === 'fact' && one.op !== 'fact.delete' ? (
            <a class="said one" dir="auto" href={href('fact', { id: one.target })} data-row={one.target}>
              {one.about ?? one.target}
            </a>
          ) : (
            <span class="said one dim" dir="auto">
              {one.about ?? one.target} <span class="faint">{one.reason}</span>
            </span>
          )}
          <span class="acts">
            <span class="faint small wide-only">{ownerName(one.owner)}</span>
            {at === 0 && undoable && (
              <button type="button" class="btn quiet" onClick={undo}>
                Undo{changes.length > 1 ? ` all ${changes.length}` : ''}
              </button>
            )}
          </span>
        </li>
      ))}
      {changes.length > shown.length && (
        <li class="event">
          <span />
          <span />
          <button type="button" class="btn quiet" onClick={() => setOpen(true)}>
            {changes.length - shown.length} more
          </button>
        </li>
      )}
    </>
  )
}
