import { setImmediate } from 'node:timers/promises'
import type { JournalEntry } from '../../../core/journal/change.js'
import { entityPage, factPage, type ObjectPage, pageName, sourcePage } from '../../../core/projection/page.js'
import { toMemoryError } from '../../../errors.js'
import type { PageFolder } from '../../../ports/page-folder.js'
import type { PageCursor, Store } from '../../../ports/store.js'
import type { EngineLog, Projections } from '../../environment.js'

interface ProjectionOptions {
  readonly store: Store
  readonly folder: PageFolder
  readonly log: EngineLog
}

const PAGE_SIZE = 500
const AT_ONCE = 16
const WAKE_MS = 50

/** Used if pages are disabled. */
export const NO_PROJECTIONS: Projections = {
  enabled: false,
  follow: async () => undefined,
  wake: () => undefined,
  clear: async () => undefined,
  rebuild: async () => 0,
  diagnose: async () => ({ missing: [], stale: [], behind: 0 }),
  close: async () => undefined,
}

/**
 * A page per object, updated from the journal: a commit rewrites only the pages it affects. After writing, the object is compared again, so
 * that among several processes the last one writes the current state.
 */
export function createProjections({ store, folder, log }: ProjectionOptions): Projections {
  /** Serialises work per owner. */
  const turns = new Map<string, Promise<unknown>>()
  const woken = new Set<string>()
  const filling = new Map<string, Promise<void>>()
  let timer: NodeJS.Timeout | undefined
  let closed = false

  const inTurn = <T>(owner: string, work: () => Promise<T>): Promise<T> => {
    const turn = (turns.get(owner) ?? Promise.resolve()).then(work)
    turns.set(
      owner,
      turn.catch(() => undefined),
    )
    return turn
  }

  const headOf = async (owner: string): Promise<number> => (await store.journal({ owner, newestFirst: true, limit: 1 }))[0]?.seq ?? 0

  const pagesOf = async (owner: string, ids: readonly string[]): Promise<ReadonlyMap<string, ObjectPage>> => {
    const found = new Map<string, ObjectPage>()
    const isTheirs = (object: { readonly owner: string }): boolean => object.owner === owner
    const rest = (): readonly string[] => ids.filter((id) => !found.has(id))
    for (const fact of (await store.facts(ids, owner)).filter(isTheirs)) found.set(fact.id, factPage(fact))
    if (rest().length > 0)
      for (const entity of (await store.entities(rest(), owner)).filter(isTheirs)) found.set(entity.id, entityPage(entity))
    if (rest().length > 0)
      for (const source of (await store.sources(rest(), owner)).filter(isTheirs)) found.set(source.id, sourcePage(source))
    return found
  }

  /** Updates the pages of these objects. */
  const settle = async (owner: string, ids: readonly string[]): Promise<void> => {
    let open = ids
    let pages = await pagesOf(owner, open)
    while (open.length > 0) {
      for (let at = 0; at < open.length; at += AT_ONCE) {
        await Promise.all(
          open.slice(at, at + AT_ONCE).map((id) => {
            const page = pages.get(id)
            return page === undefined ? folder.remove(owner, id) : folder.write(owner, page, page.text)
          }),
        )
        await setImmediate()
      }
      const after = await pagesOf(owner, open)
      const before = pages
      open = open.filter((id) => before.get(id)?.version !== after.get(id)?.version)
      pages = after
    }
  }

  const hasPage = ({ targetKind }: JournalEntry): boolean => targetKind === 'fact' || targetKind === 'entity' || targetKind === 'source'

  const catchUp = async (owner: string): Promise<void> => {
    const place = await folder.place(owner)
    const head = await headOf(owner)
    if (place === undefined || place.seq > head || (place.seq < (await store.journalTrimmed()) && place.seq < head)) {
      await folder.setPlace(owner, { seq: head, complete: false })
      fill(owner)
      return settleLast(owner, head)
    }
    if (!place.complete) fill(owner)
    for (let after = place.seq; ; ) {
      const entries = await store.journal({ owner, after, limit: PAGE_SIZE })
      const last = entries[entries.length - 1]
      if (last === undefined) break
      if (entries.some(({ op }) => op === 'reset')) await folder.clear([owner])
      await settle(owner, [...new Set(entries.filter(hasPage).map(({ target }) => target))])
      after = last.seq
      await folder.setPlace(owner, { seq: after, complete: place.complete })
      if (entries.length < PAGE_SIZE) break
    }
  }

  /** Recently changed objects first, however long the others take. */
  const settleLast = async (owner: string, head: number): Promise<void> => {
    const entries = await store.journal({ owner, after: Math.max(0, head - AT_ONCE), limit: AT_ONCE })
    await settle(owner, [...new Set(entries.filter(hasPage).map(({ target }) => target))])
  }

  /** In the background: creates missing pages and deletes orphaned ones. */
  const fill = (owner: string): void => {
    if (filling.has(owner) || closed) return
    const work = fillAll(owner)
      .then(() => undefined)
      .catch((error: unknown) => {
        if (!closed) log.warn('the pages of memory could not be written', { failure: toMemoryError(error).message })
      })
      .finally(() => filling.delete(owner))
    filling.set(owner, work)
  }

  async function* idsOf(owner: string): AsyncGenerator<readonly string[]> {
    for (const read of [store.pageFacts, store.pageEntities, store.pageSources]) {
      for (let after: PageCursor | null | undefined; after !== null; ) {
        const page: { readonly items: readonly { readonly id: string }[]; readonly next: PageCursor | null } = await read({
          owner,
          limit: PAGE_SIZE,
          ...(after === undefined ? {} : { after }),
        })
        yield page.items.map(({ id }) => id)
        after = page.next
      }
    }
  }

  const fillAll = async (owner: string): Promise<number> => {
    const names = new Set<string>()
    let written = 0
    for await (const ids of idsOf(owner)) {
      if (closed) return written
      await inTurn(owner, () => settle(owner, ids))
      for (const id of ids) names.add(pageName(id))
      written += ids.length
    }
    await inTurn(owner, async () => {
      // Objects created meanwhile have pages that are not in the list.
      for (const name of await folder.files(owner)) if (!names.has(name) && (await isOrphan(owner, name))) await folder.remove(owner, name)
      const place = await folder.place(owner)
      if (place !== undefined) await folder.setPlace(owner, { ...place, complete: true })
    })
    return written
  }

  /** File names are ids without colons; a file without an object under either form is an orphan. */
  const isOrphan = async (owner: string, name: string): Promise<boolean> => {
    const ids = [name, name.replace('-', ':')]
    return (await pagesOf(owner, ids)).size === 0
  }

  const wakeAll = async (): Promise<void> => {
    const owners = [...woken]
    woken.clear()
    for (const owner of owners)
      await inTurn(owner, () => catchUp(owner)).catch((error: unknown) => {
        if (!closed) log.warn('the pages of memory could not follow', { failure: toMemoryError(error).message })
      })
  }

  return {
    enabled: true,
    follow: (owner) => inTurn(owner, () => catchUp(owner)),
    wake(owners) {
      for (const owner of owners) woken.add(owner)
      timer ??= setTimeout(() => {
        timer = undefined
        void wakeAll()
      }, WAKE_MS).unref()
    },
    async clear(owners) {
      const all = owners === 'everyone' ? [...turns.keys()] : owners
      await Promise.all(all.map((owner) => turns.get(owner)))
      await folder.clear(owners)
    },
    async rebuild(owner) {
      await filling.get(owner)
      await inTurn(owner, async () => folder.setPlace(owner, { seq: await headOf(owner), complete: false }))
      return fillAll(owner)
    },
    async diagnose(owner) {
      const missing: string[] = []
      const stale: string[] = []
      for await (const ids of idsOf(owner)) {
        const pages = [...(await pagesOf(owner, ids))]
        for (let at = 0; at < pages.length; at += AT_ONCE) {
          const some = pages.slice(at, at + AT_ONCE)
          const texts = await Promise.all(some.map(([, page]) => folder.read(owner, page)))
          for (const [i, [id, page]] of some.entries()) {
            if (texts[i] === undefined) missing.push(id)
            else if (texts[i] !== page.text) stale.push(id)
          }
          await setImmediate()
        }
      }
      const place = await folder.place(owner)
      return { missing, stale, behind: Math.max(0, (await headOf(owner)) - (place?.seq ?? 0)) }
    },
    async close() {
      clearTimeout(timer)
      await wakeAll()
      closed = true
      await Promise.all([...filling.values(), ...turns.values()])
    },
  }
}
