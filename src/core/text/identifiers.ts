const PARTS = /[A-Z]+(?![a-z])[0-9]*|[A-Z]?[a-z]+[0-9]*|[0-9]+/g
const WIDE_PARTS = /\p{Lu}+(?!\p{Ll})\p{N}*|\p{Lu}?\p{Ll}+\p{N}*|[\p{Lo}\p{Lm}\p{Lt}\p{M}]+|\p{N}+/gu
const IDENTIFIER = /[\p{L}_$][\p{L}\p{M}\p{N}_$]*/gu
const ASCII_IDENTIFIER = /[A-Za-z_$][\w$]*/g
const ASCII_ONLY = /^[\x00-\x7f]*$/

/** `parseHTTPHeader2` gives `parse`, `HTTP`, `Header2`; digits stay with the preceding word, as in `sha256`. */
export function identifierWords(identifier: string): readonly string[] {
  return identifier.match(ASCII_ONLY.test(identifier) ? PARTS : WIDE_PARTS) ?? []
}

/** All identifiers of a text in order, repeats included. */
export function identifiersOf(text: string): readonly string[] {
  return text.match(ASCII_ONLY.test(text) ? ASCII_IDENTIFIER : IDENTIFIER) ?? []
}

/** Replaces every compound identifier by its words; other text stays as it is. */
export function splitIdentifiers(text: string): string {
  return text.replace(ASCII_ONLY.test(text) ? ASCII_IDENTIFIER : IDENTIFIER, (identifier) => {
    const words = identifierWords(identifier)
    return words.length === 0 ? identifier : words.join(' ')
  })
}
