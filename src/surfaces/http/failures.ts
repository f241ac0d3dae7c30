import { MemoryError } from '../../errors.js'

/** A failure as programs read it: the code is stable; `detail` is where published clients look for the message. */
export const failureBody = ({ reason, message, hint }: MemoryError) => ({ error: { code: reason, message, hint }, detail: message })

/** Escapes that stand for no text would be read in different ways by whoever looks at them. */
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
