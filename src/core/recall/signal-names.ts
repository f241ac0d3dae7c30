/** What is known of a candidate, from 0 to about 1. `base`, `height` and `margin` are the same for all candidates of a query. */
export const SIGNALS = ['base', 'height', 'margin', 'meaning', 'words', 'coverage', 'kinds', 'author', 'subject', 'judge'] as const
export type SignalName = (typeof SIGNALS)[number]
export type Signals = Readonly<Record<SignalName, number>>

/** What kind of store and query it is, each from 0 to 1: coefficients may depend on it. */
export const TRAITS = ['always', 'notes', 'titled', 'code', 'long', 'longQuery', 'held', 'glossed'] as const
export type TraitName = (typeof TRAITS)[number]
export type Traits = Readonly<Record<TraitName, number>>
