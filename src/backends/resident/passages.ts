import { setImmediate } from 'node:timers/promises'
import { pathGlob } from '../../core/path-glob.js'
import { unpackRough } from '../../core/rough-bytes.js'
import type { CodeAnswer, CodeCandidate, CodePool, CodeQuestion, RoughEmbedder } from '../../ports/code-index.js'
import { codeDefinitions } from '../sql/code-reads.js'
import { bytes, inSlices, number, type Plan, type Row, run, text, textOrNull } from '../sql/plan.js'
import { storedModel } from '../sql/stored-model.js'
import { passageCodes, passageCodesSince } from '../sql/vectors.js'
import { dot } from '../vector/codes.js'
import { createInt8Index, type Int8Index } from '../vector/int8-index.js'
import { oneAtATime } from './one-at-a-time.js'
import { type Entry, type Filter, fileOf, type Project } from './passage-entries.js'
import { pathFilter } from './path-filter.js'
import { ProjectWords } from './project-words.js'
import type { FollowedConnection } from './units.js'
import { searchWords } from './word-search.js'

export interface ResidentPassages {
  search(question: CodeQuestion): Promise<CodeAnswer>
  catchUp(): Promise<void>
  memoryBytes(): number
}

const PAGE = 1000
/** The 8-bit scan may misplace neighbours in rank; that many times the wanted hits are scored exactly. */
const RESCORE = 3
const ALWAYS = { validFrom: 0, validUntil: Number.POSITIVE_INFINITY, expiresAt: Number.POSITIVE_INFINITY, marks: 0 }
/** A text takes about 20 µs to embed roughly: the event loop is not held longer than a few milliseconds. */
const SLICE = 200
const HOLES = 50_000

const COLUMNS = 'rid, source_id, path, language, kind, terms, rough, CASE WHEN rough IS NULL THEN embed_text END AS embed_text'

