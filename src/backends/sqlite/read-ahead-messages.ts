import type { Kind, Value } from '../sql/plan.js'
import type { DriverName } from './driver.js'

/** What the thread reads: pages of a long query, behind the first rows. */
export interface AheadOrder {
  readonly file: string
  readonly driver: DriverName
  readonly text: string
  readonly kinds: readonly Kind[]
  /** All but the last two of the query's, which are the row to begin behind and the number of rows. */
  readonly values: readonly Value[]
  /** So many rows are left to the asker. */
  readonly skip: number
  readonly page: number
}

/** The first answer says behind which row the pages begin; then comes one for each that was asked for, undefined after the last. */
export type AheadAnswer = { readonly after: number } | { readonly page: readonly unknown[] | undefined }
