import { EDGE_ORIGINS } from '../../core/graph/linking.js'
import { MemoryError } from '../../errors.js'
import type { Finding } from '../../ports/backend.js'
import type { Clock } from '../../ports/clock.js'
import { lateFindings } from '../sql/future-date-findings.js'
import { UNDATED_CONTRADICTIONS } from '../sql/future-dates.js'
import { DANGLING_EDGES } from '../sql/links/dangling-edges.js'
import type { Connection } from '../sql/plan/plan.js'
import { toCondition } from '../sql/plan/validity-sql.js'
import { findLostCommits } from './commit-count.js'
import type { Database } from './driver.js'
import { differingVectors, differingWords, PASSES, tally } from './examine-contents.js'
import { fromSqlite, isDamage, RESTORE } from './failure.js'

const RESTORE_OR_EXPORT = `${RESTORE}; without one, \`mneme export\` saves what can still be read.`

const REINDEX_LINKS = 'Run `mneme reindex --links`.'

const RESTORE_OR_ACCEPT_LOSS = `${RESTORE}, if one is newer; \`mneme mend --accept-loss\` goes on with what is there.`

/** The first ids of a longer list. */
const listed = (ids: readonly string[]): string => (ids.length > 5 ? `${ids.slice(0, 5).join(', ')} and others` : ids.join(', '))

const INDEX_AGAIN = 'Delete the project with `mneme call memory delete_project` and index it again.'

const NOUNS = {
  fact: { table: 'facts', many: 'facts' },
  entity: { table: 'entities', many: 'entities' },
  edge: { table: 'entity_edges', many: 'relations' },
} as const

/** A result other than zero is a finding. */
const CHECKS: readonly { readonly query: string; readonly what: (n: number) => string; readonly remedy: string }[] = [
  {
    query: `SELECT count(*) FROM facts f WHERE NOT EXISTS (SELECT 1 FROM journal j WHERE j.target = f.id AND j.op = 'fact.put')`,
    what: (n) => `${n} facts have no journal entry`,
    remedy: `The file was edited by another program. ${RESTORE}.`,
  },
  {
    query: `SELECT coalesce(max(seq) - min(seq) + 1 - count(*), 0) FROM journal`,
    what: (n) => `${n} entries of the journal are missing`,
    remedy: RESTORE_OR_EXPORT,
  },
  {
    query: `SELECT max(0, coalesce((SELECT max(seq) FROM journal), 0) - coalesce((SELECT seq FROM owners WHERE owner = ''), 0))`,
    what: (n) => `The numbers of the journal are ${n} behind its entries, so nothing can be stored`,
    remedy: RESTORE_OR_EXPORT,
  },
  ...(['fact', 'entity', 'edge'] as const).map((kind) => ({
    // Rows that exist according to the journal.
    query: `SELECT count(*) FROM journal j WHERE j.op = '${kind}.put' AND j.after IS NOT NULL
            AND NOT EXISTS (SELECT 1 FROM ${NOUNS[kind].table} n WHERE n.id = j.target)
            AND NOT EXISTS (SELECT 1 FROM journal later WHERE later.target = j.target AND later.seq > j.seq)
            AND NOT EXISTS (SELECT 1 FROM journal r WHERE r.op = 'reset' AND r.seq > j.seq AND r.owner IN (j.owner, '*'))`,
    what: (n: number) => `${n} ${NOUNS[kind].many} of the journal are missing`,
    remedy: RESTORE_OR_EXPORT,
  })),
  {
    query: `SELECT count(*) FROM facts WHERE rid NOT IN (SELECT id FROM fts_facts_docsize)`,
    what: (n) => `${n} facts are missing from the full-text index`,
    remedy: 'Run `mneme reindex --links`.',
  },
  {
    query: `SELECT count(*) FROM fts_facts_docsize WHERE id NOT IN (SELECT rid FROM facts)`,
    what: (n) => `${n} rows of the full-text index have no fact`,
    remedy: 'Run `mneme reindex --links`.',
  },
  {
    query: `SELECT count(*) FROM facts f WHERE embedded IN (1, 2) AND NOT EXISTS (SELECT 1 FROM fact_codes c WHERE c.owner = f.owner AND c.rid = f.rid)`,
    what: (n) => `${n} facts are marked as embedded but have no vector`,
    remedy: 'Run `mneme reindex`.',
  },
  {
    query: `SELECT count(*) FROM fact_codes WHERE rid NOT IN (SELECT rid FROM facts)`,
    what: (n) => `${n} vectors have no fact`,
    remedy: 'Run `mneme reindex`.',
  },
  {
    query: `SELECT count(*) FROM piece_codes WHERE rid NOT IN (SELECT rid FROM facts)`,
    what: (n) => `${n} vectors of pieces have no fact`,
    remedy: 'Run `mneme reindex`.',
  },
  {
    query: `SELECT count(*) FROM facts WHERE embedded = 1 AND pieces > (SELECT count(*) FROM piece_codes c WHERE c.owner = facts.owner AND c.rid = facts.rid)`,
    what: (n) => `${n} long facts are marked as embedded but lack pieces`,
    remedy: 'Run `mneme reindex`.',
  },
  {
    query: `SELECT count(*) FROM mentions WHERE rid NOT IN (SELECT rid FROM facts)`,
    what: (n) => `${n} mentions have no fact`,
    remedy: 'Run `mneme reindex --links`.',
  },
  {
    query: `SELECT count(*) FROM entity_edges e WHERE NOT EXISTS (SELECT 1 FROM facts WHERE id = e.subject) AND NOT EXISTS (SELECT 1 FROM entities WHERE id = e.subject)
            AND NOT EXISTS (SELECT 1 FROM passages WHERE id = e.subject) AND NOT EXISTS (SELECT 1 FROM sources WHERE id = e.subject)
            AND subject_kind IN ('fact', 'entity') AND derived IN (${EDGE_ORIGINS.fromNames}, ${EDGE_ORIGINS.fromVectors})`,
    what: (n) => `${n} edges start at nothing`,
    remedy: 'Run `mneme reindex --links`.',
  },
  DANGLING_EDGES,
  {
    query: `SELECT count(*) FROM passages WHERE source_id NOT IN (SELECT id FROM sources)`,
    what: (n) => `${n} pieces of code belong to no project`,
    remedy: INDEX_AGAIN,
  },
  {
    query: `SELECT count(*) FROM (SELECT DISTINCT source_id, path FROM passages) p
            WHERE NOT EXISTS (SELECT 1 FROM source_files f WHERE f.source_id = p.source_id AND f.path = p.path AND f.gone = 0)`,
    what: (n) => `${n} files of code are searchable but not listed`,
    remedy: INDEX_AGAIN,
  },
  {
    query: `SELECT count(*) FROM passages p WHERE embedded = 1 AND NOT EXISTS (SELECT 1 FROM passage_codes c WHERE c.owner = p.owner AND c.rid = p.rid)`,
    what: (n) => `${n} pieces of code are marked as embedded but have no vector`,
    remedy: 'Run `mneme reindex`.',
  },
  {
    query: `SELECT (SELECT count(*) FROM passage_codes WHERE rid NOT IN (SELECT rid FROM passages)) + (SELECT count(*) FROM passage_refs WHERE rid NOT IN (SELECT rid FROM passages))`,
    what: (n) => `${n} vectors and references belong to no piece of code`,
    remedy: INDEX_AGAIN,
  },
  {
    query: `SELECT count(*) FROM entity_names WHERE entity_id NOT IN (SELECT id FROM entities)`,
    what: (n) => `${n} entity names have no entity`,
    remedy: `${RESTORE}, or export the memory and import it into an empty store.`,
  },
  ...UNDATED_CONTRADICTIONS.map(({ what, rule }) => ({
    query: `SELECT count(*) FROM facts WHERE ${toCondition(rule(0)).text}`,
    what: (n: number) => `${n} facts contradict themselves: each ${what}`,
    remedy: 'Run `mneme mend`.',
  })),
  ...(['fact', 'passage'] as const).map((name) => ({
    query: `SELECT (SELECT count(*) FROM ${name}_codes) - (SELECT count(*) FROM vec_${name}s)`,
    what: (n: number) => `vec_${name}s and the search codes differ by ${Math.abs(n)} rows`,
    remedy: 'Run `mneme reindex`.',
  })),
]

