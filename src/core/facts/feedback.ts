import { isJsonObject, type Json, type JsonObject } from '../encoding/json.js'

/** How often people marked a returned fact as right or wrong. */
export interface Feedback {
  readonly right: number
  readonly wrong: number
}

/** The member of the metadata of a fact that holds it: it is exported with the fact, and not used for ranking. */
const FEEDBACK_MEMBER = 'feedback'

const countOf = (value: Json | undefined): number => (typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : 0)

export function feedbackIn(metadata: JsonObject): Feedback {
  const stored = metadata[FEEDBACK_MEMBER]
  return isJsonObject(stored) ? { right: countOf(stored.right), wrong: countOf(stored.wrong) } : { right: 0, wrong: 0 }
}

export function withMark(metadata: JsonObject, mark: keyof Feedback): JsonObject {
  const known = feedbackIn(metadata)
  return { ...metadata, [FEEDBACK_MEMBER]: { ...known, [mark]: known[mark] + 1 } }
}
