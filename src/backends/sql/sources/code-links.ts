import { type DefinedName, type NameUse, type PassedName, readHint, resolveUse } from '../../../core/code/chunks/links.js'
import type { CodeLink } from '../../../ports/code-index.js'
import { inSlices, number, type Plan, type Row, run, text, textOrNull } from '../plan/plan.js'

type InSource<T> = T & { readonly sourceId: string }

/** Uses of a more frequent name are not followed. */
const MAX_USES = 2000
/** Maximum number of re-exports under other names. */
const MAX_RENAMES = 3

const KINDS: readonly NameUse['kind'][] = ['calls', 'imports', 'inherits']

const placeOf = (row: Row) => ({
  rid: number(row, 'rid'),
  name: text(row, 'name'),
  path: text(row, 'path'),
  language: textOrNull(row, 'language'),
  sourceId: text(row, 'source_id'),
})

const toDefinition = (row: Row): InSource<DefinedName> => ({ ...placeOf(row), scope: text(row, 'module') })

const toUses = (row: Row): readonly InSource<NameUse>[] => {
  const kind = KINDS.find((value) => value === row.kind)
  return kind === undefined ? [] : [{ ...placeOf(row), kind, ...readHint(text(row, 'module')) }]
}

function toPassed(row: Row): InSource<PassedName> {
  const { module, within } = readHint(text(row, 'module'))
  return { ...placeOf(row), module, original: within }
}

const REFERENCE_COLUMNS = `r.rid AS rid, r.kind AS kind, r.name AS name, r.module AS module, p.path AS path, p.language AS language, p.source_id AS source_id FROM passage_refs r JOIN passages p ON p.rid = r.rid AND +p.owner = r.owner WHERE +r.owner = ?`

/** Runs a plan per owner of the passages: names are looked up within one owner. */
function* byOwner(
  rids: readonly number[],
  links: (owner: string, own: readonly number[]) => Plan<readonly CodeLink[]>,
): Plan<readonly CodeLink[]> {
  const owners = new Map<string, number[]>()
  for (const row of yield* inSlices(rids, (marks) => `SELECT rid, owner FROM passages WHERE rid IN (${marks})`)) {
    const own = owners.get(text(row, 'owner'))
    if (own === undefined) owners.set(text(row, 'owner'), [number(row, 'rid')])
    else own.push(number(row, 'rid'))
  }
  const found: CodeLink[] = []
  for (const [owner, own] of owners) found.push(...(yield* links(owner, own)))
  return found
}

/** Definitions that the names used by these passages may refer to. */
export const outgoingLinks = (rids: readonly number[]): Plan<readonly CodeLink[]> => byOwner(rids, outgoingOf)

/** Uses in the project of what these passages define. */
export const incomingLinks = (rids: readonly number[]): Plan<readonly CodeLink[]> => byOwner(rids, incomingOf)

function* outgoingOf(owner: string, rids: readonly number[]): Plan<readonly CodeLink[]> {
  const rows = yield* inSlices(rids, (marks) => `SELECT ${REFERENCE_COLUMNS} AND r.rid IN (${marks}) AND r.kind <> 'defines'`, owner)
  return yield* resolved(owner, rows.flatMap(toUses))
}

function* incomingOf(owner: string, rids: readonly number[]): Plan<readonly CodeLink[]> {
  const wanted = new Set(rids)
  const rows = yield* inSlices(rids, (marks) => `SELECT ${REFERENCE_COLUMNS} AND r.rid IN (${marks}) AND r.kind = 'defines'`, owner)
  const own = rows.map(toDefinition)
  const names = new Set(own.map((placed) => placed.name))
  const files = new Map(own.map((placed) => [`${placed.sourceId}\0${placed.path}`, placed]))
  const uses: InSource<NameUse>[] = []
  let requested: readonly string[] = [...names]
  for (let round = 0; requested.length > 0 && round <= MAX_RENAMES; round++) {
    const found: InSource<NameUse>[] = []
    for (const name of requested) {
      const using = yield* run(
        `SELECT ${REFERENCE_COLUMNS} AND r.name = ? AND r.kind IN ('calls', 'imports', 'inherits') LIMIT ?`,
        owner,
        name,
        MAX_USES,
      )
      for (const use of using.flatMap(toUses)) found.push(use)
    }
    uses.push(...found)
    for (const use of found) if (use.kind === 'imports') files.set(`${use.sourceId}\0${use.path}`, { ...use, scope: '' })
    // Names under which its file, or one that imports it, re-exports it.
    const offered: string[] = []
    for (const { sourceId, path } of files.values()) {
      for (const row of yield* offers(owner, sourceId, path)) {
        const { name, original } = toPassed(row)
        if (names.has(original) && !names.has(name)) offered.push(name)
      }
    }
    files.clear()
    for (const name of offered) names.add(name)
    requested = [...new Set(offered)]
  }
  return (yield* resolved(owner, uses)).filter((link) => wanted.has(link.to))
}

