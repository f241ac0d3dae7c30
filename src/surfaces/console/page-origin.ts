import { MemoryError } from '../../errors.js'

/** Where pages of the console come from, as browsers know it. */
export interface PageOrigin {
  readonly origin: string
  /** In front of `/console` where a proxy serves it, without a slash at the end. */
  readonly prefix: string
  readonly secure: boolean
}

/** The public URL where one is configured, otherwise what the request was sent to. */
export function pageOrigin(headers: Headers, publicUrl: string | undefined): PageOrigin {
  const url = new URL(publicUrl ?? `http://${headers.get('host') ?? 'localhost'}`)
  return { origin: url.origin, prefix: url.pathname.replace(/\/+$/u, ''), secure: url.protocol === 'https:' }
}

const refused = (message: string): MemoryError =>
  new MemoryError('forbidden', message, { reason: 'foreign_page', hint: 'Open the console itself: `mneme console` prints its address.' })

/** Refuses requests that no page of the console has sent. A page on another port of this machine counts as the same site, so its origin decides. */
export function checkPage(headers: Headers, page: PageOrigin): void {
  const origin = headers.get('origin')
  if (origin !== page.origin) throw refused(`Pages of ${origin ?? 'unknown origin'} may not use the console.`)
  checkSite(headers)
}

/** For requests that browsers send without an origin, such as those for events. */
export function checkSite(headers: Headers): void {
  if (headers.get('sec-fetch-site') !== 'same-origin') throw refused('Only pages of the console may ask for this.')
}
