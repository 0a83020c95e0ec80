import { Extractor } from '../../src/ingest/extractor.ts'
import { BEFORE, read, sentOnTo } from '../../test/internet/guarded-read.ts'
import { HOSTS } from '../../test/internet/spellings.ts'
import type { Part } from './proving.ts'

export const ssrf: Part = {
  name: 'ssrf',
  // What is done at every change is in the tests.
  tiers: ['quick', 'full'],
  claim: 'no spelling of a place of this machine or network is dialled, asked for or sent on to',
  async prove(proving) {
    const extractor = new Extractor({ workers: 1 })
    const hosts = [...new Set(HOSTS)]
    proving.note('spellings', hosts.length)
    proving.note('places of a redirect', BEFORE.length)
    try {
      for (const host of hosts) {
        const { found, dialled } = await read({ url: `http://${host}/` }, extractor)
        const name = Object(found).name
        proving.same(`asked for ${host}`, [name, dialled], ['ContextError', []])
        proving.add('refused')
        for (const before of BEFORE) {
          const { error, dialled: further, expected } = await sentOnTo(host, before, extractor)
          proving.same(`sent on to ${host} after ${before}`, [error, further], ['ContextError', expected])
          proving.add('refused')
        }
      }
    } finally {
      await extractor.close()
    }
  },
}
