import { signal } from '@preact/signals'
import type { Activity } from '../../src/contracts/activity.js'

export type LiveState = 'connecting' | 'live' | 'lost' | 'paused'

export const liveState = signal<LiveState>('connecting')
/** When the last sign of life came, for people. */
export const lastSeen = signal<Date>(new Date())
/** Grows with every change that was heard of; views that show counts read them again. */
export const heard = signal(0)

type Listener = (changes: readonly Activity[]) => void
const listeners = new Set<Listener>()
let source: EventSource | undefined
let waiting: Activity[] = []
let isScheduled = false

/** Changes come in lists, at most every tenth of a second, so that a burst of thousands keeps the page answering. */
function pass(): void {
  isScheduled = false
  const changes = waiting
  waiting = []
  heard.value += changes.length
  for (const listener of listeners) listener(changes)
}

export function listen(listener: Listener): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** The browser comes back by itself, and names the last event that it has seen. */
export function connect(): void {
  source?.close()
  source = new EventSource('events')
  source.onopen = () => {
    liveState.value = 'live'
    lastSeen.value = new Date()
  }
  source.onmessage = (event) => {
    lastSeen.value = new Date()
    waiting.push(JSON.parse(event.data))
    if (!isScheduled) window.setTimeout(pass, 100)
    isScheduled = true
  }
  source.onerror = () => {
    liveState.value = 'lost'
    // Refused for good, as after a restart without this session: asked again later.
    if (source?.readyState === EventSource.CLOSED) window.setTimeout(connect, 4000)
  }
}

export function disconnect(): void {
  source?.close()
  source = undefined
}
