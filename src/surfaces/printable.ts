/** Control characters of both ranges, and those that change the direction of text. */
const CONTROL_CHARACTERS = /[\p{Cc}\u2028-\u202E\u2066-\u2069]/gu

/**
 * Escapes text for a terminal or a log line, so that untrusted text cannot set the title, fill the clipboard, clear the screen or reverse
 * the direction.
 */
export const printable = (text: string): string =>
  text.replaceAll('\r\n', '\n').replace(CONTROL_CHARACTERS, (mark) => (mark === '\n' || mark === '\t' ? mark : spelled(mark)))

/** JSON with the same value, without characters that a terminal interprets. */
export const printableJson = (json: string): string =>
  json.replace(CONTROL_CHARACTERS, (mark) => (mark === '\n' ? mark : `\\u${codeOf(mark).padStart(4, '0')}`))

const codeOf = (mark: string): string => mark.charCodeAt(0).toString(16)

const spelled = (mark: string): string => {
  const code = codeOf(mark)
  return code.length > 2 ? `\\u${code}` : `\\x${code.padStart(2, '0')}`
}
