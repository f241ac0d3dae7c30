import { MemoryError } from '../../errors.js'

/** The origin of console pages, as seen by the browser. */
export interface PageOrigin {
  readonly origin: string
  /** Path prefix of a proxy before `/console`, without a trailing slash. */
  readonly prefix: string
  readonly secure: boolean
}

/** The public URL if configured, otherwise the address of the request. */
export function pageOrigin(headers: Headers, publicUrl: string | undefined): PageOrigin {
  const url = new URL(publicUrl ?? `http://${headers.get('host') ?? 'localhost'}`)
  return { origin: url.origin, prefix: url.pathname.replace(/\/+$/u, ''), secure: url.protocol === 'https:' }
}

const refused = (message: string): MemoryError =>
  new MemoryError('forbidden', message, { reason: 'foreign_page', hint: 'Open the console itself: `mneme console` prints its address.' })

/** Rejects requests that no console page sent. A page on another port of this machine counts as same-site, so the origin is compared. */
export function checkPage(headers: Headers, page: PageOrigin): void {
  const origin = headers.get('origin')
  if (origin !== page.origin) throw refused(`Pages of ${origin ?? 'unknown origin'} may not use the console.`)
  checkSite(headers)
}

/** For requests that browsers send without an origin, such as event streams. */
export function checkSite(headers: Headers): void {
  if (headers.get('sec-fetch-site') !== 'same-origin') throw refused('Only pages of the console may ask for this.')
}
