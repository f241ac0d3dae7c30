import { type HyponymTable, parseHyponyms } from '../core/language/hyponyms.js'

let loading: Promise<HyponymTable> | undefined

/** Read with the first question. */
export function loadHyponyms(): Promise<HyponymTable> {
  loading ??= Promise.all([import('../core/language/kinds.js'), import('../core/language/software-kinds.js')]).then(
    ([{ KINDS }, { SOFTWARE_KINDS }]) => parseHyponyms(`${KINDS}\n${SOFTWARE_KINDS}`),
  )
  return loading
}
