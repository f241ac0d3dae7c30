import { ANY_OWNER } from '../../core/access/access-filter.js'
import { toMemoryError } from '../../errors.js'
import type { Environment } from '../environment.js'

const TOGETHER_MS = 60_000
/** Limit of distinct denials, so that they cannot fill the journal; beyond it only their number is kept. */
const MAX_BATCH_SIZE = 200

/** A refused request. */
interface Denial {
  /** The key, or `no key`. */
  readonly who: string
  readonly owner: string | null
  readonly what: string
}

/** Records refused requests in the journal: the first at once, then their number once a minute. */
export interface Denials {
  note(denial: Denial): void
  close(): Promise<void>
}

export function createDenials({ store, readOnly, log }: Environment): Denials {
  const open = new Map<string, { readonly denial: Denial; more: number }>()
  let writing: Promise<unknown> = Promise.resolve()
  let timer: NodeJS.Timeout | undefined

  const write = ({ who, owner, what }: Denial, more: number): void => {
    const reason = more === 0 ? what : `${what} (${more} more)`
    writing = writing
      .then(() =>
        store.commit({ actor: who, owners: [owner ?? ANY_OWNER] }, () => [{ op: 'denial', owner: owner ?? ANY_OWNER, who, reason }]),
      )
      .catch((failure: unknown) => log.warn('a refusal could not be noted', { failure: toMemoryError(failure).message }))
  }
  const flush = (): void => {
    timer = undefined
    for (const { denial, more } of open.values()) if (more > 0) write(denial, more)
    open.clear()
  }

  return {
    note(denial) {
      if (readOnly) return
      const others = { ...denial, what: 'several things' }
      const key = (entry: Denial): string => JSON.stringify([entry.who, entry.what])
      const noted = open.size < MAX_BATCH_SIZE || open.has(key(denial)) ? denial : others
      const known = open.get(key(noted))
      if (known !== undefined) {
        known.more++
        return
      }
      open.set(key(noted), { denial: noted, more: 0 })
      write(noted, 0)
      timer ??= setTimeout(flush, TOGETHER_MS).unref()
    },
    async close() {
      clearTimeout(timer)
      flush()
      await writing
    },
  }
}
