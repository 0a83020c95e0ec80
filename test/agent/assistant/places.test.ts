/** One tool for every place: what is indexed, what is not, and packages at a revision, in a directory and in a bucket. */

import { describe, expect, it } from 'vitest'
import { Assistant } from '../../../src/agent/assistant.ts'
import { contextTextIn } from '../../../src/agent/transcript.ts'
import { languageModel } from '../../../src/models/language-providers.ts'
import { operations } from '../../../src/operations/index.ts'
import { assistantTools } from '../../../src/operations/tools.ts'
import { inBucket, LABS, type Lab } from '../../context/catalog/labs.ts'
import { record, valuesIn } from '../../contract/recorded.ts'
import { packageOf, registryV1 } from '../../quilt/packages/fixtures.ts'
import { languageServer, type Script } from '../../support/language-server.ts'
import { Bucket } from '../../support/s3/bucket.ts'
import { REGION } from '../../support/s3/server.ts'
import { CANARY } from '../answering.ts'
import { call, results } from './standing.ts'

const PICTURE = Buffer.from('GIF89a\x01\x00\x01\x00\x00\x00\x00;', 'latin1')
const SECRET = `KEY = "${'q9Zr4Tw8Lk2Pv6Xn1Bs5'}${'Hd3Gf7Jc0MyRuEaWiOtY'}"`
const first = packageOf({ 'README.md': { text: '# Old rain\n', key: 'store/old.md' } }, { message: 'first' })
const second = packageOf({
  'README.md': { text: '# Rain\n\nThe gauge was emptied each morning.\n', key: 'store/README.md' },
  'tables/days.csv': { text: 'day,mm\nMonday,3\nTuesday,14\n', key: 'store/days.csv' },
  'tables/a b.txt': { text: 'spaces\n', key: 'store/ab.txt' },
  'plots/rain.png': { text: PICTURE.toString('latin1'), key: 'store/rain.bin' },
  'bad.md': { text: 'As it was.\n', key: 'store/bad.md' },
})
const HELD = {
  ...registryV1({ 'team/rain': { 1680720300: first, 1680720661: second } }),
  'README.md': '# Bucket\n\nAll that was measured.\n',
  'notes/wind.md': '# Wind\n\nThe vane points at where the wind comes from.\n',
  'notes/.env': 'KEY=1',
  'notes/keys.md': `# Keys\n\napi_${SECRET}\n`,
  'plots/wind.png': PICTURE,
}
const PLACE = 'lab/team/rain'

async function withAssistant(lab: Lab, script: Script, place: string, work: (it: Assistant) => Promise<void>) {
  await using server = await languageServer('chat', script)
  const model = { provider: 'openai-compatible', model: 'm', url: server.url, key: CANARY, canSee: true } as const
  const engine = { ...lab.engine, language: () => languageModel(model) }
  await work(new Assistant({ engine, makeTools: assistantTools(engine, operations), place }))
}

/** The calls of a file, each of a new assistant, and what came of them. */
async function recordCalls(lab: Lab, name: string, hide: (text: string) => string = (text) => text): Promise<void> {
  const shown: string[] = []
  for (const [place, tool, input] of valuesIn(`calls/${name}.jsonl`, first.hash.slice(0, 10)))
    await withAssistant(lab, [call(tool, input), { text: 'Yes.' }], place, async (assistant) => {
      await assistant.ask('Well?', { emit: () => {} })
      const [{ text, isError } = { text: 'nothing', isError: true }] = results(assistant)
      expect(text).not.toContain('q9Zr4Tw8')
      const plain = hide(text).replaceAll(/ score="[^"]*"/g, '')
      shown.push(`# ${isError ? 'refused: ' : ''}${JSON.stringify([place, tool, input])}\n${plain}`)
    })
  await record(shown, `${name}-${lab.bucket}`)
}

describe.each(LABS)('in %s that is not indexed', (_, open) => {
  it('what is packed in it and what lies in it is read, listed, searched and shown so, and refused so', async () => {
    await using lab = await open({ ...HELD, 'store/bad.md': 'As it is!!\n' })
    await recordCalls(lab, 'place-tools', (text) => text.replaceAll(lab.uri, 'URI'))
  })

  it('what a package has and what its bucket has are numbered apart, and each by one number', async () => {
    await using lab = await open(HELD)
    const script = [
      call('read', { path: 'README.md' }),
      call('read', { path: 'lab/README.md' }),
      call('context_for', { place: 'lab' }),
      { text: 'One [1], two [2], three [3].' },
    ]
    await withAssistant(lab, script, PLACE, async (assistant) => {
      const { citations } = await assistant.ask('Well?', { emit: () => {} })
      const told = [contextTextIn(assistant.messages), ...results(assistant).map(({ text }) => text)].join('')
      const lines = [...new Set(told.match(/^\[\d+\] .*$/gm))]
      const numbers = lines.map((line) => line.split(' ')[0])
      expect(new Set(numbers).size).toBe(numbers.length)
      expect(citations.map(({ place }) => place)).toEqual([
        expect.stringMatching(/team\/rain@[0-9a-f]{64}$/),
        expect.stringMatching(/team\/rain@[0-9a-f]{64}(?:\/|&path=)README\.md$/),
        'ambit://lab/README.md',
      ])
      expect(lines).toHaveLength(3)
    })
  })
})

it('a bucket that is no collection is looked at as every other place', async () => {
  await using lab = await inBucket({ 'my notes/tide.md': '# Tide\n' })
  const away = new Bucket(REGION)
  lab.server.buckets.set('away', away)
  for (const [key, value] of Object.entries(HELD)) {
    const bytes = typeof value === 'string' ? Buffer.from(value.replaceAll('s3://bucket/', 's3://away/')) : value
    away.put(key, Buffer.from(bytes as Uint8Array), {})
  }
  await recordCalls(lab, 'away-tools')
})
