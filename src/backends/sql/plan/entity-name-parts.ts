import type { EntityQuery } from '../../../ports/store.js'
import { type Plan, run, text } from './plan.js'

const likePart = (part: string): string => `%${part.replace(/[\\%_]/gu, '\\$&')}%`

/** Ids of entities whose names contain any of the parts, by the number of parts, then by the length of the name. */
export function* idsByNameParts({ owner, nameParts = [], limit, offset }: EntityQuery): Plan<readonly string[]> {
  if (nameParts.length === 0) return []
  const likes = nameParts.map(likePart)
  const matched = nameParts.map(() => `CASE WHEN name LIKE ? ESCAPE '\\' THEN 1 ELSE 0 END`).join(' + ')
  const rows = yield* run(
    `SELECT entity_id, MAX(${matched}) AS matched, MIN(length(name)) AS chars FROM entity_names
     WHERE owner = ? AND (${nameParts.map(() => `name LIKE ? ESCAPE '\\'`).join(' OR ')})
     GROUP BY entity_id ORDER BY matched DESC, chars, entity_id LIMIT ? OFFSET ?`,
    ...likes,
    owner ?? '',
    ...likes,
    limit,
    offset,
  )
  return rows.map((row) => text(row, 'entity_id'))
}
