import type { Segment } from '../../core/evidence/segments.js'
import type { Environment } from '../environment.js'
import { segmentsOf } from '../evidence/segments.js'
import type { MemoryObject } from './objects.js'

export interface SegmentPage {
  readonly from: number
  readonly limit: number
}

/** Segments of a source in their order; other objects have none. */
export const segmentsOfObject = async (env: Environment, object: MemoryObject, page: SegmentPage): Promise<readonly Segment[]> =>
  object.type === 'source' ? segmentsOf(env, object.source, page) : []
