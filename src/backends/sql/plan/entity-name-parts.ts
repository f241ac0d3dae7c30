import type { EntityQuery } from '../../../ports/store.js'
import { type Plan, run, text } from './plan.js'

const likePart = (part: string): string => `%${part.replace(/[\\%_]/gu, '\\$&')}%`

/** Captured files have no linkable name; their key ends with their path. */
const NAME = `CASE WHEN name = '' THEN LOWER(name_key) ELSE name END`

/** Ids of entities whose names or paths contain any of the parts, by the number of parts, then by the length of the name. */
export function* idsByNameParts({ owner, nameParts = [], limit, offset }: EntityQuery): Plan<readonly string[]> {
  if (nameParts.length === 0) return []
  const likes = nameParts.map(likePart)
  const matched = nameParts.map(() => `CASE WHEN ${NAME} LIKE ? ESCAPE '\\' THEN 1 ELSE 0 END`).join(' + ')
  const rows = yield* run(
    `SELECT entity_id, MAX(${matched}) AS matched, MIN(length(${NAME})) AS chars FROM entity_names
     WHERE owner = ? AND (${nameParts.map(() => `${NAME} LIKE ? ESCAPE '\\'`).join(' OR ')})
     GROUP BY entity_id ORDER BY matched DESC, chars, entity_id LIMIT ? OFFSET ?`,
    ...likes,
    owner ?? '',
    ...likes,
    limit,
    offset,
  )
  return rows.map((row) => text(row, 'entity_id'))
}
