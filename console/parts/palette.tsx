import { useEffect, useRef, useState } from 'preact/hooks'
import type { BrowseAnswer } from '../../src/contracts/console/browse.js'
import type { EntitiesAnswer } from '../../src/contracts/console/entities.js'
import { useAnswer } from '../state/answers.js'
import { overlay } from '../state/keys.js'
import { go, href } from '../state/route.js'
import { mayAdminister } from '../state/session.js'
import { switchTheme } from '../state/theme.js'
import { ownerName } from '../state/words.js'
import { Dialog } from './dialog.js'
import { Icon, type IconName } from './icon.js'
import { Mark } from './marks.js'

interface Choice {
  readonly id: string
  readonly group: string
  readonly label: string
  readonly hint: string
  readonly icon?: IconName
  readonly life?: string
  readonly run: () => void
}

const PLACES: readonly (readonly [string, string, IconName, string])[] = [
  ['overview', 'Overview', 'overview', 'g o'],
  ['browse', 'Browse', 'browse', 'g b'],
  ['ask', 'Ask', 'ask', 'g a'],
  ['told', 'Told', 'told', 'g t'],
  ['review', 'Review', 'review', 'g r'],
  ['activity', 'Activity', 'activity', 'g v'],
  ['entities', 'Entities', 'entities', 'g e'],
  ['time', 'Time', 'time', 'g m'],
  ['code', 'Code', 'code', ''],
  ['jobs', 'Jobs', 'jobs', ''],
  ['import', 'Import and export', 'import', 'g i'],
  ['settings', 'Settings', 'settings', ''],
]
const ADMIN = new Set(['jobs', 'import', 'settings'])
const WAIT_MS = 90

