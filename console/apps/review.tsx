import { render } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { DoneAnswer } from '../../src/contracts/console/shapes.js'
import { Candidate, type DecisionInput, Pair, type ReviewItem } from '../parts/decision.js'
import { startOwnKeys, useKeys } from '../state/keys.js'
import { connectHost, type Host } from './host.js'
import { Empty, NoticeLine, useActions } from './notice.js'

interface ReviewList {
  readonly items?: readonly ReviewItem[]
}

function App() {
  const [items, setItems] = useState<readonly ReviewItem[]>()
  const [failure, setFailure] = useState<string>()
  const [host, setHost] = useState<Host>()
  useEffect(() => {
    const onResult = (answer: unknown): void => setItems((answer as ReviewList).items ?? [])
    setHost(connectHost({ onResult, onFailure: setFailure }))
  }, [])
  if (failure !== undefined) return <Empty title={failure} />
  if (items === undefined || host === undefined) return <p class="dim">Waiting for the list.</p>
  return <Inbox items={items} host={host} />
}

const keyOf = ({ facts }: ReviewItem): string => facts.map(({ id }) => id).join('+')

function Inbox({ items, host }: { readonly items: readonly ReviewItem[]; readonly host: Host }) {
  const { notice, run } = useActions()
  const [open, setOpen] = useState(items)
  const [item] = open
  const decide = (decision: DecisionInput, done: string): void =>
    void run(async () => {
      if (item === undefined) return undefined
      const { undo } = await host.call<DoneAnswer>('decide_review', decision)
      setOpen((known) => known.filter((one) => one !== item))
      const back = (): Promise<void> =>
        run(async () => {
          await host.call('decide_review', { verdict: 'undo', undo })
          setOpen((known) => [item, ...known])
          return { text: 'Undone.' }
        })
      return { text: done, undo: back }
    })
  useKeys(notice?.undo === undefined ? {} : { u: () => void notice.undo?.() })
  const later = (): void => setOpen((known) => [...known.slice(1), ...known.slice(0, 1)])
  const shared = { place: `1 of ${open.length}`, onDecide: decide, onLater: later }
  return (
    <>
      <h1 class="sr">Review</h1>
      {item === undefined ? (
        <Empty title="Nothing is waiting.">
          <p>New candidates and conflicts appear when you ask again.</p>
        </Empty>
      ) : item.facts.length > 1 ? (
        <Pair key={keyOf(item)} item={item} {...shared} />
      ) : (
        <Candidate key={keyOf(item)} item={item} {...shared} />
      )}
      <NoticeLine notice={notice} />
    </>
  )
}

startOwnKeys()
const root = document.getElementById('app')
if (root !== null) render(<App />, root)
