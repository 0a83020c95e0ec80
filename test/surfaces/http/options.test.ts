import { describe, expect, it } from 'vitest'
import { isLoopback } from '../../../src/internet/addresses.ts'
import { addressFor, hostsFor } from '../../../src/surfaces/http/options.ts'
import { serveOptions } from '../../support/serve-options.ts'

describe('the words after serve', () => {
  it('are none in most cases', () => {
    expect(serveOptions([])).toEqual({
      host: '127.0.0.1',
      port: 7377,
      json: false,
      explain: false,
      log: 'text',
      drain: 8,
      role: 'all',
      jobs: 4,
    })
  })

  it('say where, what and for whom', () => {
    const line =
      '--host=[::1] --port 0 --json --root a --root b --allow-host c --allow-write --log=json --open-metrics --drain=30 --role=worker --jobs=9'
    const argv = line.split(' ')
    expect(serveOptions(argv)).toEqual({
      host: '[::1]',
      port: 0,
      json: true,
      explain: false,
      root: ['a', 'b'],
      allowHost: ['c'],
      allowWrite: true,
      log: 'json',
      openMetrics: true,
      drain: 30,
      role: 'worker',
      jobs: 9,
    })
  })

  it.each([
    [['--bogus']],
    [['--log', 'xml']],
    [['--drain', '601']],
    [['--drain', '-1']],
    [['--role', 'both']],
    [['--jobs', '0']],
    [['--jobs', 'many']],
    [['here']],
    [['--port']],
    [['--port', 'http']],
    [['--port', '65536']],
    [['--port', '-1']],
    [['--json=no']],
  ])('are refused: %j', (argv) => {
    expect(() => serveOptions(argv)).toThrow(
      expect.objectContaining({ code: 'invalid-input', hint: expect.anything() }),
    )
  })
})

describe('an address', () => {
  it.each(['127.0.0.1', '127.1.2.3', '::1', '::ffff:127.0.0.1', '::ffff:7f00:1'])(
    'is of this machine: %s',
    async (address) => {
      expect(isLoopback(address)).toBe(true)
    },
  )

  it.each(['0.0.0.0', '::', '192.0.2.1', '128.0.0.1', '::2', '127.0.0.1.example', '127.999.1.1', ''])(
    'is not: %j',
    (address) => {
      expect(isLoopback(address)).toBe(false)
    },
  )

  it('of this machine needs no token', async () => {
    expect(isLoopback(await addressFor('localhost', undefined))).toBe(true)
  })

  it.each([
    ['0.0.0.0', undefined],
    ['::', undefined],
    ['0.0.0.0', ''],
    ['0', undefined],
  ])('%s is not bound with the token %j', async (host, token) => {
    await expect(addressFor(host, token)).rejects.toMatchObject({
      code: 'denied',
      hint: expect.stringMatching('AMBIT_TOKEN'),
    })
  })
})

describe('the names of the server', () => {
  const hosts = (argv: readonly string[], address: string, port = 7377) => hostsFor(serveOptions(argv), address, port)

  it('are those of loopback, with the port', () => {
    expect(hosts([], '127.0.0.1').sort()).toEqual(['127.0.0.1:7377', '[::1]:7377', 'localhost:7377'])
  })

  it('are also without a port, where the port is that of HTTP', () => {
    expect(hosts([], '127.0.0.1', 80)).toEqual(expect.arrayContaining(['localhost', '127.0.0.1:80']))
  })

  it('are those that were allowed, as they are and with the port', () => {
    const allowed = hosts(['--allow-host', 'Ambit.example', '--allow-host', 'proxy:8080'], '127.0.0.1')
    expect(allowed).toEqual(expect.arrayContaining(['ambit.example', 'ambit.example:7377', 'proxy:8080']))
    expect(allowed).not.toContain('proxy')
  })

  it.each(['0.0.0.0', '::'])('are all of the machine for %s, which itself is none', (address) => {
    const all = hosts(['--host', address], address)
    expect(all).toEqual(expect.arrayContaining(['localhost:7377', '127.0.0.1:7377']))
    expect(all.filter((name) => /^(0\.0\.0\.0|\[::\])/.test(name))).toEqual([])
  })

  it('are not those of loopback for another address', () => {
    expect(hosts(['--host', '192.0.2.1'], '192.0.2.1')).toEqual(['192.0.2.1:7377'])
  })
})
