import type { ObjectTexts } from '../../core/governed/lexical-score.js'
import { statedWords } from '../../core/governed/stated-words.js'
import type { JsonObject } from '../../core/json.js'
import type { Passage } from '../../core/source.js'
import { headOf, type MemoryObject, refersTo } from './objects.js'

const MOST_CHARACTERS = 4000
const written = (metadata: JsonObject): string =>
  Object.keys(metadata).length === 0 ? '' : JSON.stringify(metadata).slice(0, MOST_CHARACTERS)

/** What of an object is compared with a question. */
export function textsOf(object: MemoryObject, passages: readonly Passage[]): ObjectTexts {
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
    summary: summary.slice(0, MOST_CHARACTERS),
    names: [object.id, ...refersTo(object)],
    payload: [...statedWords(fact), fact.kind, written(fact.metadata)].join(' '),
    segments: '',
  }
}
