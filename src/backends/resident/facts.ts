import { setImmediate } from 'node:timers/promises'
import type { Sketch } from '../../core/recall/candidate.js'
import { type Moment, marksOf } from '../../core/validity.js'
import type { FoundPiece, Hit, LexicalIndex, Pool, VectorIndex } from '../../ports/recall-index.js'
import { storedModel } from '../sql/backlog.js'
import type { Dialect } from '../sql/dialect.js'
import { toSketch } from '../sql/link-index.js'
import { type PieceCodes, piecesOfRows, piecesSince } from '../sql/pieces.js'
import { bytes, type Connection, inSlices, number, numberOrNull, type Plan, type Row, run, text, textOrNull } from '../sql/plan.js'
import { statusOf } from '../sql/rows.js'
import { codesOfRows, codesSince, fromCodes, type VectorCodes } from '../sql/vectors.js'
import { createInt8Index, type Int8Index } from '../vector/int8-index.js'
import { ResidentLexical } from './lexical.js'
import { oneAtATime } from './one-at-a-time.js'
import { ResidentPieces } from './pieces.js'
import { Sketches } from './sketches.js'

/** The seam to a database that says when anything in it changed. */
export interface FollowedConnection extends Connection {
  changeMark(): number
}

export interface ResidentFacts {
  readonly lexical: LexicalIndex
  readonly vectors: VectorIndex
  sketches(rids: readonly number[]): Promise<readonly Sketch[]>
  /** Loads or catches up, so that a search started next sees every write acknowledged before. */
  catchUp(): Promise<void>
  memoryBytes(): number
}

const PAGE = 250
const FACTS_AT_ONCE = 16
/** Before every piece. */
const FIRST = { stamp: 0, rid: 0, index: 0 }
/** The 8-bit scan may misplace neighbours in rank: half as many again, and some more, are scored exactly. */
const toRescore = (limit: number): number => Math.ceil(limit * 1.5) + 32

const COLUMNS =
  'rid, id, owner, subject_name, author, recorded_at, valid_from, valid_until, expires_at, status, code, session, terms, embedded'

const rowsOf = (rids: readonly number[]): Plan<readonly Row[]> =>
  inSlices(rids, (marks) => `SELECT ${COLUMNS} FROM facts WHERE rid IN (${marks}) ORDER BY rid`)

