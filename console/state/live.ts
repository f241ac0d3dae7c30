import { signal } from '@preact/signals'
import type { Activity } from '../../src/contracts/activity.js'

type LiveState = 'connecting' | 'live' | 'lost' | 'paused'

export const liveState = signal<LiveState>('connecting')
/** When the last sign of life came, for people. */
export const lastSeen = signal<Date>(new Date())
/** Grows with every change that was heard of; views that show counts read them again. */
export const heard = signal(0)

type Listener = (changes: readonly Activity[]) => void
const listeners = new Set<Listener>()
let source: EventSource | undefined
let retry: number | undefined
let waiting: Activity[] = []
let isScheduled = false
/** The last event that was heard of, for a stream that has to be opened again. */
let lastId: string | undefined
const RETRY_MS = 4000

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

/**
 * The browser comes back by itself, and names the last event that it has seen. `onRefused` is called where the server has refused the
 * stream for good, as after a restart without this session; the stream is then opened again later, behind the last event.
 */
export function connect(onRefused: () => void): void {
  source?.close()
  source = new EventSource(lastId === undefined ? 'events' : `events?after=${encodeURIComponent(lastId)}`)
  source.onopen = () => {
    liveState.value = 'live'
    lastSeen.value = new Date()
  }
  source.onmessage = (event) => {
    lastSeen.value = new Date()
    lastId = event.lastEventId
    waiting.push(JSON.parse(event.data))
    if (!isScheduled) window.setTimeout(pass, 100)
    isScheduled = true
  }
  source.addEventListener('ended', onRefused)
  source.onerror = () => {
    liveState.value = 'lost'
    if (source?.readyState !== EventSource.CLOSED) return
    onRefused()
    window.clearTimeout(retry)
    retry = window.setTimeout(() => source !== undefined && connect(onRefused), RETRY_MS)
  }
}

export function disconnect(): void {
  source?.close()
  source = undefined
  window.clearTimeout(retry)
}
