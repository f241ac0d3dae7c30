import fc from 'fast-check'
import type { Json } from '../../src/core/encoding/json.js'
import type { Fact } from '../../src/core/facts/fact.js'
import type { Change } from '../../src/core/journal/change.js'
import { MemoryError } from '../../src/errors.js'
import type { Backend } from '../../src/ports/backend.js'
import { aFact, anEdge, anEntity, NOON, ownersIn, unit } from '../contract/samples.js'

export const OWNERS = ['ann', 'bob'] as const
/** Single words, so that no name contains another and links do not depend on the order of events. */
const NAMES = ['otter', 'Heron', 'stoat', 'Marsh', 'parse_header', 'IT'] as const
const FILLER = ['the', 'river', 'runs', 'deep', 'and', 'Running', 'rivers.', 'it', "otter's", 'HERON', '東京都', 'see'] as const

export interface FactStep {
  readonly kind: 'fact'
  readonly owner: string
  readonly slot: number
  readonly words: readonly string[]
  readonly title: string | null
  readonly author: string | null
  readonly session: string | null
  readonly from: number
  readonly lasts: number | null
  readonly expires: number | null
  readonly ended: boolean
  readonly long: boolean
  readonly autoLink: boolean
  readonly metadata: Json
  /** Added to the correct version, so that some puts conflict. */
  readonly skew: number
}

export type Step =
  | FactStep
  | { readonly kind: 'entity'; readonly owner: string; readonly slot: number; readonly name: string; readonly alias: string | null }
  | {
      readonly kind: 'edge'
      readonly owner: string
      readonly slot: number
      readonly from: number
      readonly to: number
      readonly source: number | null
    }
  | { readonly kind: 'delete'; readonly what: 'fact' | 'entity' | 'edge'; readonly owner: string; readonly slot: number }
  | { readonly kind: 'reset'; readonly owner: string }

const owner = fc.constantFrom(...OWNERS)
const slot = fc.nat({ max: 4 })
const word = fc.constantFrom(...NAMES, ...FILLER)

const factStep: fc.Arbitrary<FactStep> = fc.record({
  kind: fc.constant('fact' as const),
  owner,
  slot,
  words: fc.array(word, { minLength: 1, maxLength: 8 }),
  title: fc.option(fc.constantFrom(...NAMES), { nil: null }),
  author: fc.option(fc.constantFrom('Ann Lee', 'Bob', 'ann ray'), { nil: null }),
  session: fc.option(fc.constantFrom('s1', 's2'), { nil: null }),
  from: fc.nat({ max: 20 }),
  lasts: fc.option(fc.nat({ max: 20 }), { nil: null }),
  expires: fc.option(fc.nat({ max: 30 }), { nil: null }),
  ended: fc.boolean(),
  long: fc.oneof({ weight: 7, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) }),
  autoLink: fc.oneof({ weight: 5, arbitrary: fc.constant(true) }, { weight: 1, arbitrary: fc.constant(false) }),
  metadata: fc.oneof(fc.constant(null), fc.string(), fc.array(fc.oneof(fc.constant(null), fc.integer(), fc.boolean()), { maxLength: 3 })),
  skew: fc.oneof({ weight: 20, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.constantFrom(-1, 1) }),
})