const offers = (owner: string, sourceId: string, path: string): Plan<readonly Row[]> =>
  run(`SELECT ${REFERENCE_COLUMNS} AND p.source_id = ? AND p.path = ? AND r.kind = 'references'`, owner, sourceId, path)

function* resolved(owner: string, uses: readonly InSource<NameUse>[]): Plan<readonly CodeLink[]> {
  const passed = yield* passedNames(owner, uses)
  const used = new Set([...uses.map((use) => use.name), ...[...passed.values()].flat().map((placed) => placed.original)])
  used.delete('*')
  const rows = yield* inSlices([...used], (marks) => `SELECT ${REFERENCE_COLUMNS} AND r.name IN (${marks}) AND r.kind = 'defines'`, owner)
  const definitions = grouped(rows.map(toDefinition), (placed) => keyOf(placed.sourceId, placed.name))
  const mentions = yield* mentionsOf(
    owner,
    uses.filter((use) => use.within !== '' && definitions.has(keyOf(use.sourceId, use.name))),
  )
  const links = new Map<string, CodeLink>()
  for (const use of uses) {
    const { sourceId } = use
    const meant = resolveUse(use, {
      definitions: (name) => definitions.get(keyOf(sourceId, name)) ?? [],
      passed: (name) => [...(passed.get(keyOf(sourceId, name)) ?? []), ...(passed.get(keyOf(sourceId, '*')) ?? [])],
      mentions: (path) => mentions.get(keyOf(sourceId, path)) ?? NO_LINKS,
    })
    for (const { rid, weight } of meant) {
      const key = `${use.rid} ${use.kind} ${rid} ${use.name}`
      if (weight > (links.get(key)?.weight ?? 0)) links.set(key, { from: use.rid, to: rid, kind: use.kind, name: use.name, weight })
    }
  }
  return [...links.values()]
}

const NO_LINKS: ReadonlySet<string> = new Set()

const keyOf = (sourceId: string, name: string): string => `${sourceId}\0${name}`

function grouped<T>(items: readonly T[], key: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>()
  for (const item of items) {
    const known = groups.get(key(item))
    if (known === undefined) groups.set(key(item), [item])
    else known.push(item)
  }
  return groups
}

/** Re-exports of the used names, under any name. */
function* passedNames(owner: string, uses: readonly InSource<NameUse>[]): Plan<ReadonlyMap<string, readonly InSource<PassedName>[]>> {
  const found: InSource<PassedName>[] = []
  const seen = new Set<string>()
  let requested = [...new Set(uses.filter((use) => use.module !== '' && use.within === '').map((use) => use.name))]
  if (requested.length > 0) requested.push('*')
  for (let round = 0; requested.length > 0 && round < MAX_RENAMES; round++) {
    for (const name of requested) seen.add(name)
    const rows = yield* inSlices(
      requested,
      (marks) => `SELECT ${REFERENCE_COLUMNS} AND r.name IN (${marks}) AND r.kind = 'references'`,
      owner,
    )
    const passed = rows.map(toPassed)
    found.push(...passed)
    requested = [...new Set(passed.map((placed) => placed.original))].filter((name) => !seen.has(name))
  }
  return grouped(found, (placed) => keyOf(placed.sourceId, placed.name))
}

/** Names that each file of these uses mentions. */
function* mentionsOf(owner: string, uses: readonly InSource<NameUse>[]): Plan<ReadonlyMap<string, ReadonlySet<string>>> {
  const mentions = new Map<string, ReadonlySet<string>>()
  for (const { sourceId, path } of uses) {
    if (mentions.has(keyOf(sourceId, path))) continue
    const rows = yield* run(
      `SELECT DISTINCT r.name AS name FROM passages p JOIN passage_refs r ON r.rid = p.rid AND +r.owner = p.owner
       WHERE +p.owner = ? AND p.source_id = ? AND p.path = ? AND r.kind <> 'defines'`,
      owner,
      sourceId,
      path,
    )
    mentions.set(keyOf(sourceId, path), new Set(rows.map((row) => text(row, 'name'))))
  }
  return mentions
}
