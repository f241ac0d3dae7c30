import { type JsonObject, textsIn } from '../encoding/json.js'

const TAGS_MEMBER = 'tags'

export const tagsIn = (metadata: JsonObject): readonly string[] => textsIn(metadata[TAGS_MEMBER])

/** Adds a tag to metadata or removes it. Undefined if nothing changes. */
export function withTag(metadata: JsonObject, tag: string, wanted: boolean): JsonObject | undefined {
  const known = tagsIn(metadata)
  if (known.includes(tag) === wanted) return undefined
  const { [TAGS_MEMBER]: _, ...rest } = metadata
  const tags = wanted ? [...known, tag] : known.filter((text) => text !== tag)
  return tags.length === 0 ? rest : { ...rest, [TAGS_MEMBER]: tags }
}
