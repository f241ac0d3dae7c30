import { SIMILAR_TO } from '../../core/graph/relation-type.js'
import type { AlikePair, Doubts, Rivals } from '../../ports/facets.js'
import { among, where } from './plan/conditions.js'
import { number, type Plan, run, text } from './plan/plan.js'
import { CURRENT_STATUS_LIST } from './plan/rows.js'

export function* rivals({ owners, limit }: Parameters<Doubts['rivals']>[0]): Plan<readonly Rivals[]> {
  const condition = where([among('owner', owners), { text: `claim IS NOT NULL AND status IN ${CURRENT_STATUS_LIST}`, values: [] }])
  const rows = yield* run(
    `SELECT owner, claim FROM facts${condition.text} GROUP BY owner, claim HAVING count(*) > 1 ORDER BY owner, claim LIMIT ?`,
    ...condition.values,
    limit,
  )
  return rows.map((row) => ({ owner: text(row, 'owner'), claim: text(row, 'claim') }))
}

export function* alike({ owners, least: min, limit }: Parameters<Doubts['alike']>[0]): Plan<readonly AlikePair[]> {
  const condition = where([
    among('+owner', owners),
    { text: `relation = '${SIMILAR_TO}' AND object_kind = 'fact' AND weight >= ?`, values: [min] },
  ])
  const rows = yield* run(
    `SELECT owner, subject, object, weight FROM entity_edges${condition.text} ORDER BY weight DESC, subject, object LIMIT ?`,
    ...condition.values,
    limit,
  )
  return rows.map((row) => ({
    owner: text(row, 'owner'),
    from: text(row, 'subject'),
    to: text(row, 'object'),
    weight: number(row, 'weight'),
  }))
}
