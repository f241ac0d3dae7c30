import { canonicalJson } from '../encoding/json.js'

/** Host and port of a URL, without the default ports of HTTP and HTTPS; undefined for an invalid URL. */
export function peerAddress(url: string): string | undefined {
  if (!URL.canParse(url)) return undefined
  const host = new URL(url).host.toLowerCase().replace(/:(?:80|443)$/u, '')
  return host === '' ? undefined : host
}

export const MAX_CHALLENGE_CHARS = 128

/** The text that a node signs to prove that an address is its own. Tokens and facts have other forms. */
export const addressProofText = (proof: { readonly node: string; readonly address: string; readonly challenge: string }): string =>
  canonicalJson({ purpose: 'mneme peer address', ...proof })