/** Search structures of all facts in memory, brought up to date from the journal before each search. */
export function createResidentFacts(connection: FollowedConnection, dialect: Pick<Dialect, 'lexicalPhrase'>): ResidentFacts {
  let lexical = new ResidentLexical()
  let sketches = new Sketches()
  let int8: Int8Index | undefined
  let pieces: ResidentPieces | undefined
  /** Long facts that changed: their pieces are read anew. */
  const changed = new Set<number>()
  let epoch = 0
  const owners = new Map<string, number>()
  let mark = Number.NaN
  let lastSeq = 0
  let stamp = 0
  let stampRid = 0
  let piecePlace = FIRST
  let loaded = false

  const ownerNumber = (owner: string): number => {
    const known = owners.get(owner)
    if (known !== undefined) return known
    owners.set(owner, owners.size)
    return owners.size - 1
  }

  const attributesOf = (row: Row) => ({
    owner: ownerNumber(text(row, 'owner')),
    validFrom: number(row, 'valid_from'),
    validUntil: numberOrNull(row, 'valid_until') ?? Number.POSITIVE_INFINITY,
    expiresAt: numberOrNull(row, 'expires_at') ?? Number.POSITIVE_INFINITY,
    marks: marksOf({ validFrom: number(row, 'valid_from'), recordedAt: number(row, 'recorded_at'), status: statusOf(row) }),
  })

  const take = (row: Row): void => {
    const rid = number(row, 'rid')
    const attributes = attributesOf(row)
    lexical.put({ rid, ...attributes, session: textOrNull(row, 'session'), terms: bytes(row, 'terms') })
    sketches.put(toSketch(row))
    if (number(row, 'embedded') === 0) int8?.remove(rid)
    else int8?.setAttributes(rid, attributes)
    if (pieces?.has(rid) === true) {
      pieces.remove(rid)
      changed.add(rid)
    }
  }

  const drop = (rid: number): void => {
    lexical.remove(rid)
    sketches.remove(rid)
    int8?.remove(rid)
    pieces?.remove(rid)
  }

  const clear = (): void => {
    lexical = new ResidentLexical()
    sketches = new Sketches()
    int8?.clear()
    pieces?.clear()
    changed.clear()
    stamp = 0
    stampRid = 0
    piecePlace = FIRST
    loaded = false
  }

  const load = async (): Promise<void> => {
    const head = await connection.read(() => run(`SELECT coalesce(max(seq), 0) AS seq FROM journal`))
    lastSeq = head[0] === undefined ? 0 : number(head[0], 'seq')
    for (let after = 0; ; ) {
      const rows = await connection.read(() => run(`SELECT ${COLUMNS} FROM facts WHERE rid > ? ORDER BY rid LIMIT ?`, after, PAGE))
      for (const row of rows) take(row)
      const last = rows[rows.length - 1]
      if (last === undefined) break
      after = number(last, 'rid')
      await setImmediate()
    }
    loaded = true
  }

  /** One page of the journal; false when there is no more. */
  const followJournal = async (): Promise<boolean> => {
    const entries = await connection.read(() =>
      run(`SELECT seq, op, target_row FROM journal WHERE seq > ? AND target_kind IN ('fact', 'store') ORDER BY seq LIMIT ?`, lastSeq, PAGE),
    )
    if (entries.some((entry) => entry.op === 'reset')) {
      clear()
      await load()
      return true
    }
    const rids = [...new Set(entries.flatMap((entry) => numberOrNull(entry, 'target_row') ?? []))]
    if (rids.length > 0) {
      const rows = await connection.read(() => rowsOf(rids))
      const there = new Set<number>()
      for (const row of rows) {
        if (there.has(number(row, 'rid'))) continue
        there.add(number(row, 'rid'))
        take(row)
      }
      for (const rid of rids) if (!there.has(rid)) drop(rid)
    }
    const last = entries[entries.length - 1]
    if (last !== undefined) lastSeq = number(last, 'seq')
    return entries.length === PAGE
  }

  /** Vectors of two models never meet: another model starts with an empty index. */
  const followModel = async (): Promise<Int8Index | undefined> => {
    const model = await connection.read(storedModel)
    if (model === undefined) return undefined
    if (int8 === undefined || epoch !== model.epoch) {
      int8 = createInt8Index(model.dimensions)
      pieces = new ResidentPieces(model.dimensions)
      epoch = model.epoch
      stamp = 0
      stampRid = 0
      piecePlace = FIRST
    }
    return int8
  }

  const followVectors = async (): Promise<boolean> => {
    const index = await followModel()
    if (index === undefined) return false
    const page = await connection.read(() => codesSince('facts', stamp, stampRid, PAGE))
    // A fact and its vector may both have been written since the journal was followed.
    const unknown = page.flatMap(({ rid }) => (lexical.has(rid) ? [] : [rid]))
    for (const row of await connection.read(() => rowsOf(unknown))) if (!lexical.has(number(row, 'rid'))) take(row)
    for (const row of page) {
      const attributes = lexical.attributesOf(row.rid)
      if (attributes !== undefined && row.high.length === index.dimensions) index.putCodes(row.rid, row.high, row.scale * 256, attributes)
      stamp = row.stamp
      stampRid = row.rid
    }
    return page.length === PAGE
  }

  /** Pieces come after the vector of their fact, which is why their fact is known by then, or gone. */
  const followPieces = async (): Promise<boolean> => {
    const index = pieces
    if (index === undefined) return false
    const put = (piece: PieceCodes): void => {
      const attributes = lexical.attributesOf(piece.rid)
      if (attributes !== undefined) index.put(piece, attributes)
    }
    const again = [...changed].slice(0, PAGE)
    for (const piece of await connection.read(() => piecesOfRows(again))) put(piece)
    for (const rid of again) changed.delete(rid)
    const { stamp: after, rid, index: last } = piecePlace
    const page = await connection.read(() => piecesSince(after, rid, last, PAGE))
    for (const piece of page) put(piece)
    piecePlace = page[page.length - 1] ?? piecePlace
    return page.length === PAGE || changed.size > 0
  }

  const update = async (): Promise<void> => {
    const seen = connection.changeMark()
    if (seen === mark) return
    if (!loaded) await load()
    while (await followJournal()) await setImmediate()
    if (lexical.wasted) {
      clear()
      await load()
    }
    if (lexical.fragmented) for (const _ of lexical.compact()) await setImmediate()
    while (await followVectors()) await setImmediate()
    while (await followPieces()) await setImmediate()
    mark = seen
  }

  const catchUp = oneAtATime(update)

  const residentPool = (pool: Pool): Moment & { readonly owner: number | undefined; readonly accept?: (rid: number) => boolean } => ({
    at: pool.at,
    present: pool.present === true,
    owner: pool.owner === undefined ? undefined : (owners.get(pool.owner) ?? -1),
    ...(pool.accept === undefined ? {} : { accept: pool.accept }),
  })

  const wholes = async (query: Float32Array, rids: readonly number[]): Promise<Map<number, number>> => {
    const codes = await connection.read(() => codesOfRows('facts', rids))
    return new Map([...codes].map(([rid, code]) => [rid, dot(query, code)]))
  }

  /** Read a few facts at a time: each may have many pieces, and others wait for their turn. */
  const piecesOf = async (query: Float32Array, rids: readonly number[]): Promise<ReadonlyMap<number, readonly FoundPiece[]>> => {
    const long = rids.filter((rid) => pieces?.has(rid) === true)
    const found = new Map<number, FoundPiece[]>()
    for (let i = 0; i < long.length; i += FACTS_AT_ONCE) {
      if (i > 0) await setImmediate()
      for (const piece of await connection.read(() => piecesOfRows(long.slice(i, i + FACTS_AT_ONCE)))) {
        const { rid, start, end } = piece
        found.set(rid, [...(found.get(rid) ?? []), { start, end, cosine: dot(query, piece) }])
      }
    }
    return found
  }

  const similarities = async (query: Float32Array, rids: readonly number[]): Promise<Map<number, number>> => {
    const scores = await wholes(query, rids)
    for (const [rid, found] of await piecesOf(query, rids)) scores.set(rid, bestOf(scores.get(rid), found))
    return scores
  }

  return {
    catchUp,
    async sketches(rids) {
      await catchUp()
      return rids.flatMap((rid) => sketches.get(rid) ?? [])
    },
    memoryBytes: () => lexical.memoryBytes + sketches.memoryBytes + (int8?.memoryBytes ?? 0) + (pieces?.memoryBytes ?? 0),
    lexical: {
      phrase: (words, owner, limit) =>
        connection.read(function* () {
          const { text: statement, values } = dialect.lexicalPhrase(owner, words, limit)
          return (yield* run(statement, ...values)).map((row) => number(row, 'rid'))
        }),
      async search(terms, pool, limit, fields) {
        await catchUp()
        const answer = lexical.search(terms, residentPool(pool), limit, fields)
        // Promises that are settled already never let others in: one question must not be one long block.
        await setImmediate()
        return answer
      },
    },
    vectors: {
      async search(query, pool, limit, by = 'best piece') {
        await catchUp()
        if (int8 === undefined) return []
        const { owner, accept } = residentPool(pool)
        const filter = { moment: pool, ...(owner === undefined ? {} : { owner }), ...(accept === undefined ? {} : { accept }) }
        const whole = (await int8.search(query, toRescore(limit), filter)).rids
        const inPieces =
          by === 'whole' || pieces === undefined || pieces.isEmpty ? [] : await pieces.search(query, toRescore(limit), filter)
        await setImmediate()
        const exact = await (by === 'whole' ? wholes : similarities)(query, [...new Set([...whole, ...inPieces])])
        const hits: Hit[] = [...exact].map(([rid, score]) => ({ rid, score }))
        return hits.sort((a, b) => b.score - a.score || a.rid - b.rid).slice(0, limit)
      },
      async similarities(query, rids) {
        await catchUp()
        return similarities(query, rids)
      },
      async pieces(query, rids) {
        await catchUp()
        return piecesOf(query, rids)
      },
      async vectors(rids) {
        const codes = await connection.read(function* (): Plan<ReadonlyMap<number, VectorCodes>> {
          return yield* codesOfRows('facts', rids)
        })
        return new Map([...codes].map(([rid, code]) => [rid, fromCodes(code)]))
      },
    },
  }
}

/** The vector of the whole says what its beginning says, and stands in for pieces that are still to be made. */
const bestOf = (whole: number | undefined, pieces: readonly FoundPiece[]): number =>
  pieces.reduce((best, piece) => Math.max(best, piece.cosine), whole ?? -1)

export function dot(query: Float32Array, { high, low, scale }: VectorCodes): number {
  let sum = 0
  for (let i = 0; i < high.length; i++) sum += (query[i] ?? 0) * ((high[i] ?? 0) * 256 + (low[i] ?? 0))
  return sum * scale
}
