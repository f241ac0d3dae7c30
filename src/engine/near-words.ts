import { type NearWords, parseKinds } from '../core/language/near-words.js'

let loading: Promise<NearWords> | undefined

/** Read with the first question. */
export function nearWords(): Promise<NearWords> {
  loading ??= import('../core/language/kinds.js').then(({ KINDS }) => parseKinds(KINDS))
  return loading
}
