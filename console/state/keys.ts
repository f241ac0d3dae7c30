import { signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { undo } from './actions.js'
import { change, go, href } from './route.js'

export interface Key {
  readonly keys: string
  readonly what: string
}

/** Open above the page. */
export const overlay = signal<'palette' | 'keys' | undefined>(undefined)

type Bindings = Readonly<Record<string, (event: KeyboardEvent) => void>>
const layers: Bindings[] = []

/** Keys of a view; they are off while someone types. */
export function useKeys(bindings: Bindings): void {
  useEffect(() => {
    layers.push(bindings)
    return () => {
      layers.splice(layers.indexOf(bindings), 1)
    }
  })
}

const VIEWS: Readonly<Record<string, string>> = {
  o: 'overview',
  b: 'browse',
  a: 'ask',
  t: 'told',
  r: 'review',
  v: 'activity',
  e: 'entities',
  m: 'time',
  i: 'import',
}

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || target.matches('textarea, select, input:not([type=checkbox], [type=radio])'))

let awaitsView = 0
const GO_MS = 1500

function onKey(event: KeyboardEvent): void {
  if (event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey)) {
    event.preventDefault()
    overlay.value = overlay.value === 'palette' ? undefined : 'palette'
    return
  }
  if (event.key === 'Escape') {
    onEscape(event)
    return
  }
  if (
    event.ctrlKey ||
    event.metaKey ||
    event.altKey ||
    isTyping(event.target) ||
    overlay.value !== undefined ||
    document.querySelector('dialog[open]')
  )
    return
  if (Date.now() < awaitsView) {
    awaitsView = 0
    const view = VIEWS[event.key]
    if (view !== undefined) {
      event.preventDefault()
      go(href(view))
      return
    }
  }
  const own = layers.findLast((layer) => layer[event.key] !== undefined)?.[event.key] ?? COMMON_BINDINGS[event.key]
  if (own === undefined) return
  event.preventDefault()
  own(event)
}

function onEscape(event: KeyboardEvent): void {
  if (overlay.value !== undefined) {
    overlay.value = undefined
    return
  }
  if (isTyping(event.target) && event.target instanceof HTMLElement && event.target.closest('dialog') === null) {
    event.target.blur()
    document.getElementById('main')?.focus()
    return
  }
  layers.findLast((layer) => layer.Escape !== undefined)?.Escape?.(event)
}

const COMMON_BINDINGS: Bindings = {
  g: () => {
    awaitsView = Date.now() + GO_MS
  },
  '/': () => {
    const field = document.querySelector<HTMLInputElement>('main input[type=search]')
    if (field === null) overlay.value = 'palette'
    else {
      field.focus()
      field.select()
    }
  },
  '?': () => {
    overlay.value = 'keys'
  },
  u: () => void undo(),
  j: () => moveFocus(1),
  k: () => moveFocus(-1),
  n: () => change({ at: null }),
}

const rows = (): readonly HTMLElement[] => [...document.querySelectorAll<HTMLElement>('main [data-row]')]

/** Moves the focus along the rows of the page; the first one where none has it. */
function moveFocus(by: number): void {
  const all = rows()
  const at = all.findIndex((row) => row === document.activeElement || row.closest('li')?.contains(document.activeElement) === true)
  const next = all[at < 0 ? (by > 0 ? 0 : all.length - 1) : Math.min(all.length - 1, Math.max(0, at + by))]
  next?.focus()
  next?.scrollIntoView({ block: 'nearest' })
}

/** The id of the fact whose row has the focus. */
export function focusedRow(): string | undefined {
  const row = document.activeElement?.closest('li')?.querySelector<HTMLElement>('[data-row]') ?? undefined
  return row?.dataset.row
}

/** After an action: the row at the same position, or the one before it, or the heading. */
export function focusAfter(id: string | undefined): () => void {
  const at = rows().findIndex((row) => row.dataset.row === id)
  return () =>
    requestAnimationFrame(() => {
      const all = rows()
      const next = all[Math.min(Math.max(at, 0), all.length - 1)] ?? document.querySelector<HTMLElement>('main h1, #main')
      next?.focus()
    })
}

export const focusRow = (id: string): void =>
  void requestAnimationFrame(() =>
    rows()
      .find((row) => row.dataset.row === id)
      ?.focus(),
  )

export const startKeys = (): void => addEventListener('keydown', onKey)

/** Only the keys of what is shown: a page within a host has no other views. */
export const startOwnKeys = (): void =>
  addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return
    const own = layers.findLast((layer) => layer[event.key] !== undefined)?.[event.key]
    if (own === undefined) return
    event.preventDefault()
    own(event)
  })
