/**
 * Entries of a file in `assets/language`: one per line, the word first, then its values, separated by single spaces. Empty lines and lines
 * that start with `#` are skipped.
 */
export const readEntries = (list: string): readonly string[] =>
  list
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
