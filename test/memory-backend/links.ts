import { looksLikeCode } from '../../src/core/code/text.js'
import { subjectName } from '../../src/core/embedding/fact-text.js'
import type { Fact, Instant } from '../../src/core/facts/fact.js'
import type { Edge } from '../../src/core/graph/edge.js'
import { derivedEdge, linkedWords, ownMentions } from '../../src/core/graph/linking.js'
import { knownNames, normalName } from '../../src/core/graph/names.js'
import { MENTIONS_ENTITY } from '../../src/core/graph/relation-type.js'
import { factTypeOf } from '../../src/core/substrate/objects/objects.js'
import { fieldEdges, findUnresolvedEndpoints, type KnownEnd } from '../../src/core/substrate/objects/references.js'
import type { LinkIndex, TurnContext } from '../../src/ports/view.js'
import { knownTo, namesOf, type State, type StoredFact } from './state.js'

const among = (words: readonly string[], known: ReadonlySet<string>): readonly string[] =>
  knownNames(words, (head) => [...known].filter((name) => name === head || name.startsWith(`${head} `)))

const knownIn = (fact: Fact, known: ReadonlySet<string>): readonly string[] => (fact.autoLink ? among(linkedWords(fact.text), known) : [])

export const mentionsOf = (fact: Fact, known: ReadonlySet<string>): readonly string[] =>
  fact.autoLink ? [...new Set([...knownIn(fact, known), ...ownMentions(fact.text)])] : []

/** Recomputes the edges that follow from texts; existing ones keep their age. */
export function deriveEdges(state: State, now: Instant): void {
  const wanted = new Map<string, Edge>()
  const owners = new Set([...state.entities.values()].map((entity) => entity.owner))
  for (const owner of owners) {
    const known = knownTo(state, owner)
    const entities = [...state.entities.values()].filter((entity) => entity.owner === owner)
    for (const { fact } of state.facts.values()) {
      if (fact.owner !== owner) continue
      for (const name of knownIn(fact, known)) {
        for (const entity of entities.filter((entity) => namesOf(entity).includes(name))) {
          const edge = mentionEdge(fact, entity.id, now)
          wanted.set(edge.id, edge)
        }
      }
    }
  }
  for (const { fact } of state.facts.values()) {
    const ends = new Map(findUnresolvedEndpoints(fact).flatMap((id): [string, KnownEnd][] => endIn(state, fact.owner, id)))
    for (const edge of fieldEdges(fact, now, ends)) wanted.set(edge.id, edge)
  }
  for (const [id, row] of state.edges)
    if (row.derived && row.stated !== true && !wanted.has(id) && !(row.similar === true && standsBetweenVectors(state, row.edge)))
      state.edges.delete(id)
  for (const [id, edge] of wanted) if (state.edges.get(id)?.edge.scope !== edge.scope) state.edges.set(id, { edge, derived: true })
}

const endIn = (state: State, owner: string, id: string): [string, KnownEnd][] => {
  const fact = state.facts.get(id)?.fact
  if (fact?.owner === owner) return [[id, { kind: 'fact', type: factTypeOf(fact) }]]
  return state.sources.get(id)?.source.owner === owner ? [[id, { kind: 'source', type: 'source' }]] : []
}

const standsBetweenVectors = (state: State, edge: Edge): boolean =>
  state.facts.get(edge.from)?.vector !== undefined && (state.facts.get(edge.to)?.vector !== undefined || state.entities.has(edge.to))

const mentionEdge = (fact: Fact, to: string, now: Instant): Edge =>
  derivedEdge({ owner: fact.owner, from: fact.id, type: MENTIONS_ENTITY, to, toKind: 'entity', weight: 1 }, now)

const firstOf = (text: string, characters: number): string => [...text].slice(0, characters).join('')

export function createRamLinks(current: () => State): LinkIndex {
  const byRid = (rid: number): StoredFact | undefined => [...current().facts.values()].find((row) => row.rid === rid)
  const ofOwner = (owner: string): readonly StoredFact[] =>
    [...current().facts.values()].filter((row) => row.fact.owner === owner).sort((a, b) => a.rid - b.rid)
  return {
    sketches: async (rids) =>
      rids.flatMap((rid) => {
        const row = byRid(rid)
        if (row === undefined) return []
        const { id, owner, author, session, recordedAt, validFrom, validUntil, expiresAt, status, text } = row.fact
        return [
          {
            rid,
            id,
            owner,
            subject: subjectName(row.fact),
            author,
            session,
            recordedAt,
            validFrom,
            validUntil,
            expiresAt,
            status,
            isCode: looksLikeCode(text),
          },
        ]
      }),
    surroundings: async (rids, characters) =>
      new Map(
        rids.flatMap((rid): [number, TurnContext][] => {
          const row = byRid(rid)
          if (row === undefined) return []
          const { title, author, text, owner, session } = row.fact
          const turns = session === null ? [] : ofOwner(owner).filter((fact) => fact.fact.session === session)
          const before = turns.filter((turn) => turn.rid < rid).at(-1)?.fact
          const after = turns.find((turn) => turn.rid > rid)?.fact
          return [
            [
              rid,
              {
                title,
                author,
                text: firstOf(text, characters),
                before: before === undefined ? null : { author: before.author, text: [...before.text].slice(-characters).join('') },
                after: after === undefined ? null : { author: after.author, text: firstOf(after.text, characters) },
              },
            ],
          ]
        }),
      ),
    mentions: async (rids) =>
      new Map(
        rids.flatMap((rid): [number, readonly string[]][] => {
          const row = byRid(rid)
          const names = row === undefined ? [] : mentionsOf(row.fact, knownTo(current(), row.fact.owner))
          return names.length === 0 ? [] : [[rid, names]]
        }),
      ),
    postings: async (owner, names, limit) => {
      const known = knownTo(current(), owner)
      const facts = ofOwner(owner).map((row) => ({ rid: row.rid, subject: subjectName(row.fact), mentions: mentionsOf(row.fact, known) }))
      return names.map((name) => ({
        name,
        subjects: facts
          .filter((fact) => fact.subject === name)
          .map((fact) => fact.rid)
          .slice(0, limit + 1),
        mentions: facts
          .filter((fact) => fact.mentions.includes(name))
          .map((fact) => fact.rid)
          .slice(0, limit + 1),
      }))
    },
    namesIn: async (owner, words) => among(words, knownTo(current(), owner)),
    authorsIn: async (owner, words) => {
      const authors = new Set<string>()
      for (const { fact } of current().facts.values()) {
        if (fact.author === null || (owner !== undefined && fact.owner !== owner)) continue
        if (words.includes(normalName(fact.author).split(' ')[0] ?? '')) authors.add(fact.author)
      }
      return [...authors]
    },
  }
}
