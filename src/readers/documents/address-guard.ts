import { lookup as resolveName } from 'node:dns'
import { BlockList, isIP, isIPv4, type LookupFunction } from 'node:net'

const V4 = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const

/** Addresses with an embedded IPv4 address (NAT64, 6to4, Teredo) are judged by it. */
const V6 = [
  ['::', 96],
  ['64:ff9b::', 32],
  ['100::', 64],
  ['2001::', 32],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['fc00::', 7],
  ['fe80::', 10],
  ['fec0::', 10],
  ['ff00::', 8],
] as const

function blockList(): BlockList {
  const list = new BlockList()
  for (const [net, prefix] of V4) list.addSubnet(net, prefix, 'ipv4')
  for (const [net, prefix] of V6) list.addSubnet(net, prefix, 'ipv6')
  return list
}

const BLOCKED_ADDRESSES = blockList()
const MAPPED_ADDRESS = /^::ffff:(?:0:)?(\d+\.\d+\.\d+\.\d+)$/i
const MAPPED_HEX = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/i

/** An IPv4 address in IPv6 form. */
function mapped(address: string): string | undefined {
  const dotted = MAPPED_ADDRESS.exec(address)?.[1]
  if (dotted !== undefined) return dotted
  const [, high, low] = MAPPED_HEX.exec(address) ?? []
  if (high === undefined || low === undefined) return undefined
  const [a, b] = [Number.parseInt(high, 16), Number.parseInt(low, 16)]
  return `${a >> 8}.${a & 255}.${b >> 8}.${b & 255}`
}

/** True for addresses outside the public network. */
export function isPrivateAddress(text: string): boolean {
  const address = text.replace(/%.*$/, '')
  const inner = mapped(address) ?? address
  if (isIP(inner) === 0) return true
  return BLOCKED_ADDRESSES.check(inner, isIPv4(inner) ? 'ipv4' : 'ipv6')
}

/** Names that resolve only on this machine or in its network. */
const INNER_NAME = /^(?:localhost|[^.]+|.*\.(?:localhost|local|lan|internal|home\.arpa))\.?$/i

/** The host of a URL if it is an IP address, which needs no look-up. */
export const numberIn = (url: URL): string | undefined => {
  const host = url.hostname.replace(/^\[|\]$/g, '')
  return isIP(host) === 0 ? undefined : host
}

/** True if a URL is private as written; its name is resolved on connecting. */
export function isInnerAddress(url: URL): boolean {
  const number = numberIn(url)
  return number === undefined ? INNER_NAME.test(url.hostname) : isPrivateAddress(number)
}

/** Passes on only public addresses: a name with one private address is rejected. The checked addresses are the ones connected to. */
export const checkedLookup =
  (refused: (address: string) => Error, isPrivate: (address: string) => boolean = isPrivateAddress): LookupFunction =>
  (hostname, options, callback) => {
    resolveName(hostname, { ...options, all: true }, (failure, addresses) => {
      if (failure !== null) return callback(failure, '')
      const closed = addresses.find(({ address }) => isPrivate(address))
      const [first] = addresses
      if (closed !== undefined) return callback(refused(closed.address), '')
      if (options.all === true) callback(null, addresses)
      else callback(null, first?.address ?? '', first?.family)
    })
  }
