import type { JsonObject } from '../../../core/encoding/json.js'
import type { Passage } from '../../../core/facts/source.js'
import { buildClaimSearchText } from '../../../core/substrate/objects/stated-words.js'
import type { ObjectTexts } from '../../../core/substrate/search/lexical-score.js'
import { headOf, type MemoryObject, refersTo } from './objects.js'

const MAX_CHARACTERS = 4000
const written = (metadata: JsonObject): string =>
  Object.keys(metadata).length === 0 ? '' : JSON.stringify(metadata).slice(0, MAX_CHARACTERS)

/** The texts of an object that are compared with a query. */
export function loadTexts(object: MemoryObject, passages: readonly Passage[]): ObjectTexts {
  const { title, summary } = headOf(object)
  if (object.type === 'source')
    return {
      title,
      summary,
      names: [object.id, object.source.origin, ...passages.map(({ path }) => path)],
      payload: '',
      segments: passages.map(({ name, text }) => `${name ?? ''} ${text}`).join(' '),
    }
  if (object.type === 'node') {
    const { uri, aliases, metadata } = object.entity
    return { title, summary, names: [object.id, uri ?? '', ...aliases], payload: written(metadata), segments: '' }
  }
  const { fact } = object
  return {
    title,
    summary: summary.slice(0, MAX_CHARACTERS),
    names: [object.id, ...refersTo(object)],
    payload: [...buildClaimSearchText(fact), fact.kind, written(fact.metadata)].join(' '),
    segments: '',
  }
}
