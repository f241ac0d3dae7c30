/** Generated facts: equal numbers give equal texts on every machine. */
export interface BenchFact {
  readonly content: string
  readonly session: string
  readonly author: string
}

const PEOPLE = [
  'Ada',
  'Bruno',
  'Chen',
  'Dalia',
  'Emre',
  'Farah',
  'Goran',
  'Hana',
  'Ivo',
  'Jun',
  'Kira',
  'Luis',
  'Mina',
  'Noor',
  'Olga',
  'Pavel',
]
const ACTIONS = ['moved', 'renamed', 'benchmarked', 'rejected', 'deployed', 'reviewed', 'rewrote', 'documented', 'postponed', 'approved']
const THINGS = [
  'billing service',
  'login page',
  'search index',
  'backup job',
  'mobile client',
  'data pipeline',
  'rate limiter',
  'report export',
]
const REASONS = [
  'because of latency',
  'after the outage',
  'before the audit',
  'for the new customer',
  'to cut costs',
  'since tests were flaky',
]
const SYLLABLES = ['ka', 'lo', 'mi', 'ren', 'tas', 'vel', 'dor', 'qui', 'zan', 'pe', 'shu', 'bra', 'nix', 'fol', 'gar', 'wen']

const FACTS_PER_SESSION = 20

export function factAt(number: number): BenchFact {
  const pick = (list: readonly string[], salt: number): string => list[mix(number, salt) % list.length] ?? ''
  const person = pick(PEOPLE, 1)
  const project = codeName(mix(number, 2) % 3000)
  return {
    content: `${person} ${pick(ACTIONS, 3)} the ${pick(THINGS, 4)} of project ${project} ${pick(REASONS, 5)}; ticket ${project.toUpperCase()}-${number}.`,
    session: `session-${Math.floor(number / FACTS_PER_SESSION)}`,
    author: pick(PEOPLE, 6),
  }
}

/** Queries with words of the store, at different frequencies. */
export function queryAt(number: number): string {
  const pick = (list: readonly string[], salt: number): string => list[mix(number, salt) % list.length] ?? ''
  const project = codeName(mix(number, 11) % 3000)
  return `Why was the ${pick(THINGS, 12)} of project ${project} ${pick(ACTIONS, 13)} by ${pick(PEOPLE, 14)}?`
}

function codeName(number: number): string {
  const node = (place: number): string => SYLLABLES[Math.floor(number / 16 ** place) % 16] ?? ''
  return node(0) + node(1) + node(2)
}

function mix(number: number, salt: number): number {
  let x = Math.imul(number + 0x9e3779b9, 0x85ebca6b) ^ Math.imul(salt, 0xc2b2ae35)
  x = Math.imul(x ^ (x >>> 15), 0x27d4eb2f)
  return (x ^ (x >>> 13)) >>> 0
}
