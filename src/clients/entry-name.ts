/** The name under which mneme stands in every file. */
export const ENTRY = 'mneme'
