import { type NameUse, readHint, resolveUse } from '../../src/core/code/chunks/links.js'
import { pathGlob } from '../../src/core/files/path-glob.js'
import type { LexicalFields } from '../../src/core/recall/lexical/fields.js'
import { terms } from '../../src/core/text/text.js'
import type { CodeCandidate, CodeIndex, CodeLink, CodeQuery } from '../../src/ports/code-index.js'
import type { State, StoredPassage } from './state.js'

const SATURATION = 1.2
const LENGTH_SHARE = 0.75

/** Computes every result from scratch. Without rough vectors: keywords and the model's vectors only. */
export const createRamCode = (current: () => State): CodeIndex => ({
  projects: async () =>
    [...current().sources.values()]
      .map((row) => row.source)
      .filter((source) => source.kind === 'repo')
      .sort((a, b) => (a.title < b.title ? -1 : 1)),
  files: async (sourceId) =>
    new Map(
      [...(current().sources.get(sourceId)?.files ?? [])].map(([path, { size, modifiedAt, hash, skipped }]) => [
        path,
        { size, modifiedAt, hash, skipped: skipped ?? null },
      ]),
    ),
  async tally(sourceId) {
    const files = [...(current().sources.get(sourceId)?.files.values() ?? [])]
    const passages = [...current().passages.values()].filter(({ passage }) => passage.sourceId === sourceId)
    const skipped: Record<string, number> = {}
    for (const file of files) if (file.skipped !== undefined) skipped[file.skipped] = (skipped[file.skipped] ?? 0) + 1
    return {
      files: files.filter((file) => file.skipped === undefined).length,
      passages: passages.length,
      embedded: passages.filter((passage) => passage.vector !== undefined).length,
      skipped,
    }
  },
  passages: async (rids) => rids.flatMap((rid) => [...current().passages.values()].filter((passage) => passage.rid === rid)),
  find: async (id) => current().passages.get(id),
  vectors: async (sourceId, path) =>
    new Map(
      [...current().passages.values()].flatMap(({ passage, vector }) =>
        passage.sourceId === sourceId && passage.path === path && vector !== undefined ? [[passage.id, vector] as const] : [],
      ),
    ),
  async search(question) {
    const pool = [...current().passages.values()].filter((passage) => allows(current(), question, passage))
    const candidates = score(question, pool, current())
    const top = (conditionOf: (candidate: CodeCandidate) => number) =>
      [...candidates]
        .filter((candidate) => conditionOf(candidate) > 0)
        .sort((a, b) => conditionOf(b) - conditionOf(a))
        .slice(0, question.limit)
    const kept = new Set([
      ...top((candidate) => candidate.bm25),
      ...top((candidate) => candidate.cosine ?? 0),
      ...candidates.filter((candidate) => candidate.defines.length > 0),
    ])
    return {
      candidates: [...kept],
      documents: pool.length,
      wholeRarity: sumOfRarities(question, pool),
      also: async (rids) => candidates.filter((candidate) => rids.includes(candidate.rid)),
      close: () => undefined,
    }
  },
  hasSources: async (owner) => [...current().sources.values()].some(({ source }) => owner === undefined || source.owner === owner),
  async links(rids, direction) {
    const wanted = new Set(rids)
    return allLinks(current()).filter((link) => wanted.has(direction === 'outgoing' ? link.from : link.to))
  },
  warm: async () => {},
})

function allows(state: State, { pool }: CodeQuery, { passage }: StoredPassage): boolean {
  const kind = state.sources.get(passage.sourceId)?.source.kind ?? ''
  if (pool.active === true && state.sources.get(passage.sourceId)?.source.status !== 'active') return false
  if (pool.sourceKinds !== undefined && !pool.sourceKinds.includes(kind)) return false
  if (pool.owner !== undefined && passage.owner !== pool.owner) return false
  if (pool.sources !== undefined && !pool.sources.includes(passage.sourceId)) return false
  if (pool.language !== undefined && passage.language !== pool.language) return false
  if (pool.kind !== undefined && passage.kind !== pool.kind) return false
  return pool.path === undefined || pathGlob(pool.path)(passage.path)
}

