import { isCurrentStatus } from '../../core/facts/validity.js'
import type { Environment } from '../environment.js'
import { byOwner, type ExportSelection, each, selectedEntities, selectedFacts } from './export-selection.js'

const UNKNOWN_TYPE = 'unknown'
/** The entity that holds facts without a subject. */
const SUBJECTLESS_ENTITY = { name: 'memories', entityType: 'memories' }

/** Lines in the format of server-memory: entities with current facts as observations, then relations. */
export async function* graphLines(env: Environment, selection: ExportSelection): AsyncGenerator<string> {
  const names = new Map<string, string>()
  const types = new Map<string, string>()
  for await (const { id, name, type } of selectedEntities(env, selection)) {
    names.set(id, name)
    types.set(name, type)
  }
  const observations = new Map<string, string[]>()
  for await (const { subject, text, status } of selectedFacts(env, selection)) {
    if (!isCurrentStatus(status)) continue
    const name = subject ?? SUBJECTLESS_ENTITY.name
    const known = observations.get(name)
    if (known === undefined) observations.set(name, [text])
    else if (!known.includes(text)) known.push(text)
  }
  for (const name of new Set([...types.keys(), ...observations.keys()])) {
    const entityType = types.get(name) ?? (name === SUBJECTLESS_ENTITY.name ? SUBJECTLESS_ENTITY.entityType : UNKNOWN_TYPE)
    yield JSON.stringify({ type: 'entity', name, entityType, observations: observations.get(name) ?? [] })
  }
  for await (const edge of each(byOwner(selection), (query) => env.store.pageEdges(query))) {
    const [from, to] = [names.get(edge.from), names.get(edge.to)]
    if (from === undefined || to === undefined || edge.properties.auto_linked === true || edge.validUntil !== null) continue
    const relationType = typeof edge.properties.predicate === 'string' ? edge.properties.predicate : edge.type
    yield JSON.stringify({ type: 'relation', from, to, relationType })
  }
}
