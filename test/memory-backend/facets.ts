import { canReadFact } from '../../src/core/access/access-filter.js'
import { subjectName } from '../../src/core/embedding/fact-text.js'
import type { Fact } from '../../src/core/facts/fact.js'
import { isCurrentStatus, isValidAt } from '../../src/core/facts/validity.js'
import { SIMILAR_TO } from '../../src/core/graph/relation-type.js'
import { isSystemForm } from '../../src/core/statements/statement.js'
import { claimKey } from '../../src/core/substrate/objects/claims.js'
import { stem } from '../../src/core/text/stem.js'
import { fold } from '../../src/core/text/text.js'
import type { Doubts, FactFacets, FactFilter } from '../../src/ports/facets.js'
import { mentionsOf } from './links.js'
import { knownTo, type State, type StoredFact } from './state.js'

const WORDS = /[\p{L}\p{N}\p{Co}]+/gu
const wordsOf = (text: string): readonly string[] => fold(text).match(WORDS) ?? []

function holds(fact: Fact, words: readonly string[]): boolean {
  const own = wordsOf(`${fact.title ?? ''} ${fact.text}`).map(stem)
  const requested = words.flatMap(wordsOf).map(stem)
  return (
    requested.length > 0 &&
    requested.every((word, index) => own.some((value) => (index === requested.length - 1 ? value.startsWith(word) : value === word)))
  )
}

const isAmong = <T>(values: readonly T[] | undefined, value: T): boolean => values === undefined || values.includes(value)

function matches(state: State, { fact }: StoredFact, filter: FactFilter): boolean {
  return (
    !isSystemForm(fact.form) &&
    isAmong(filter.owners, fact.owner) &&
    isAmong(filter.statuses, fact.status) &&
    isAmong(filter.kinds, fact.kind) &&
    isAmong(filter.sources, fact.source) &&
    isAmong(filter.authors, fact.author) &&
    (filter.quarantine === undefined || fact.quarantine === filter.quarantine) &&
    (filter.name === undefined || isNamed(state, fact, filter.name)) &&
    (filter.subjects === undefined || filter.subjects.includes(subjectName(fact) ?? '')) &&
    (filter.words === undefined || holds(fact, filter.words)) &&
    (filter.recordedFrom === undefined || fact.recordedAt >= filter.recordedFrom) &&
    (filter.recordedUntil === undefined || fact.recordedAt < filter.recordedUntil) &&
    (filter.validAt === undefined || isValidAt(fact, filter.validAt)) &&
    (filter.reach === undefined || canReadFact(filter.reach, fact))
  )
}

const isNamed = (state: State, fact: Fact, name: string): boolean =>
  subjectName(fact) === name || mentionsOf(fact, knownTo(state, fact.owner)).includes(name)

export const createRamDoubts = (current: () => State): Doubts => {
  const isOf = (owners: readonly string[] | undefined, owner: string): boolean => owners === undefined || owners.includes(owner)
  return {
    async rivals({ owners, limit }) {
      const claims = new Map<string, { readonly owner: string; readonly claim: string; count: number }>()
      for (const { fact } of current().facts.values()) {
        const claim = isCurrentStatus(fact.status) && isOf(owners, fact.owner) ? claimKey(fact) : null
        if (claim === null) continue
        const key = JSON.stringify([fact.owner, claim])
        const known = claims.get(key) ?? { owner: fact.owner, claim, count: 0 }
        known.count += 1
        claims.set(key, known)
      }
      const several = [...claims].filter(([, { count }]) => count > 1).sort(([a], [b]) => (a < b ? -1 : 1))
      return several.slice(0, limit).map(([, { owner, claim }]) => ({ owner, claim }))
    },
    alike: async ({ owners, least: min, limit }) =>
      [...current().edges.values()]
        .map(({ edge }) => edge)
        .filter((edge) => edge.type === SIMILAR_TO && edge.toKind === 'fact' && edge.weight >= min && isOf(owners, edge.owner))
        .sort((a, b) => b.weight - a.weight || (`${a.from} ${a.to}` < `${b.from} ${b.to}` ? -1 : 1))
        .slice(0, limit)
        .map(({ owner, from, to, weight }) => ({ owner, from, to, weight })),
  }
}

export const createRamFacets = (current: () => State): FactFacets => {
  const found = (filter: FactFilter): readonly Fact[] =>
    [...current().facts.values()].filter((row) => matches(current(), row, filter)).map(({ fact }) => fact)
  const order = (a: Fact, b: Fact): number => b.recordedAt - a.recordedAt || (a.id < b.id ? 1 : -1)
  return {
    async browse(filter, { after, limit }) {
      const isBehind = (fact: Fact): boolean =>
        after === undefined || fact.recordedAt < after.at || (fact.recordedAt === after.at && fact.id < String(after.key))
      const items = [...found(filter)].sort(order).filter(isBehind).slice(0, limit)
      const last = items.length < limit ? undefined : items[items.length - 1]
      return { items, next: last === undefined ? null : { at: last.recordedAt, key: last.id } }
    },
    async facets(filter) {
      const cells = new Map<string, { fact: Fact; count: number }>()
      for (const fact of found(filter)) {
        const key = JSON.stringify([fact.owner, fact.status, fact.kind, fact.source, fact.author])
        const known = cells.get(key)
        if (known === undefined) cells.set(key, { fact, count: 1 })
        else known.count += 1
      }
      const inOrder = [...cells].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, cell]) => cell)
      return inOrder.map(({ fact: { owner, status, kind, source, author }, count }) => ({
        ...{ owner, status, kind, source, author, count },
      }))
    },
    async subjects(filter, limit) {
      const counts = new Map<string, { subject: string; label: string; count: number; sample: string }>()
      for (const fact of found(filter)) {
        const subject = subjectName(fact)
        if (subject === null) continue
        const known = counts.get(subject)
        const isLast = known === undefined || fact.id > known.sample
        const { label, sample } = isLast ? { label: fact.title ?? fact.subject ?? subject, sample: fact.id } : known
        counts.set(subject, { subject, label, sample, count: (known?.count ?? 0) + 1 })
      }
      return [...counts.values()]
        .sort((a, b) => b.count - a.count || (a.subject < b.subject ? -1 : 1))
        .slice(0, limit)
        .map(({ sample: _, ...counted }) => counted)
    },
    async histogram(filter, { from, until, width }) {
      const buckets = new Map<number, { at: number; learned: number; ended: number }>()
      const count = (now: number, what: 'learned' | 'ended'): void => {
        if (now < from || now >= until) return
        const begin = from + Math.floor((now - from) / width) * width
        const bucket = buckets.get(begin) ?? { at: begin, learned: 0, ended: 0 }
        bucket[what] += 1
        buckets.set(begin, bucket)
      }
      for (const fact of found(filter)) {
        count(fact.recordedAt, 'learned')
        if (!isCurrentStatus(fact.status) && fact.validUntil !== null) count(fact.validUntil, 'ended')
      }
      return [...buckets.values()].sort((a, b) => a.at - b.at)
    },
  }
}