function sumOfRarities({ terms: requested, fields }: CodeQuery, pool: readonly StoredPassage[]): number {
  const docs = pool.map((row) => weigh(row, fields))
  return requested.reduce((sum, term) => {
    const holding = docs.filter((doc) => doc.counts.has(term)).length
    return sum + Math.max(1e-6, Math.log((docs.length - holding + 0.5) / (holding + 0.5)))
  }, 0)
}

function score(question: CodeQuery, pool: readonly StoredPassage[], state: State): readonly CodeCandidate[] {
  const docs = pool.map((row) => ({ row, ...weigh(row, question.fields) }))
  const average = Math.max(1, docs.reduce((sum, entry) => sum + entry.length, 0) / Math.max(1, docs.length))
  return docs.map(({ row, length, counts }) => {
    let bm25 = 0
    let matched = 0
    let rarity = 0
    for (const term of question.terms) {
      const count = counts.get(term) ?? 0
      if (count === 0) continue
      const holding = docs.filter((doc) => doc.counts.has(term)).length
      const idf = Math.max(1e-6, Math.log((docs.length - holding + 0.5) / (holding + 0.5)))
      rarity += idf
      matched++
      bm25 += (idf * count * (SATURATION + 1)) / (count + SATURATION * (1 - LENGTH_SHARE + (LENGTH_SHARE * length) / average))
    }
    const { vector } = question
    const cosine =
      vector === undefined || row.vector === undefined
        ? null
        : row.vector.reduce((sum, component, i) => sum + component * (vector[i] ?? 0), 0)
    return {
      rid: row.rid,
      file: `${row.passage.sourceId}/${row.passage.path}`,
      kind: row.passage.kind,
      bm25,
      terms: matched,
      length,
      rarity,
      cosine,
      rough: null,
      defines: namesAt(row, state).filter((name) => question.names.includes(name)),
    }
  })
}

function weigh(
  { passage }: StoredPassage,
  fields: LexicalFields,
): { readonly length: number; readonly counts: ReadonlyMap<string, number> } {
  const counts = new Map<string, number>()
  let length = 0
  const add = (text: string, weight: number): void => {
    for (const term of terms(text)) {
      counts.set(term, (counts.get(term) ?? 0) + weight)
      length++
    }
  }
  add([passage.name ?? '', passage.scopePath ?? ''].join(' '), fields.title)
  add(passage.path.replace(/[/.]/g, ' '), fields.text)
  add(passage.text, fields.text)
  return { length, counts }
}

const referencesAt = ({ passage }: StoredPassage, state: State) =>
  (state.sources.get(passage.sourceId)?.files.get(passage.path)?.references ?? []).filter(
    (reference) => reference.ordinal === passage.ordinal,
  )

const namesAt = (row: StoredPassage, state: State): readonly string[] =>
  referencesAt(row, state)
    .filter((reference) => reference.kind === 'defines')
    .map((reference) => reference.name)

function allLinks(state: State): readonly CodeLink[] {
  const names = [...state.passages.values()].flatMap((row) =>
    referencesAt(row, state).map(({ kind, name, module }) => {
      const { path, language, sourceId } = row.passage
      return { rid: row.rid, kind, name, path, language, sourceId, stored: module ?? '' }
    }),
  )
  const conditionOf = (sourceId: string, kind: CodeLink['kind']) => names.filter((name) => name.sourceId === sourceId && name.kind === kind)
  return names.flatMap((entry) => {
    const { kind, sourceId } = entry
    if (kind === 'defines' || kind === 'references') return []
    const use: NameUse = { ...entry, kind, ...readHint(entry.stored) }
    const meant = resolveUse(use, {
      definitions: (name) =>
        conditionOf(sourceId, 'defines')
          .filter((each) => each.name === name)
          .map((each) => ({ ...each, scope: each.stored })),
      passed: (name) =>
        conditionOf(sourceId, 'references')
          .filter((each) => each.name === name || each.name === '*')
          .map((each) => ({ ...each, module: readHint(each.stored).module, original: readHint(each.stored).within })),
      mentions: (path) =>
        new Set(
          names.filter((each) => each.sourceId === sourceId && each.path === path && each.kind !== 'defines').map((each) => each.name),
        ),
    })
    return meant.map(({ rid, weight }) => ({ from: entry.rid, to: rid, kind, name: entry.name, weight }))
  })
}