export function Palette() {
  const [text, setText] = useState('')
  const [asked, setAsked] = useState('')
  const [at, setAt] = useState(0)
  const list = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const timer = setTimeout(() => setAsked(text.trim()), WAIT_MS)
    return () => clearTimeout(timer)
  }, [text])
  const facts = useAnswer<BrowseAnswer>('console/browse', asked === '' ? undefined : { q: asked, limit: 6 })
  const entities = useAnswer<EntitiesAnswer>('console/entities', asked === '' ? undefined : { q: asked, limit: 4 })
  const close = (): void => {
    overlay.value = undefined
  }
  const to = (address: string) => (): void => {
    close()
    go(address)
  }
  const themed = (): void => {
    close()
    switchTheme()
  }
  const wanted = text.trim().toLowerCase()
  const choices: readonly Choice[] = [
    ...(wanted === '' || facts.value === undefined
      ? []
      : facts.value.facts.map(
          (fact): Choice => ({
            ...{ id: fact.id, group: 'Facts', label: fact.text, hint: ownerName(fact.owner), life: fact.life },
            run: to(href('fact', { id: fact.id })),
          }),
        )),
    ...(wanted === '' || entities.value === undefined
      ? []
      : entities.value.entities.map(
          (entity): Choice => ({
            ...{ id: entity.id, group: 'Entities', label: entity.name, hint: entity.type, icon: 'entities' },
            run: to(href('entity', { id: entity.id })),
          }),
        )),
    ...PLACES.filter(([view, label]) => label.toLowerCase().includes(wanted) && (!ADMIN.has(view) || mayAdminister())).map(
      ([view, label, icon, hint]): Choice => ({ id: view, group: 'Go to', label, hint, icon, run: to(href(view)) }),
    ),
    ...(wanted === ''
      ? []
      : [
          {
            id: 'ask-it',
            group: 'Do',
            label: `Ask: ${text.trim()}`,
            hint: '',
            icon: 'ask' as const,
            run: to(href('ask', { q: text.trim() })),
          },
        ]),
    ...('switch theme'.includes(wanted)
      ? [{ id: 'theme', group: 'Do', label: 'Switch theme', hint: '', icon: 'settings' as const, run: themed }]
      : []),
  ]
  const chosen = Math.min(at, choices.length - 1)
  const onKey = (event: KeyboardEvent): void => {
    const by = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (by !== 0) {
      event.preventDefault()
      const next = (chosen + by + choices.length) % Math.max(1, choices.length)
      setAt(next)
      list.current?.querySelectorAll('[role=option]')[next]?.scrollIntoView({ block: 'nearest' })
    }
    if (event.key === 'Enter') {
      event.preventDefault()
      choices[chosen]?.run()
    }
  }
  return (
    <Dialog title="Search or jump to" class="palette" onClose={close}>
      <label class="find">
        <span class="sr">Search facts and entities, or type where to go</span>
        <Icon name="search" />
        <input
          role="combobox"
          aria-expanded="true"
          aria-controls="palette-list"
          aria-activedescendant={choices[chosen] === undefined ? undefined : `palette-${chosen}`}
          autocomplete="off"
          autofocus
          placeholder="Search or jump to"
          value={text}
          onInput={(event) => {
            setText(event.currentTarget.value)
            setAt(0)
          }}
          onKeyDown={onKey}
        />
      </label>
      <div id="palette-list" role="listbox" aria-label="Results" ref={list}>
        {choices.map((choice, index) => (
          <div key={`${choice.group} ${choice.id}`}>
            {choices[index - 1]?.group !== choice.group && <h3 aria-hidden="true">{choice.group}</h3>}
            <div
              id={`palette-${index}`}
              role="option"
              aria-selected={index === chosen}
              onClick={choice.run}
              onMouseMove={() => setAt(index)}
            >
              {choice.life !== undefined ? <Mark life={choice.life} /> : choice.icon !== undefined && <Icon name={choice.icon} />}
              <span class="said one" dir="auto">
                {choice.label}
              </span>
              <span>{choice.hint}</span>
            </div>
          </div>
        ))}
        {choices.length === 0 && <p class="faint">Nothing matches.</p>}
      </div>
      <footer>
        <span>
          <kbd>↑</kbd> <kbd>↓</kbd> choose
        </span>
        <span>
          <kbd>Enter</kbd> open
        </span>
        <span>
          <kbd>Esc</kbd> close
        </span>
      </footer>
    </Dialog>
  )
}

const KEYS: readonly (readonly [string, string])[] = [
  ['Ctrl K', 'search or jump to'],
  ['/', 'search on this page'],
  ['?', 'these keys'],
  ['g, then o b a t r v e m i', 'Overview, Browse, Ask, Told, Review, Activity, Entities, Time, Import'],
  ['j k', 'next and previous row'],
  ['Enter', 'open'],
  ['Space', 'select; with Shift a range'],
  ['e', 'edit'],
  ['s', 'supersede'],
  ['x', 'end'],
  ['#', 'delete'],
  ['t', 'tag'],
  ['u', 'undo the last change'],
  ['1 2 b m l', 'conflict: keep earlier, keep later, both, merge, later'],
  ['a r e l', 'candidate: accept, reject, edit, later'],
  ['w', 'why not'],
  ['c', 'copy as mneme call'],
  ['p', 'pause Activity'],
  ['n', 'back to now'],
  ['Esc', 'close, clear the selection, leave a field'],
]

export function KeysHelp() {
  const close = (): void => {
    overlay.value = undefined
  }
  return (
    <Dialog title="Keys" class="keys" onClose={close}>
      <header>
        <h2>Keys</h2>
      </header>
      <div tabIndex={0} role="group" aria-label="List of keys">
        <dl class="kv">
          {KEYS.map(([keys, what]) => [
            <dt key={keys}>
              <kbd>{keys}</kbd>
            </dt>,
            <dd key={what}>{what}</dd>,
          ])}
        </dl>
      </div>
      <footer>
        <button type="button" class="btn" onClick={close} autofocus>
          Close
        </button>
      </footer>
    </Dialog>
  )
}
