import { describe, expect, it } from 'vitest'
import { isLoopback, isPublic } from '../../src/internet/addresses.ts'
import { fc, forAll } from '../support/property.ts'

describe('an address', () => {
  it.each(
    (
      '8.8.8.8 93.184.216.34 100.63.255.255 100.128.0.0 172.15.255.255 172.32.0.0 11.0.0.0 9.255.255.255 ' +
      '128.0.0.0 126.255.255.255 169.253.255.255 223.255.255.255 192.0.1.1 2606:4700::1111 ' +
      '2001:4860:4860::8888 ::ffff:8.8.8.8 64:ff9b::8.8.8.8 2a00::1'
    ).split(' '),
  )('%s is public', (address) => {
    expect([isPublic(address), isLoopback(address)]).toEqual([true, false])
  })

  it.each(['127.0.0.1', '127.255.255.255', '::1', '0:0:0:0:0:0:0:1', '::ffff:127.0.0.1', '::ffff:7f00:1'])(
    '%s is of this machine',
    (address) => {
      expect([isPublic(address), isLoopback(address)]).toEqual([false, true])
    },
  )

  it.each(
    (
      '|localhost|127.1|[::1]|8.8.8.8.| 8.8.8.8|08.8.8.8|fe80::1%eth0|2606:4700::1111%1|1.2.3|0x08080808|' +
      '::ffff:0:8.8.8.8'
    ).split('|'),
  )('%j is neither', (address) => {
    expect([isPublic(address), isLoopback(address)]).toEqual([false, false])
  })

  it('of IPv4 is public in IPv6 exactly when it is by itself', () => {
    forAll(5000, fc.ipV4(), (address) => {
      expect(isPublic(`::ffff:${address}`)).toBe(isPublic(address))
      expect(isPublic(`64:ff9b::${address}`)).toBe(isPublic(address))
      expect(isPublic(`::${address}`)).toBe(false)
    })
  })

  it('of IPv6 is never public outside 2000::/3, but for what holds one of IPv4', () => {
    forAll(5000, fc.ipV6(), (address) => {
      const { hostname } = new URL(`http://[${address}]`)
      const isGlobal = /^\[[23][\da-f]{3}:/.test(hostname)
      const isHolding = /^\[(?:::ffff:|64:ff9b::)/.test(hostname)
      if (isPublic(address)) expect(isGlobal || isHolding).toBe(true)
    })
  })
})
