/** Evidence that a note states later what another one states. */
export const UPDATE_SIGNALS = [
  'base',
  // How similar the notes are.
  'alike',
  'nearest',
  'sequence',
  'olderHeld',
  'newerHeld',
  'lost',
  'gained',
  // How they answer the query.
  'scoreNewer',
  'scoreLead',
  'judgeNewer',
  'judgeLead',
  'askedOlder',
  'askedNewer',
  'askedByNeither',
  'tellingShared',
  'tellingGained',
  // What they are about.
  'subjects',
  'subjectLost',
  'subjectGained',
  'subjectKnown',
  'modifierGained',
  'partOfSubject',
  'namesGained',
  'namesApart',
  'contrastName',
  'contrastLabel',
  'contrastCode',
  'contrastSubject',
  // What the newer one says of time and conditions.
  'change',
  'dated',
  'past',
  'addition',
  'condition',
  'relative',
] as const
export type UpdateSignal = (typeof UPDATE_SIGNALS)[number]
export type UpdateSignals = Readonly<Record<UpdateSignal, number>>

/** Data of the comparison of notes; part of the recipe. */
export interface UpdateRecipe {
  /** Probability from which the older note is marked as superseded. */
  readonly threshold: number
  readonly coefficients: Readonly<Partial<Record<UpdateSignal, number>>>
}
