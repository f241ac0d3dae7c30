import { isCaptureRecord } from '../../core/evidence/passage-fact.js'
import { ID_PREFIXES } from '../../core/substrate/objects/objects.js'
import type { View } from '../../ports/view.js'
import type { Environment } from '../environment.js'
import { type HybridHits, type HybridQuery, searchBothIndexes } from './hybrid-search.js'

/** Limit of repeated searches if capture records fill the results. */
const MAX_EXTRA = 3200

/**
 * Both searches without records of captures, which are searched by the substrate contract only. While records take places of a search
 * that was cut, it is repeated with as many more.
 */
export async function searchAnsweringHits(
  env: Environment,
  view: View,
  query: HybridQuery,
  hasSources: Promise<boolean>,
): Promise<HybridHits> {
  for (let extra = 0; ; ) {
    const found = await searchBothIndexes(view, { ...query, words: query.words + extra, meanings: query.meanings + extra })
    if (!(await hasSources)) return found
    const records = await findRecords(env, view, [...new Set([...found.lexical.hits, ...found.dense].map(({ rid }) => rid))])
    const [words, dense] = [found.lexical.hits, found.dense].map((hits) => hits.filter(({ rid }) => records.has(rid)).length)
    const missing = Math.max(words ?? 0, dense ?? 0) - extra
    if (missing <= 0 || extra >= MAX_EXTRA) {
      const answering = <H extends { readonly rid: number }>(hits: readonly H[], limit: number): readonly H[] =>
        hits.filter(({ rid }) => !records.has(rid)).slice(0, limit)
      return {
        lexical: { ...found.lexical, hits: answering(found.lexical.hits, query.words) },
        dense: answering(found.dense, query.meanings),
      }
    }
    extra = Math.min(MAX_EXTRA, 2 * (extra + missing))
  }
}

async function findRecords({ store }: Environment, view: View, rids: readonly number[]): Promise<ReadonlySet<number>> {
  const activities = [...(await view.rows.idsOf(rids))].filter(([, id]) => id.startsWith(`${ID_PREFIXES.activity}:`))
  if (activities.length === 0) return new Set()
  const facts = await store.facts(activities.map(([, id]) => id))
  const records = new Set(facts.filter(isCaptureRecord).map(({ id }) => id))
  return new Set(activities.flatMap(([rid, id]) => (records.has(id) ? [rid] : [])))
}
