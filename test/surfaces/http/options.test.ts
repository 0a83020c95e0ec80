import { describe, expect, it } from 'vitest'
import { hostsFor } from '../../../src/surfaces/http/options.ts'
import { serveOptions } from '../../support/serve-options.ts'

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
