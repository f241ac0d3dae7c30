/** Control characters of both ranges, and those that turn the direction of the text around them. */
const ACTING = /[\p{Cc}\u2028-\u202E\u2066-\u2069]/gu

/**
 * Text for a terminal or a line of a log. What a terminal would act upon (set its title, fill the clipboard, clear the
 * screen, write backwards) is spelled out instead, whoever wrote it.
 */
export const printable = (text: string): string =>
  text.replaceAll('\r\n', '\n').replace(ACTING, (mark) => (mark === '\n' || mark === '\t' ? mark : spelled(mark)))

/** JSON that says the same value and holds nothing a terminal would act upon. */
export const printableJson = (json: string): string =>
  json.replace(ACTING, (mark) => (mark === '\n' ? mark : `\\u${codeOf(mark).padStart(4, '0')}`))

const codeOf = (mark: string): string => mark.charCodeAt(0).toString(16)

const spelled = (mark: string): string => {
  const code = codeOf(mark)
  return code.length > 2 ? `\\u${code}` : `\\x${code.padStart(2, '0')}`
}
