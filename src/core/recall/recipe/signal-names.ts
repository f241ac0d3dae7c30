/** Signals of a candidate, from 0 to about 1. `base`, `height` and `margin` are equal for all candidates of a query. */
export const SIGNALS = ['base', 'height', 'margin', 'meaning', 'words', 'coverage', 'kinds', 'author', 'subject', 'judge'] as const
export type SignalName = (typeof SIGNALS)[number]
export type Signals = Readonly<Record<SignalName, number>>

/** Traits of store and query, each from 0 to 1. Coefficients may depend on them. */
export const TRAITS = ['always', 'notes', 'titled', 'code', 'long', 'longQuery', 'held', 'glossed'] as const
export type TraitName = (typeof TRAITS)[number]
export type Traits = Readonly<Record<TraitName, number>>
