/** How things are said. */

export const number = (value: number): string => value.toLocaleString('en')
export const plural = (count: number, one: string, many = `${one}s`): string => `${number(count)} ${count === 1 ? one : many}`
export const percent = (share: number): string => `${Math.round(share * 100)} %`
/** A part of a score, as short as it can be read. */
export const score = (value: number): string => value.toFixed(2).replace(/^(-?)0(?=\.)/, '$1')

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

export const utc = (text: string): string => `${text.slice(0, 19).replace('T', ' ')} UTC`

/** Relative up to a week, then the date. */
export function ago(text: string, now = Date.now()): string {
  const date = new Date(text)
  const since = now - date.getTime()
  if (since < MINUTE && since > -MINUTE) return 'now'
  if (since >= 0 && since < HOUR) return `${Math.floor(since / MINUTE)} min`
  if (since >= 0 && since < DAY) return `${Math.floor(since / HOUR)} h`
  if (since >= 0 && since < 7 * DAY) return date.toLocaleDateString('en', { weekday: 'short' })
  const sameYear = date.getFullYear() === new Date(now).getFullYear()
  return date.toLocaleDateString('en-GB', { day: 'numeric', month: 'short', ...(sameYear ? {} : { year: 'numeric' }) })
}

export const longAgo = (text: string): string => {
  const short = ago(text)
  if (short === 'now') return 'just now'
  if (short.endsWith(' min')) return `${plural(Number.parseInt(short, 10), 'minute')} ago`
  return short.endsWith(' h') ? `${plural(Number.parseInt(short, 10), 'hour')} ago` : `on ${short}`
}

export const dayOf = (text: string): string =>
  new Date(text).toLocaleDateString('en-GB', { day: 'numeric', month: 'long', year: 'numeric' })

/** Today, yesterday, a weekday, or the date. */
export function relativeDay(text: string, now = Date.now()): string {
  const midnight = (at: Date): number => new Date(at.getFullYear(), at.getMonth(), at.getDate()).getTime()
  const days = Math.round((midnight(new Date(now)) - midnight(new Date(text))) / DAY)
  if (days === 0) return 'Today'
  if (days === 1) return 'Yesterday'
  return days > 1 && days < 7 ? new Date(text).toLocaleDateString('en', { weekday: 'long' }) : dayOf(text)
}

export const dateAndTime = (text: string): string =>
  new Date(text).toLocaleString('en-GB', { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' })

export const timeOf = (text: string): string => new Date(text).toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' })

/** When the day of this reader began. */
export function todayStart(): string {
  const now = new Date()
  return new Date(now.getFullYear(), now.getMonth(), now.getDate()).toISOString()
}

const PROJECT = 'project:'
export const isProject = (owner: string): boolean => owner.startsWith(PROJECT)

/** An owner as people call it: of a project the end of its address. */
export const ownerName = (owner: string): string => (isProject(owner) ? (owner.slice(PROJECT.length).split('/').pop() ?? owner) : owner)

/** A client as people call it: what it was called through is left out. */
export const clientName = (source: string): string =>
  source
    .replace(/^(hook|mcp|http):/, '')
    // Each import and each run of a job has a name of its own.
    .replace(/^(import|job):.*/, '$1')
    .split(' ')[0] ?? source

/** The same with how it came in, where that makes two of it: what hooks captured is counted apart from what an agent stored. */
export const sourceName = (source: string): string => {
  const way = /^(hook|http):/.exec(source)?.[1]
  return way === undefined ? clientName(source) : `${clientName(source)} (${way === 'hook' ? 'hooks' : 'HTTP'})`
}

export const initials = (name: string): string => {
  const parts = name.split(/[\s-]+/).filter((part) => part !== '')
  return (parts.length > 1 ? parts.slice(0, 2).map((part) => part[0]) : [name.slice(0, 2)]).join('').toUpperCase()
}

export const LIFECYCLE_WORDS: Readonly<Record<string, string>> = {
  current: 'Current',
  candidate: 'Candidate',
  contested: 'Contested',
  superseded: 'Superseded',
  stale: 'Stale',
  ended: 'Ended',
}

const STATUS_LIVES: Readonly<Record<string, string>> = {
  active: 'current',
  candidate: 'candidate',
  contested: 'contested',
  stale: 'stale',
  superseded: 'superseded',
}
export const lifeOfStatus = (status: string): string => STATUS_LIVES[status] ?? 'ended'

export const STATUS_WORDS: Readonly<Record<string, string>> = {
  active: 'Current',
  candidate: 'Candidate',
  contested: 'Contested',
  stale: 'Stale',
  outdated: 'Ended',
  superseded: 'Superseded',
  retracted: 'Rejected',
  archived: 'Archived',
}

/** A value of a setting or of the store. */
export const shown = (value: unknown): string =>
  value === null || value === undefined || value === '' ? 'not set' : Array.isArray(value) ? value.join(', ') || 'none' : String(value)

/** A value counted by the store: a number with its separators. */
export const countOrText = (value: unknown): string => (typeof value === 'number' ? number(value) : shown(value))

/** `doneBytes` and `done_bytes` as words. */
export const spacedWords = (name: string): string =>
  name.replaceAll('_', ' ').replaceAll(/([a-z])([A-Z])/g, (_, a: string, b: string) => `${a} ${b.toLowerCase()}`)
