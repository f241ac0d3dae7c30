import type { Fact, Instant } from '../core/facts/fact.js'
import type { Change } from '../core/journal/change.js'
import { maskChange, maskObject, maskText } from '../core/secrets/mask.js'
import type { Store } from '../ports/store.js'
import type { Environment } from './environment.js'

/**
 * A store that masks secrets in every commit, so that rows, journal, indexes and vectors never contain them. The receipt lists the masked
 * kinds.
 */
export function createMaskingStore(store: Store): Store {
  return {
    ...store,
    async commit(commitContext, decide) {
      const kinds: string[] = []
      const masking = (at: Instant): readonly Change[] => {
        // A commit that waits for another process may be decided twice.
        kinds.length = 0
        return decide(at).map((change) => maskChange(change, kinds))
      }
      const receipt = await store.commit(commitContext, masking)
      return kinds.length === 0 ? receipt : { ...receipt, masked: [...new Set(kinds)] }
    },
    recordAnswer: (call, answer) => store.recordAnswer(call, maskObject(answer, [])),
  }
}

/** A fact in its stored form. */
export function toMaskedFact({ settings }: Environment, fact: Fact): Fact {
  if (!settings.maskSecrets) return fact
  const change = maskChange({ op: 'fact.put', fact }, [])
  return change.op === 'fact.put' ? change.fact : fact
}

/** A text in its stored form, for lookups and comparisons. */
export const toMaskedText = ({ settings }: Environment, text: string): string => (settings.maskSecrets ? maskText(text, []) : text)
