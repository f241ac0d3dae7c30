import { PART_SIZE, partPath, placeOfSegment, type Segment, segmentOf } from '../../../core/evidence/segments.js'
import { wholeText } from '../../../core/evidence/whole-text.js'
import type { Passage, Source } from '../../../core/facts/source.js'
import type { Environment } from '../../environment.js'
import { repoSegment, repoSegments } from './repo-map.js'

/** The current segment of a source with an id; undefined if there is none. */
export async function segmentById(env: Environment, source: Source, id: string): Promise<Segment | undefined> {
  if (source.kind === 'repo') return repoSegment(env, source, id)
  const place = placeOfSegment(id)
  if (place === undefined) return undefined
  const [passage] = await env.store.passages(source.id, { path: place.path, from: place.ordinal, limit: 1 })
  const segment = passage === undefined ? undefined : segmentOf(passage)
  return segment?.segmentId === id ? segment : undefined
}

interface SegmentPage {
  readonly from: number
  readonly limit: number
}

/** Segments of a source in order, from one on. */
export const segmentsOf = (env: Environment, source: Source, page: SegmentPage): Promise<readonly Segment[]> =>
  source.kind === 'repo' ? segmentsOfRepo(env, source, page) : segmentsOfDocument(env, source, page)

async function segmentsOfRepo(env: Environment, source: Source, { from, limit }: SegmentPage): Promise<readonly Segment[]> {
  const found: Segment[] = []
  let at = 0
  if (limit <= 0) return found
  for await (const segment of repoSegments(env, source)) {
    if (at++ >= from) found.push(segment)
    if (found.length >= limit) break
  }
  return found
}

const segmentsOfDocument = async (env: Environment, source: Source, page: SegmentPage): Promise<readonly Segment[]> =>
  (await passagesOfDocument(env, source, page)).map(segmentOf)

/** The complete text of a document in its stored form, with masked secrets. */
export const textOfDocument = async (env: Environment, source: Source): Promise<string> =>
  wholeText(await passagesOfDocument(env, source, { from: 0, limit: Number.MAX_SAFE_INTEGER }))

async function passagesOfDocument(env: Environment, source: Source, page: SegmentPage): Promise<readonly Passage[]> {
  const found: Passage[] = []
  let at = page.from
  while (found.length < page.limit) {
    const limit = Math.min(page.limit - found.length, PART_SIZE - (at % PART_SIZE))
    const range = { path: partPath(Math.floor(at / PART_SIZE)), from: at % PART_SIZE, limit }
    const passages = await env.store.passages(source.id, range)
    found.push(...passages)
    if (passages.length < limit) break
    at += limit
  }
  return found
}
