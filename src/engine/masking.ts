import type { Fact, Instant } from '../core/facts/fact.js'
import type { Change } from '../core/journal/change.js'
import { maskChange, maskObject, maskText } from '../core/secrets/mask.js'
import type { Store } from '../ports/store.js'
import type { Environment } from './environment.js'

/**
 * A store that is given no secrets: whatever a commit decides to write is masked on its way, so that rows, journal,
 * search structures and vectors never see them. The receipt says what was masked.
 */
export function createMaskingStore(store: Store): Store {
  return {
    ...store,
    async commit(by, decide) {
      const kinds: string[] = []
      const masking = (at: Instant): readonly Change[] => {
        // A commit that has to wait for another process may be decided again.
        kinds.length = 0
        return decide(at).map((change) => maskChange(change, kinds))
      }
      const receipt = await store.commit(by, masking)
      return kinds.length === 0 ? receipt : { ...receipt, masked: [...new Set(kinds)] }
    },
    recordAnswer: (call, answer) => store.recordAnswer(call, maskObject(answer, [])),
  }
}

/** A fact as it is stored. */
export function toMaskedFact({ settings }: Environment, fact: Fact): Fact {
  if (!settings.maskSecrets) return fact
  const change = maskChange({ op: 'fact.put', fact }, [])
  return change.op === 'fact.put' ? change.fact : fact
}

/** A text as it is stored: to look a name up, or to see whether it stays as it is. */
export const toMaskedText = ({ settings }: Environment, text: string): string => (settings.maskSecrets ? maskText(text, []) : text)
