import type { AccessFilter } from '../core/access/access-filter.js'
import type { Fact, FactStatus, Instant } from '../core/facts/fact.js'
import type { AsOf } from '../core/facts/validity.js'
import type { Page, PageCursor } from './page.js'

/** A condition on facts. Members that are left out do not restrict; an empty list matches nothing. */
export interface FactFilter {
  readonly owners?: readonly string[]
  readonly statuses?: readonly FactStatus[]
  readonly kinds?: readonly string[]
  /** Which client or principal recorded them. */
  readonly sources?: readonly string[]
  /** Null matches facts without an author. */
  readonly authors?: readonly (string | null)[]
  /** Facts that are about or mention this name, in its normal form (`normalName`). */
  readonly name?: string
  /** Facts that are about one of these names, in their normal form. */
  readonly subjects?: readonly string[]
  /** Facts whose title or text holds all of these words; the last one may be the beginning of a word. */
  readonly words?: readonly string[]
  /** Where they stand in a garden that holds back, such as `pending`. */
  readonly quarantine?: string
  readonly recordedFrom?: Instant
  /** Exclusive. */
  readonly recordedUntil?: Instant
  readonly validAt?: AsOf
  readonly reach?: AccessFilter
}

/** How many facts have these values. */
export interface FactCell {
  readonly owner: string
  readonly status: FactStatus
  readonly kind: string
  readonly source: string
  readonly author: string | null
  readonly count: number
}

/** How many facts are about something. */
export interface SubjectCount {
  /** In its normal form. */
  readonly subject: string
  /** As the fact with the greatest id writes it. */
  readonly label: string
  readonly count: number
}

export interface HistogramQuery {
  readonly from: Instant
  /** Exclusive. */
  readonly until: Instant
  /** Of a bucket, in microseconds. */
  readonly width: number
}

export interface Bucket {
  /** Where it begins. */
  readonly at: Instant
  /** Facts that were recorded in it. */
  readonly learned: number
  /** Facts of an ended status whose validity ended in it. */
  readonly ended: number
}

/** Facts as a person looks through them; what the store notes itself is in none of these answers. */
export interface FactFacets {
  /** Newest first, behind a place. The key of a place is the id of a fact. */
  browse(filter: FactFilter, page: { readonly after?: PageCursor; readonly limit: number }): Promise<Page<Fact>>
  /** One cell for each combination of values that occurs. */
  facets(filter: FactFilter): Promise<readonly FactCell[]>
  /** What facts are about, those of most facts first. */
  subjects(filter: FactFilter, limit: number): Promise<readonly SubjectCount[]>
  /** Buckets that are not empty, oldest first. */
  histogram(filter: FactFilter, query: HistogramQuery): Promise<readonly Bucket[]>
}

/** Facts of an owner that claim something about the same, by the key of their claim. */
export interface Rivals {
  readonly owner: string
  readonly claim: string
}

/** Two facts whose vectors are alike. */
export interface AlikePair {
  readonly owner: string
  readonly from: string
  readonly to: string
  /** The cosine. */
  readonly weight: number
}

/** What a person may have to decide about. Facts are named by id here; who may see them is decided when they are read. */
export interface Doubts {
  /** Claims that several current facts make. */
  rivals(query: { readonly owners?: readonly string[]; readonly limit: number }): Promise<readonly Rivals[]>
  /** Pairs of facts at least that alike, the most alike first, whatever their status. */
  alike(query: { readonly owners?: readonly string[]; readonly least: number; readonly limit: number }): Promise<readonly AlikePair[]>
}