interface ExaminedFile {
  readonly db: Database
  /** The path of the store, which differs from the file read if that is a copy. */
  readonly file: string
  readonly connection: Connection
  readonly clock: Clock
}

/** Compares the parts of a file with each other. Changes nothing. */
export async function diagnose({ db, file, connection, clock }: ExaminedFile): Promise<readonly Finding[]> {
  const findings: Finding[] = []
  const failures = new Map<string, Finding>()
  /** A damaged file makes checks fail: that is a finding, and the other checks still run. */
  const attempt = async (check: () => void | Promise<void>): Promise<void> => {
    try {
      await check()
    } catch (error) {
      const known = fromSqlite(error, file)
      if (!(known instanceof MemoryError)) throw error
      failures.set(known.message, {
        severity: 'error',
        what: `A check failed: ${known.message}`,
        remedy: isDamage(error) ? RESTORE_OR_EXPORT : (known.hint ?? RESTORE_OR_EXPORT),
      })
    }
    // Each check is one long call, so yield in between.
    await new Promise<void>((resolve) => setImmediate(resolve))
  }
  const report = (what: string, remedy: string): void => void findings.push({ severity: 'error', what, remedy })
  await attempt(() => {
    const doubt = findLostCommits(db, file)
    if (doubt !== undefined) report(doubt, RESTORE_OR_ACCEPT_LOSS)
  })
  await attempt(() => {
    const integrity = db.pragma('integrity_check(10)')
    if (integrity !== 'ok') report(`The file is damaged: ${String(integrity)}`, RESTORE_OR_EXPORT)
  })
  const count = (query: string): number => Number(db.prepare(query).value())
  for (const check of CHECKS) {
    await attempt(() => {
      const found = count(check.query)
      if (found !== 0) report(check.what(found), check.remedy)
    })
  }
  for (const pass of PASSES) {
    await attempt(async () => {
      const { altered, stale } = await tally(db, pass)
      if (altered.length > 0) report(`${altered.length} ${pass.what} are not what was stored: ${listed(altered)}`, RESTORE_OR_EXPORT)
      if (stale.length > 0) report(`The search words of ${stale.length} ${pass.what} are not theirs: ${listed(stale)}`, REINDEX_LINKS)
    })
  }
  await attempt(async () => {
    const words = await differingWords(db)
    if (words > 0) report(`${words} words of the full-text index are not those of the facts`, REINDEX_LINKS)
  })
  for (const name of ['fact', 'passage'] as const) {
    await attempt(async () => {
      const differing = await differingVectors(db, name)
      if (differing > 0)
        report(`${differing} search codes of vec_${name}s are not those of their vectors`, 'Run `mneme reindex --vectors`.')
    })
  }
  await attempt(async () => void findings.push(...(await lateFindings(connection, clock))))
  return [...findings, ...failures.values()]
}
