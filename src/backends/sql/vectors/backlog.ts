import { embedPieces, embedText } from '../../../core/embedding/fact-text.js'
import { MemoryError } from '../../../errors.js'
import type { Embeddable, EmbeddedText, EmbeddingBacklog, PendingText } from '../../../ports/backlog.js'
import { createModelMove, openVectors } from '../owners/model-switch.js'
import { storedModel } from '../owners/stored-model.js'
import type { Dialect } from '../plan/dialect.js'
import { ask, type Connection, first, inSlices, number, numberOrNull, type Plan, type Row, run, runInLockstep, text } from '../plan/plan.js'
import { FACT_COLUMNS, toFact } from '../plan/rows.js'
import { madePieces, pieceKey, putPieces } from './pieces.js'
import { putPassageVectors, putVectors } from './vectors.js'

const WAITING_TABLES = {
  facts: 'facts WHERE embedded = 0',
  pieces: 'facts WHERE embedded = 2',
  passages: 'passages WHERE embedded = 0',
} as const satisfies Record<Embeddable, string>

/** Reads facts one by one, because each may have the maximum length. */
function* nextPieces(limit: number): Plan<readonly PendingText[]> {
  const pending: PendingText[] = []
  for (let after = { rid: 0, owner: '' }; pending.length < limit; ) {
    const row = yield* first(
      `SELECT rid, pieces, ${FACT_COLUMNS} FROM facts WHERE embedded = 2 AND (rid, owner) > (?, ?) ORDER BY rid, owner LIMIT 1`,
      after.rid,
      after.owner,
    )
    if (row === undefined) break
    const { owner, rid, id, version } = toPending(row)
    const made = yield* madePieces(owner, [rid])
    for (const { text, ...piece } of embedPieces(toFact(row)))
      if (!made.has(pieceKey(rid, piece.index))) pending.push({ owner, rid, id, version, text: text, piece })
    after = { rid, owner }
  }
  return pending.slice(0, limit)
}

const toPending = (row: Row): PendingText => {
  const fact = toFact(row)
  const isLong = numberOrNull(row, 'pieces') ?? 0
  return {
    owner: fact.owner,
    rid: number(row, 'rid'),
    id: fact.id,
    version: fact.version,
    text: embedText(fact),
    ...(isLong > 0 ? { long: true } : {}),
  }
}

/** Texts by row number, oldest first. */
function* textsAt(kind: 'facts' | 'passages', rows: readonly Row[]): Plan<readonly PendingText[]> {
  const owners = new Map<string, number[]>()
  for (const row of rows) owners.set(text(row, 'owner'), [...(owners.get(text(row, 'owner')) ?? []), number(row, 'rid')])
  const columns = kind === 'facts' ? `rid, pieces, ${FACT_COLUMNS}` : PASSAGE_TEXT
  const found = yield* runInLockstep(
    [...owners].map(([owner, rids]) =>
      inSlices(rids, (marks) => `SELECT ${columns} FROM ${kind} WHERE +owner = ? AND +embedded = 0 AND rid IN (${marks})`, owner),
    ),
  )
  return found
    .flat()
    .map(kind === 'facts' ? toPending : toPendingPassage)
    .sort((a, b) => a.rid - b.rid)
}

const PASSAGE_TEXT = 'rid, id, owner, embed_text'

const toPendingPassage = (row: Row): PendingText => ({
  owner: text(row, 'owner'),
  rid: number(row, 'rid'),
  id: text(row, 'id'),
  version: 1,
  text: text(row, 'embed_text'),
})

export function createBacklog(connection: Connection, dialect: Dialect): EmbeddingBacklog {
  const { claimTexts } = dialect
  const backlog = createUnclaimed(connection, dialect)
  if (claimTexts === undefined) return backlog
  return {
    ...backlog,
    claims: {
      // Pieces are claimed without a row: long facts are few, and writing a piece twice has no effect.
      take: (kind, limit) =>
        kind === 'pieces'
          ? backlog.next(kind, limit)
          : connection.write(
              function* () {
                return yield* textsAt(kind, yield* ask(claimTexts(kind, limit)))
              },
              { durable: false },
            ),
      async giveUp(kind, texts) {
        if (kind === 'pieces') return
        for (const owner of new Set(texts.map((text) => text.owner))) {
          const own = texts.filter((text) => text.owner === owner)
          await connection.write(() => releaseClaims(owner, kind, own), { durable: false, owners: [owner] })
        }
      },
    },
  }
}

