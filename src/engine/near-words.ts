import { type NearWords, parseKinds } from '../core/language/near-words.js'

let loading: Promise<NearWords> | undefined

/** Read with the first question. */
export function nearWords(): Promise<NearWords> {
  loading ??= Promise.all([import('../core/language/kinds.js'), import('../core/language/software-kinds.js')]).then(
    ([{ KINDS }, { SOFTWARE_KINDS }]) => parseKinds(`${KINDS}\n${SOFTWARE_KINDS}`),
  )
  return loading
}
