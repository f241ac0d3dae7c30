import { MemoryError } from '../../errors.js'

/** An error as JSON: the code is stable; published clients read the message in `detail`. */
export const failureBody = ({ reason, message, hint }: MemoryError) => ({ error: { code: reason, message, hint }, detail: message })

/** Rejects percent-encoding that is not UTF-8, which parsers read differently. */
export function checkAddress(url: string): void {
  const [path = '', query = ''] = url.replace(/^[a-z]+:\/\/[^/]*/iu, '').split(/\?(.*)/su)
  for (const part of [path, ...query.split('&')]) {
    try {
      decodeURIComponent(part)
    } catch (cause) {
      throw new MemoryError('invalid_input', 'The address of the request is not encoded as UTF-8.', {
        hint: 'A percent sign is followed by two hex digits; a plain one is written as %25.',
        cause,
      })
    }
  }
}
