/** Key of mneme's entry in every file. */
export const ENTRY = 'mneme'
