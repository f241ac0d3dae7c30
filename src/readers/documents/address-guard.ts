import { BlockList, isIP, isIPv4 } from 'node:net'

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

/** Those that carry an IPv4 address inside (NAT64, 6to4, Teredo) lead wherever that leads. */
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

const BLOCKED = blockList()
const MAPPED = /^::ffff:(?:0:)?(\d+\.\d+\.\d+\.\d+)$/i
const MAPPED_HEX = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/i

/** An IPv4 address written as IPv6. */
function mapped(address: string): string | undefined {
  const dotted = MAPPED.exec(address)?.[1]
  if (dotted !== undefined) return dotted
  const [, high, low] = MAPPED_HEX.exec(address) ?? []
  if (high === undefined || low === undefined) return undefined
  const [a, b] = [Number.parseInt(high, 16), Number.parseInt(low, 16)]
  return `${a >> 8}.${a & 255}.${b >> 8}.${b & 255}`
}

/** Whether an address leads anywhere but into the public network: this machine, its neighbours, or nowhere. */
export function isPrivateAddress(given: string): boolean {
  const address = given.replace(/%.*$/, '')
  const inner = mapped(address) ?? address
  if (isIP(inner) === 0) return true
  return BLOCKED.check(inner, isIPv4(inner) ? 'ipv4' : 'ipv6')
}
