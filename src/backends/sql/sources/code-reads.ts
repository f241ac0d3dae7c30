import type { Source } from '../../../core/facts/source.js'
import type { CodeTally, PlacedPassage, StoredFile } from '../../../ports/code-index.js'
import { first, inSlices, number, type Plan, run, runInLockstep, text, textOrNull } from '../plan/plan.js'
import { SOURCE_COLUMNS, toSource } from '../plan/rows.js'
import { PASSAGE_COLUMNS, toPassage } from './sources.js'

export function* codeProjects(): Plan<readonly Source[]> {
  return (yield* run(`SELECT ${SOURCE_COLUMNS} FROM sources WHERE kind = 'repo' ORDER BY title`)).map(toSource)
}

export function* codeFiles(sourceId: string): Plan<ReadonlyMap<string, StoredFile>> {
  const rows = yield* run(`SELECT path, size, modified_at, hash, skipped FROM source_files WHERE source_id = ? AND gone = 0`, sourceId)
  return new Map(
    rows.map((row) => [
      text(row, 'path'),
      { size: number(row, 'size'), modifiedAt: number(row, 'modified_at'), hash: text(row, 'hash'), skipped: textOrNull(row, 'skipped') },
    ]),
  )
}

export function* codeTally(sourceId: string): Plan<CodeTally> {
  const rows = yield* run(
    `SELECT coalesce(skipped, '') AS reason, count(*) AS n FROM source_files WHERE source_id = ? AND gone = 0 GROUP BY reason`,
    sourceId,
  )
  const counts = new Map(rows.map((row) => [text(row, 'reason'), number(row, 'n')]))
  const passages = yield* first(`SELECT count(*) AS n FROM passages WHERE source_id = ?`, sourceId)
  // A partial index contains the waiting rows, which are mostly few.
  const waiting = yield* first(`SELECT count(*) AS n FROM passages WHERE embedded = 0 AND source_id = ?`, sourceId)
  const total = passages === undefined ? 0 : number(passages, 'n')
  return {
    files: counts.get('') ?? 0,
    passages: total,
    embedded: total - (waiting === undefined ? 0 : number(waiting, 'n')),
    skipped: Object.fromEntries([...counts].filter(([reason]) => reason !== '')),
  }
}

export function* codePassages(rids: readonly number[]): Plan<readonly PlacedPassage[]> {
  const rows = yield* inSlices(rids, (marks) => `SELECT rid, ${PASSAGE_COLUMNS} FROM passages WHERE rid IN (${marks})`)
  const found = new Map(rows.map((row) => [number(row, 'rid'), { rid: number(row, 'rid'), passage: toPassage(row) }]))
  return rids.flatMap((rid) => found.get(rid) ?? [])
}

export function* codePassage(id: string): Plan<PlacedPassage | undefined> {
  const row = yield* first(`SELECT rid, ${PASSAGE_COLUMNS} FROM passages WHERE id = ?`, id)
  return row === undefined ? undefined : { rid: number(row, 'rid'), passage: toPassage(row) }
}

/** Names among these that each passage of these owners defines. */
export function* codeDefinitions(owners: readonly string[], names: readonly string[]): Plan<ReadonlyMap<number, readonly string[]>> {
  const requested = owners.map((owner) =>
    inSlices(
      names,
      (marks) => `SELECT DISTINCT rid, name FROM passage_refs WHERE +owner = ? AND kind = 'defines' AND name IN (${marks})`,
      owner,
    ),
  )
  const rows = (yield* runInLockstep(requested)).flat()
  const found = new Map<number, string[]>()
  for (const row of rows) {
    const rid = number(row, 'rid')
    const known = found.get(rid)
    if (known === undefined) found.set(rid, [text(row, 'name')])
    else known.push(text(row, 'name'))
  }
  return found
}
