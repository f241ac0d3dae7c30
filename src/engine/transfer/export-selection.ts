import type { Fact, Instant } from '../../core/facts/fact.js'
import { isValidAt } from '../../core/facts/validity.js'
import type { Entity } from '../../core/graph/entity.js'
import { clampToNow } from '../../core/time/instants.js'
import type { Page, PageCursor, PageQuery } from '../../ports/store.js'
import type { Environment } from '../environment.js'

/** A page starts at the first row of an instant, so larger pages read fewer rows twice. */
const EXPORT_PAGE = 2000

/** Selects the exported part of a memory. */
export interface ExportSelection {
  readonly owner?: string | undefined
  /** Facts recorded at or after this instant. */
  readonly since?: Instant | undefined
  /** Only what was valid at this instant. */
  readonly asOf?: Instant | undefined
}

type ReadPage<T> = (query: PageQuery) => Promise<Page<T>>
type ByOwner = Pick<PageQuery, 'owner'>

export async function* everyPage<T>(ownerFilter: ByOwner, read: ReadPage<T>): AsyncGenerator<readonly T[]> {
  let after: PageCursor | null | undefined
  while (after !== null) {
    const page: Page<T> = await read({ ...ownerFilter, limit: EXPORT_PAGE, ...(after === undefined ? {} : { after }) })
    yield page.items
    after = page.next
  }
}

export async function* each<T>(ownerFilter: ByOwner, read: ReadPage<T>): AsyncGenerator<T> {
  for await (const page of everyPage(ownerFilter, read)) yield* page
}

export const byOwner = ({ owner }: ExportSelection): ByOwner => (owner === undefined ? {} : { owner })

/** Facts in the order of recording. */
export async function* selectedFacts(env: Environment, selection: ExportSelection): AsyncGenerator<Fact> {
  const { since, asOf } = selection
  for await (const fact of each(byOwner(selection), (query) => env.store.pageFacts(query))) {
    if (since !== undefined && fact.recordedAt < since) continue
    if (asOf !== undefined && !(fact.recordedAt <= asOf && isValidAt(fact, { at: asOf }))) continue
    yield clampToNow(fact, env.clock.now())
  }
}

export async function* selectedEntities(env: Environment, selection: ExportSelection): AsyncGenerator<Entity> {
  for await (const entity of each(byOwner(selection), (query) => env.store.pageEntities(query)))
    if (selection.asOf === undefined || entity.createdAt <= selection.asOf) yield entity
}
