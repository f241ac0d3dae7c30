import { type NamedPlace, type NameUse, resolveUse } from '../../core/code-links.js'
import type { CodeLink } from '../../ports/code-index.js'
import { inSlices, number, type Plan, type Row, run, text } from './plan.js'

/** A use and where it stands. */
interface FoundUse extends NameUse {
  readonly sourceId: string
  readonly module: string
}

interface FoundDefinition extends NamedPlace {
  readonly sourceId: string
}

/** A name used in more places than this is not followed back to them. */
const MOST_USES = 2000

const KINDS: readonly NameUse['kind'][] = ['calls', 'imports', 'inherits', 'references']

const toDefinition = (row: Row): FoundDefinition => ({
  rid: number(row, 'rid'),
  name: text(row, 'name'),
  path: text(row, 'path'),
  sourceId: text(row, 'source_id'),
})

const toUse = (row: Row): FoundUse => ({
  ...toDefinition(row),
  kind: KINDS.find((kind) => kind === row.kind) ?? 'references',
  module: text(row, 'module'),
})

const PLACED = `r.rid AS rid, r.kind AS kind, r.name AS name, r.module AS module, p.path AS path, p.source_id AS source_id FROM passage_refs r JOIN passages p ON p.rid = r.rid`

/** Uses of names by these passages, resolved to the definitions they mean. */
export function* outgoingLinks(rids: readonly number[]): Plan<readonly CodeLink[]> {
  const uses = (yield* inSlices(rids, (marks) => `SELECT ${PLACED} WHERE r.rid IN (${marks}) AND r.kind <> 'defines'`)).map(toUse)
  const names = [...new Set(uses.map((use) => use.name))]
  const definitions = yield* inSlices(names, (marks) => `SELECT ${PLACED} WHERE r.name IN (${marks}) AND r.kind = 'defines'`)
  return yield* resolved(uses, definitions.map(toDefinition))
}

/** Uses anywhere in the project of what these passages define. */
export function* incomingLinks(rids: readonly number[]): Plan<readonly CodeLink[]> {
  const wanted = new Set(rids)
  const own = (yield* inSlices(rids, (marks) => `SELECT ${PLACED} WHERE r.rid IN (${marks}) AND r.kind = 'defines'`)).map(toDefinition)
  const names = [...new Set(own.map((one) => one.name))]
  const uses: FoundUse[] = []
  const definitions: FoundDefinition[] = []
  for (const name of names) {
    const rows = yield* run(`SELECT ${PLACED} WHERE r.name = ? LIMIT ?`, name, MOST_USES)
    for (const row of rows) {
      if (row.kind === 'defines') definitions.push(toDefinition(row))
      else uses.push(toUse(row))
    }
  }
  return (yield* resolved(uses, definitions)).filter((link) => wanted.has(link.to))
}

function* resolved(uses: readonly FoundUse[], definitions: readonly FoundDefinition[]): Plan<readonly CodeLink[]> {
  const byName = new Map<string, FoundDefinition[]>()
  for (const one of definitions) {
    const key = `${one.sourceId}\0${one.name}`
    const known = byName.get(key)
    if (known === undefined) byName.set(key, [one])
    else known.push(one)
  }
  const links = new Map<string, CodeLink>()
  const imports = new Map<string, ReadonlyMap<string, readonly string[]>>()
  for (const use of uses) {
    const meant = byName.get(`${use.sourceId}\0${use.name}`)
    if (meant === undefined) continue
    const file = `${use.sourceId}\0${use.path}`
    let imported = imports.get(file)
    if (imported === undefined) {
      imported = yield* importsOf(use.sourceId, use.path)
      imports.set(file, imported)
    }
    const modules = use.kind === 'imports' ? [use.module] : (imported.get(use.name) ?? [])
    for (const { rid, weight } of resolveUse(
      use,
      meant,
      modules.filter((module) => module !== ''),
    )) {
      links.set(`${use.rid} ${use.kind} ${rid} ${use.name}`, { from: use.rid, to: rid, kind: use.kind, name: use.name, weight })
    }
  }
  return [...links.values()]
}

/** Where a file imports each name from. */
function* importsOf(sourceId: string, path: string): Plan<ReadonlyMap<string, readonly string[]>> {
  const rows = yield* run(
    `SELECT r.name AS name, r.module AS module FROM passages p JOIN passage_refs r ON r.rid = p.rid WHERE p.source_id = ? AND p.path = ? AND r.kind = 'imports'`,
    sourceId,
    path,
  )
  const modules = new Map<string, string[]>()
  for (const row of rows) {
    const known = modules.get(text(row, 'name'))
    if (known === undefined) modules.set(text(row, 'name'), [text(row, 'module')])
    else known.push(text(row, 'module'))
  }
  return modules
}