function createUnclaimed(connection: Connection, dialect: Dialect): EmbeddingBacklog {
  const move = createModelMove(connection, dialect)
  return {
    pending: (kind, atMost) =>
      connection.read(function* () {
        // The order lets SQLite use the index of waiting rows, which is mostly empty.
        const row =
          atMost === undefined
            ? yield* first(`SELECT count(*) AS n FROM ${WAITING_TABLES[kind]}`)
            : yield* first(`SELECT count(*) AS n FROM (SELECT rid FROM ${WAITING_TABLES[kind]} ORDER BY rid LIMIT ?) AS waiting`, atMost)
        return row === undefined ? 0 : number(row, 'n')
      }),
    next: (kind, limit, only) =>
      connection.read(function* (): Plan<readonly PendingText[]> {
        if (kind === 'passages') {
          return (yield* run(`SELECT ${PASSAGE_TEXT} FROM passages WHERE embedded = 0 ORDER BY rid LIMIT ?`, limit)).map(toPendingPassage)
        }
        if (kind === 'pieces') return yield* nextPieces(limit)
        const columns = `rid, pieces, ${FACT_COLUMNS}`
        const rows =
          only === undefined
            ? yield* run(`SELECT ${columns} FROM facts WHERE embedded = 0 ORDER BY rid LIMIT ?`, limit)
            : yield* inSlices([...new Set(only)], (marks) => `SELECT ${columns} FROM facts WHERE id IN (${marks}) AND embedded = 0`)
        return rows
          .map(toPending)
          .sort((a, b) => a.rid - b.rid)
          .slice(0, limit)
      }),
    async fill(kind, vectors, model) {
      const owners = [...new Set(vectors.map(({ owner }) => owner))]
      const fillOne = (owner: string): Promise<number> =>
        connection.write(
          function* () {
            const { model: stored, stamp } = yield* openVectors(dialect, owner)
            if (stored !== undefined && model !== undefined && stored.id !== model.id) throw movedOn(stored.id, model.id)
            const own = vectors.filter((vector) => vector.owner === owner)
            if (dialect.claimTexts !== undefined && kind !== 'pieces') yield* releaseClaims(owner, kind, own)
            if (kind === 'pieces') return yield* putPieces(dialect, owner, own, stamp)
            return yield* kind === 'facts' ? putVectors(dialect, owner, own, stamp) : putPassageVectors(dialect, owner, own, stamp)
          },
          { durable: false, owners: [owner] },
        )
      return (await Promise.all(owners.map(fillOne))).reduce((sum, taken) => sum + taken, 0)
    },
    model: () =>
      connection.read(function* () {
        const stored = yield* storedModel()
        return stored === undefined ? undefined : { id: stored.id, dimensions: stored.dimensions }
      }),
    adopt: (model) => move.begin(model, false),
    discard: (model) => move.begin(model, true),
    resumeModelSwitch: move.finish,
  }
}

/** Releases claims on texts that were filled in or changed. */
function* releaseClaims(owner: string, kind: 'facts' | 'passages', texts: readonly Pick<EmbeddedText, 'rid'>[]): Plan<void> {
  const rids = texts.flatMap(({ rid }) => (rid > 0 ? [rid] : []))
  yield* inSlices(rids, (marks) => `DELETE FROM claims WHERE owner = ? AND kind = ? AND rid IN (${marks})`, owner, kind)
}

const movedOn = (stored: string, made: string): MemoryError =>
  new MemoryError('conflict', `The store now uses embedding model ${stored}; this process is configured for ${made}.`, {
    hint: "Restart it with the store's model.",
  })
