import type { Kind, Value } from '../sql/plan/plan.js'
import type { DriverName } from './driver.js'

/** The order for the thread: pages of a long query, after the first rows. */
export interface AheadOrder {
  readonly file: string
  readonly driver: DriverName
  readonly text: string
  readonly kinds: readonly Kind[]
  /** Values of the query except the last two, the preceding row and the number of rows. */
  readonly values: readonly Value[]
  /** Number of rows that the main thread reads itself. */
  readonly skip: number
  readonly page: number
}

/** The first message contains the row after which the pages begin; then one message per requested page, undefined after the last. */
export type AheadAnswer = { readonly after: number } | { readonly page: readonly unknown[] | undefined }
