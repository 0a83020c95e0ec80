/** Recognises addresses of the public internet. */

import { BlockList, isIP, isIPv4 } from 'node:net'

/** IPv4 ranges that are not public: this machine, private networks, services of clouds, and reserved ranges. */
const RESERVED_4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '168.63.129.16/32', // a cloud's own service, though the range is public
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
]

/** Ranges within `2000::/3`, the public part of IPv6, that are not public, or that lead to IPv4 addresses. */
const RESERVED_6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20']

/** Matches IPv6 addresses that lead to an IPv4 address, mapped or by NAT64. Their last four bytes are the IPv4 address. */
const EMBEDDED_IPV4 = /^(?:::ffff|64:ff9b:):([\da-f]*:[\da-f]+|[\da-f]*)$/

const reserved4 = toBlockList(RESERVED_4, 'ipv4')
const reserved6 = toBlockList(RESERVED_6, 'ipv6')
const public6 = toBlockList(['2000::/3'], 'ipv6')
const loopback4 = toBlockList(['127.0.0.0/8'], 'ipv4')

function toBlockList(ranges: readonly string[], family: 'ipv4' | 'ipv6'): BlockList {
  const list = new BlockList()
  for (const range of ranges) {
    const [network = '', prefix] = range.split('/')
    list.addSubnet(network, Number(prefix), family)
  }
  return list
}

/** Whether an address is on the public internet. `address`: without brackets. */
export function isPublic(address: string): boolean {
  if (isIPv4(address)) return !reserved4.check(address)
  if (isIP(address) !== 6 || address.includes('%')) return false
  const ipv4 = embeddedIpv4(address)
  if (ipv4 !== undefined) return isPublic(ipv4)
  return public6.check(address, 'ipv6') && !reserved6.check(address, 'ipv6')
}

/** Whether an address is on this machine. `address`: without brackets. */
export function isLoopback(address: string): boolean {
  if (isIPv4(address)) return loopback4.check(address)
  if (isIP(address) !== 6 || address.includes('%')) return false
  const ipv4 = embeddedIpv4(address)
  return ipv4 === undefined ? canonicalAddress(address) === '::1' : isLoopback(ipv4)
}

function embeddedIpv4(address: string): string | undefined {
  const [, tail] = EMBEDDED_IPV4.exec(canonicalAddress(address)) ?? []
  if (tail === undefined) return undefined
  const groups = `:${tail}`.split(':').slice(-2)
  const [high = 0, low = 0] = groups.map((group) => Number.parseInt(group || '0', 16))
  return [high >> 8, high & 0xff, low >> 8, low & 0xff].join('.')
}

/** The address in the form that URLs have. */
function canonicalAddress(address: string): string {
  return new URL(`http://[${address}]`).hostname.slice(1, -1)
}