/** Search structures of all code in memory, brought up to date from the journal before each search. */
export function createResidentPassages(connection: FollowedConnection, roughEmbedder: RoughEmbedder): ResidentPassages {
  let roughVectors = createInt8Index(roughEmbedder.dimensions)
  let int8: Int8Index | undefined
  let epoch = 0
  let entries = new Map<number, Entry>()
  let projects = new Map<string, Project>()
  let mark = Number.NaN
  let lastSeq = 0
  let stamp = 0
  let stampRid = 0
  let loaded = false
  let taken = 0

  const clear = (): void => {
    roughVectors = createInt8Index(roughEmbedder.dimensions)
    int8 = undefined
    entries = new Map()
    projects = new Map()
    stamp = 0
    stampRid = 0
    loaded = false
    taken = 0
  }

  const projectOf = (id: string): Project => {
    let project = projects.get(id)
    if (project === undefined) {
      project = { number: projects.size, kind: '', owner: '', revision: 0, files: new Map(), words: new ProjectWords() }
      projects.set(id, project)
    }
    return project
  }

  const take = (row: Row): void => {
    const rid = number(row, 'rid')
    if (entries.has(rid)) return
    taken++
    const project = projectOf(text(row, 'source_id'))
    const path = text(row, 'path')
    const file = project.files.get(path)
    if (file === undefined) project.files.set(path, new Set([rid]))
    else file.add(rid)
    entries.set(rid, { project, source: project.number, path, language: textOrNull(row, 'language'), kind: text(row, 'kind') })
    project.words.put(rid, bytes(row, 'terms'))
    const pending = textOrNull(row, 'embed_text')
    if (row.rough !== null) roughVectors.put(rid, unpackRough(bytes(row, 'rough')), { ...ALWAYS, owner: project.number })
    else if (pending !== null) roughVectors.put(rid, roughEmbedder.passage(pending), { ...ALWAYS, owner: project.number })
  }

  const drop = (rid: number): void => {
    entries.get(rid)?.project.words.drop(rid)
    entries.delete(rid)
    roughVectors.remove(rid)
    int8?.remove(rid)
  }

  const takeAll = async (rows: readonly Row[]): Promise<void> => {
    for (let at = 0; at < rows.length; at += SLICE) {
      for (const row of rows.slice(at, at + SLICE)) take(row)
      await setImmediate()
    }
  }

  const load = async (): Promise<void> => {
    lastSeq = await headOf(connection)
    // Versions are read before the rows: what changes meanwhile has a higher one and is read again.
    const sources = await connection.read(() => run(`SELECT id, kind, owner, version FROM sources`))
    for (const source of sources)
      Object.assign(projectOf(text(source, 'id')), {
        kind: text(source, 'kind'),
        owner: text(source, 'owner'),
        revision: number(source, 'version'),
      })
    for (let after = 0; ; ) {
      const rows = await connection.read(() => run(`SELECT ${COLUMNS} FROM passages WHERE rid > ? ORDER BY rid LIMIT ?`, after, PAGE))
      const last = rows[rows.length - 1]
      if (last === undefined) break
      await takeAll(rows)
      after = number(last, 'rid')
    }
    loaded = true
  }

  const followSource = async (id: string): Promise<void> => {
    const [source] = await connection.read(() => run(`SELECT kind, owner, version FROM sources WHERE id = ?`, id))
    const project = projectOf(id)
    if (source === undefined) {
      for (const rids of project.files.values()) for (const rid of rids) drop(rid)
      project.files.clear()
      project.revision = 0
      return
    }
    const changed = await connection.read(() =>
      run(`SELECT path FROM source_files WHERE source_id = ? AND revision > ?`, id, project.revision),
    )
    const paths = changed.map((row) => text(row, 'path'))
    for (let at = 0; at < paths.length; at += 64) await followFiles(id, project, paths.slice(at, at + 64))
    project.kind = text(source, 'kind')
    project.owner = text(source, 'owner')
    project.revision = number(source, 'version')
  }

  const followFiles = async (id: string, project: Project, paths: readonly string[]): Promise<void> => {
    const rows = await connection.read(() =>
      inSlices(paths, (marks) => `SELECT ${COLUMNS} FROM passages WHERE source_id = ? AND path IN (${marks})`, id),
    )
    const there = new Set(rows.map((row) => number(row, 'rid')))
    for (const path of paths) {
      const known = project.files.get(path)
      if (known === undefined) continue
      for (const rid of known) {
        if (there.has(rid)) continue
        known.delete(rid)
        drop(rid)
      }
      if (known.size === 0) project.files.delete(path)
    }
    await takeAll(rows)
  }

  const followJournal = async (): Promise<void> => {
    const head = await headOf(connection)
    const rows = await connection.read(() =>
      run(`SELECT DISTINCT op, target FROM journal WHERE seq > ? AND seq <= ? AND target_kind IN ('source', 'store')`, lastSeq, head),
    )
    if (rows.some((row) => row.op === 'reset')) {
      clear()
      return load()
    }
    for (const id of new Set(rows.map((row) => text(row, 'target')))) await followSource(id)
    lastSeq = head
  }

  /** False when there is no more. */
  const followVectors = async (): Promise<boolean> => {
    const model = await connection.read(storedModel)
    if (model === undefined) return false
    if (int8 === undefined || epoch !== model.epoch) {
      int8 = createInt8Index(model.dimensions)
      epoch = model.epoch
      stamp = 0
      stampRid = 0
    }
    const page = await connection.read(() => passageCodesSince(stamp, stampRid, PAGE))
    // A passage and its vector may both have been written since the journal was followed.
    const unknown = page.flatMap(({ rid }) => (entries.has(rid) ? [] : [rid]))
    await takeAll(await connection.read(() => inSlices(unknown, (marks) => `SELECT ${COLUMNS} FROM passages WHERE rid IN (${marks})`)))
    for (const row of page) {
      const entry = entries.get(row.rid)
      if (entry !== undefined && row.high.length === int8.dimensions)
        int8.putCodes(row.rid, row.high, row.scale * 256, { ...ALWAYS, owner: entry.source })
      stamp = row.stamp
      stampRid = row.rid
    }
    return page.length === PAGE
  }

  const update = async (): Promise<void> => {
    const seen = connection.changeMark()
    if (seen === mark) return
    // Replaced passages leave holes; after a long day of edits a fresh start is smaller.
    if (loaded && taken > 2 * entries.size + HOLES) clear()
    if (!loaded) await load()
    await followJournal()
    for (const project of projects.values()) for (const _ of project.words.words.tidy()) await setImmediate()
    while (await followVectors()) await setImmediate()
    mark = seen
  }

  const catchUp = oneAtATime(update)

  const wordBytes = (): number => [...projects.values()].reduce((sum, { words }) => sum + words.words.memoryBytes, 0)

  const coversAll = (sources: ReadonlySet<number>): boolean =>
    [...projects.values()].every((project) => project.files.size === 0 || sources.has(project.number))

  function* pathsOf(sources: readonly string[] | undefined): Generator<string> {
    for (const id of sources ?? projects.keys()) yield* projects.get(id)?.files.keys() ?? []
  }

  /** Ids of the sources in a pool; undefined is all. */
  const chosenBy = ({ sources, owner, sourceKinds }: CodePool): readonly string[] | undefined => {
    if (sourceKinds === undefined && owner === undefined) return sources
    return (sources ?? [...projects.keys()]).filter((id) => {
      const project = projects.get(id)
      return (sourceKinds?.includes(project?.kind ?? '') ?? true) && (owner === undefined || project?.owner === owner)
    })
  }

  const filterOf = async (pool: CodePool): Promise<Filter> => {
    const chosen = chosenBy(pool)
    const takesPath = pool.path === undefined ? undefined : await pathFilter(pathsOf(chosen), pathGlob(pool.path))
    const sources = chosen === undefined ? undefined : new Set(chosen.map((id) => projects.get(id)?.number ?? -1))
    const [only] = sources?.size === 1 ? sources : []
    return {
      owner: only,
      projects: [...projects.values()].filter(({ number: one }) => sources?.has(one) ?? true),
      isAll: sources === undefined || coversAll(sources),
      accept(rid) {
        const entry = entries.get(rid)
        if (entry === undefined || (sources !== undefined && !sources.has(entry.source))) return false
        if (pool.language !== undefined && entry.language !== pool.language) return false
        if (pool.kind !== undefined && entry.kind !== pool.kind) return false
        return takesPath === undefined || takesPath(entry.path)
      },
    }
  }

  const nearest = async (index: Int8Index | undefined, query: Float32Array | undefined, limit: number, pool: Filter) => {
    if (index === undefined || query === undefined || index.size === 0) return new Map<number, number>()
    const { rids, scores } = await index.search(query, limit, {
      accept: pool.accept,
      ...(pool.owner === undefined ? {} : { owner: pool.owner }),
    })
    return new Map(rids.map((rid, i) => [rid, scores[i] ?? 0]))
  }

  const exactCosines = async (query: Float32Array | undefined, rids: readonly number[]): Promise<Map<number, number>> => {
    if (query === undefined) return new Map()
    const codes = await connection.read(() => passageCodes(rids))
    return new Map([...codes].map(([rid, code]) => [rid, dot(query, code)]))
  }

  return {
    catchUp,
    memoryBytes: () => wordBytes() + roughVectors.memoryBytes + (int8?.memoryBytes ?? 0) + entries.size * 150,
    async search(question) {
      await catchUp()
      const pool = await filterOf(question.pool)
      const words = searchWords(
        pool.projects.map((project) => project.words.unitOf(pool.accept)),
        question.terms,
        question.limit,
        question.fields,
        pool.isAll,
      )
      const places = new Map(pool.projects.map((project, index) => [project, index]))
      const wordScore = (entry: Entry | undefined, rid: number): number =>
        entry === undefined ? 0 : words.scoreAt(places.get(entry.project) ?? -1, entry.project.words.slots.slotOf(rid)).score
      const defined = await connection.read(function* (): Plan<ReadonlyMap<number, readonly string[]>> {
        return question.names.length === 0 ? new Map() : yield* codeDefinitions(question.names)
      })
      const byModel = await nearest(int8, question.vector, question.limit * RESCORE, pool)
      const byRough = await nearest(roughVectors, question.rough, question.limit, pool)

      const candidatesOf = async (rids: readonly number[]): Promise<readonly CodeCandidate[]> => {
        const allowed = new Set(rids.filter(pool.accept))
        const cosines = await exactCosines(question.vector, [...allowed])
        const roughly = await nearest(roughVectors, question.rough, allowed.size, { ...pool, accept: (rid) => allowed.has(rid) })
        return [...allowed].map((rid) => ({
          rid,
          file: fileOf(entries.get(rid)),
          kind: entries.get(rid)?.kind ?? '',
          bm25: wordScore(entries.get(rid), rid),
          cosine: cosines.get(rid) ?? null,
          rough: roughly.get(rid) ?? null,
          defines: defined.get(rid) ?? [],
        }))
      }

      const wordHits = words.hits.map((hit) => hit.rid)
      const found = await candidatesOf([...new Set([...wordHits, ...byModel.keys(), ...byRough.keys(), ...defined.keys()])])
      const closest = [...found].sort((a, b) => (b.cosine ?? -2) - (a.cosine ?? -2)).slice(0, question.limit)
      const kept = new Set([...wordHits, ...byRough.keys(), ...defined.keys(), ...closest.map((one) => one.rid)])
      return { candidates: found.filter((one) => kept.has(one.rid)), also: candidatesOf }
    },
  }
}

async function headOf(connection: FollowedConnection): Promise<number> {
  const [head] = await connection.read(() => run(`SELECT coalesce(max(seq), 0) AS seq FROM journal`))
  return head === undefined ? 0 : number(head, 'seq')
}
