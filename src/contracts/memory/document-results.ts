import { type DocumentPassage, headingPathOf } from '../../core/evidence/passage-fact.js'
import { segmentOf } from '../../core/evidence/segments.js'

/** Keys of a locator that a result shows otherwise or does not need. */
const OMITTED_FIELDS: ReadonlySet<string> = new Set(['kind', 'segment_index', 'chunk_kind', 'heading_path', 'name', 'created_at'])

/** The document of a passage and the place of the passage in it; `source_id` and `segment_id` are what evidence cites. */
export function documentFields(found: DocumentPassage) {
  const { passage, source } = found
  const { segmentId, locator } = segmentOf(passage)
  const headings = headingPathOf(passage)
  return {
    source: 'document' as const,
    title: source.title,
    kind: source.kind,
    source_id: source.id,
    segment_id: segmentId,
    ...(headings.length === 0 ? {} : { heading_path: [...headings] }),
    locator: Object.fromEntries(Object.entries(locator).filter(([key]) => !OMITTED_FIELDS.has(key))),
  }
}
