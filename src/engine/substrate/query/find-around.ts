import type { Context } from '../../context.js'
import { aroundInMirror } from '../graph-mirror/graph-mirror.js'
import { configurationOf } from '../knowledge/configuration.js'
import { aroundObject, type ObjectNeighbourhood } from '../objects/around.js'

/** The relations of an object, from the Kuzu copy of the graph where that is configured or requested. */
export async function findAround(
  context: Context,
  id: string,
  owner: string,
  limit: number,
  graph?: 'file' | 'kuzu',
): Promise<ObjectNeighbourhood | undefined> {
  const { derived } = context
  const configured = graph ?? (await configurationOf(context, owner)).graphBackend
  if (derived === null || configured !== 'kuzu') return aroundObject(context, id, owner, limit)
  await context.services.derived.begin(owner)
  return aroundInMirror(context, derived, { id, owner, limit })
}
