import { canonicalJson } from '../encoding/json.js'

/** Host and port of an address, without the ports that HTTP and HTTPS have by default; undefined for what is no address. */
export function peerAddress(url: string): string | undefined {
  if (!URL.canParse(url)) return undefined
  const host = new URL(url).host.toLowerCase().replace(/:(?:80|443)$/u, '')
  return host === '' ? undefined : host
}

export const MAX_CHALLENGE_CHARS = 128

/** What a node signs to prove that an address is its own. No token and no fact has this form. */
export const addressProofText = (proof: { readonly node: string; readonly address: string; readonly challenge: string }): string =>
  canonicalJson({ purpose: 'mneme peer address', ...proof })