export const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 30, arbitrary: factStep },
  {
    weight: 10,
    arbitrary: fc.record({
      kind: fc.constant('entity' as const),
      owner,
      slot: fc.nat({ max: 2 }),
      name: fc.constantFrom(...NAMES),
      alias: fc.option(fc.constantFrom(...NAMES), { nil: null }),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({ kind: fc.constant('edge' as const), owner, slot, from: slot, to: slot, source: fc.option(slot, { nil: null }) }),
  },
  {
    weight: 10,
    arbitrary: fc.record({
      kind: fc.constant('delete' as const),
      what: fc.constantFrom('fact' as const, 'entity' as const, 'edge' as const),
      owner,
      slot: fc.nat({ max: 2 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('reset' as const), owner }) },
)

/** Some steps are committed together; after some commits vectors are stored. */
export interface Commit {
  readonly steps: readonly Step[]
  readonly embed: boolean
}

export const commitOf = (steps: fc.Arbitrary<Step>): fc.Arbitrary<Commit> =>
  fc.record({ steps: fc.array(steps, { minLength: 1, maxLength: 4 }), embed: fc.boolean() })

export const history = fc.array(commitOf(step), { minLength: 1, maxLength: 12 })

const idOf = (kind: string, name: string, number: number): string => `${kind}-${name}-${number}`

/** The changes of a list of steps, for the current contents of the store. */
export async function changesOf(backend: Backend, steps: readonly Step[], tick: number): Promise<readonly Change[]> {
  const facts = new Map((await backend.store.listFacts({ limit: 1000, offset: 0 })).map((fact) => [fact.id, fact.version]))
  const entities = new Map((await backend.store.listEntities({ limit: 1000, offset: 0 })).map((entity) => [entity.id, entity.version]))
  const edges = new Map((await backend.store.edges({ limit: 1000 })).map((edge) => [edge.id, edge.version]))
  const next = (versions: Map<string, number>, id: string): number => {
    const version = (versions.get(id) ?? 0) + 1
    versions.set(id, version)
    return version
  }
  const changeOf = (step: Step, place: number): Change | readonly Change[] => {
    const index = NOON + tick * 10 + place
    switch (step.kind) {
      case 'fact': {
        const id = idOf('f', step.owner, step.slot)
        return { op: 'fact.put', fact: factOf(step, id, next(facts, id) + step.skew, index) }
      }
      case 'entity': {
        const id = idOf('e', step.owner, step.slot)
        const aliases = step.alias === null ? [] : [step.alias]
        return {
          op: 'entity.put',
          entity: anEntity({ id, owner: step.owner, name: step.name, aliases, createdAt: index, version: next(entities, id) }),
        }
      }
      case 'edge': {
        const id = idOf('r', step.owner, step.slot)
        if (!facts.has(idOf('f', step.owner, step.from)) || !entities.has(idOf('e', step.owner, step.to))) return []
        const ends = {
          from: idOf('f', step.owner, step.from),
          fromKind: 'fact',
          to: idOf('e', step.owner, step.to),
          toKind: 'entity',
        } as const
        const factId = step.source === null ? null : idOf('f', step.owner, step.source)
        return { op: 'edge.put', edge: anEdge({ id, owner: step.owner, ...ends, factId, createdAt: index, version: next(edges, id) }) }
      }
      case 'delete': {
        const [letter, versions] = { fact: ['f', facts] as const, entity: ['e', entities] as const, edge: ['r', edges] as const }[step.what]
        const id = idOf(letter, step.owner, step.slot)
        versions.delete(id)
        return { op: `${step.what}.delete`, id, owner: step.owner }
      }
      case 'reset': {
        for (const versions of [facts, entities, edges])
          for (const id of versions.keys()) if (id.includes(`-${step.owner}-`)) versions.delete(id)
        return { op: 'reset', owner: step.owner }
      }
    }
  }
  return steps.flatMap(changeOf)
}

const factOf = (step: FactStep, id: string, version: number, now: number): Fact => {
  const validFrom = NOON + step.from
  const ended = step.ended && step.lasts !== null
  return aFact({
    id,
    owner: step.owner,
    text: step.long ? `${step.words.join(' ')}. `.repeat(Math.ceil(300 / (step.words.length + 1))) : step.words.join(' '),
    title: step.title,
    author: step.author,
    session: step.session,
    validFrom,
    version,
    recordedAt: now,
    updatedAt: now,
    // An ended fact ended before it was stored, or when it began.
    validUntil: step.lasts === null ? null : ended ? Math.max(validFrom, Math.min(validFrom + step.lasts, NOON)) : validFrom + step.lasts,
    expiresAt: step.expires === null ? null : NOON + step.expires,
    status: ended ? 'outdated' : 'active',
    autoLink: step.autoLink,
    metadata: { given: step.metadata },
    importance: step.slot / 7,
  })
}

/** The outcome of a commit in a form that is comparable between backends. */
export async function outcome(backend: Backend, changes: readonly Change[]): Promise<unknown> {
  try {
    const { commit: _, entries, ...receipt } = await backend.store.commit({ actor: 'history', owners: ownersIn(changes) }, () => changes)
    return { ...receipt, entries: entries.map(({ owner, firstSeq, lastSeq }) => ({ owner, changed: lastSeq >= firstSeq })) }
  } catch (error) {
    return error instanceof MemoryError ? error.code : error
  }
}

/** A direction in three dimensions that depends on the text only. */
export function vectorOf(text: string): Float32Array {
  let seed = 7
  for (let i = 0; i < text.length; i++) seed = (seed * 31 + text.charCodeAt(i)) % 9973
  return unit((seed % 7) - 3, (seed % 11) - 5, (seed % 13) - 5.5)
}

/** Only some pieces of long facts, so that others are found by some of theirs. */
export async function embedWaiting(backend: Backend, pieces = 5): Promise<number> {
  return (await embedSome(backend, 'facts', 1000)) + (await embedSome(backend, 'pieces', pieces))
}

async function embedSome(backend: Backend, kind: 'facts' | 'pieces', max: number): Promise<number> {
  const waiting = await backend.backlog.next(kind, max)
  return await backend.backlog.fill(
    kind,
    waiting.map(({ text, long: _, ...rest }) => ({ ...rest, vector: vectorOf(text) })),
  )
}
