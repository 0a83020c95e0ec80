/** One tool for every place: what is indexed, what is not, and packages at a revision, in a directory and in a bucket. */

import { describe, expect, it } from 'vitest'
import { Assistant } from '../../../src/agent/assistant.ts'
import { contextTextIn } from '../../../src/agent/transcript.ts'
import { languageModel } from '../../../src/models/language-providers.ts'
import { operations } from '../../../src/operations/index.ts'
import { assistantTools } from '../../../src/operations/tools.ts'
import { inBucket, LABS, type Lab } from '../../context/catalog/labs.ts'
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

describe.each(LABS)('in %s that is not indexed', (_, open) => {
  it.each<[string, string, object, RegExp, boolean]>([
    // Standing in a package, names are those of its entries.
    [
      PLACE,
      'read',
      { path: 'README.md' },
      /<document uri="[^"]*team\/rain@[0-9a-f]{64}[^"]*README\.md" path="\/README\.md" lines="1-3" total="3">\n# Rain/,
      false,
    ],
    [
      PLACE,
      'read',
      { path: 'tables/days.csv', lines: '2-3' },
      /lines="2-3" total="3">\nMonday,3\nTuesday,14\n<\/document>/,
      false,
    ],
    [PLACE, 'read', { path: 'tables/a b.txt' }, /path="\/tables\/a b\.txt"[^>]*>\nspaces/, false],
    [`${PLACE}:latest/tables`, 'read', { path: 'days.csv' }, /Tuesday,14/, false],
    [`${PLACE}:latest/tables`, 'read', { path: 'tables/days.csv' }, /Tuesday,14/, false],
    [`${PLACE}@${first.hash.slice(0, 10)}`, 'read', { path: 'README.md' }, /# Old rain/, false],
    ['lab', 'read', { path: 'lab/team/rain/README.md' }, /# Rain/, false],
    ['lab', 'read', { path: `lab/team/rain@${first.hash}/README.md` }, /# Old rain/, false],
    [PLACE, 'read', { path: 'tables/day.csv' }, /not-found: .*Similar: tables\/days\.csv/s, true],
    [PLACE, 'read', { path: 'plots/rain.png' }, /invalid-input: .*is not text/, true],
    [PLACE, 'read', { path: 'bad.md' }, /untrusted: .*differs from the package/, true],
    [PLACE, 'list', { path: 'tables' }, /a b\.txt {2}7 B\ndays\.csv {2}\d+ B\n/, false],
    [PLACE, 'list', { path: 'lab/team/rain' }, /README\.md.*\nbad\.md.*\nplots\/ {2}1 file\ntables\/ {2}2 file/, false],
    [
      PLACE,
      'preview',
      { place: 'plots/rain.png' },
      /<image uri="[^"]*team\/rain@[^"]*rain\.png" type="image\/gif"/,
      false,
    ],
    [
      PLACE,
      'search',
      { query: 'gauge emptied' },
      /<hit uri="[^"]*team\/rain@[^"]*README\.md" title="README\.md" lines="3-3">\nRain\nThe gauge/,
      false,
    ],
    [PLACE, 'search', { query: 'Tuesday rain' }, /Tuesday,14/, false],
    // Standing in the bucket, which is in no index.
    ['lab', 'read', { path: 'notes/wind.md' }, /<document uri="ambit:\/\/lab\/notes\/wind\.md"[^>]*>\n# Wind/, false],
    ['lab/notes', 'read', { path: 'wind.md', lines: '3' }, /lines="3-3" total="3">\nThe vane/, false],
    ['lab', 'read', { path: 'ambit://lab/notes/wind.md' }, /The vane/, false],
    ['lab', 'read', { path: 'notes/.env' }, /denied: .*the name of a secret/, true],
    ['lab', 'read', { path: 'notes/keys.md' }, /denied: .*holds a secret/, true],
    ['lab', 'read', { path: 'lab/notes/none.md' }, /not-found/, true],
    ['lab', 'list', { path: 'lab/notes' }, /wind\.md {2}\d+ B/, false],
    ['lab', 'list', { path: 'notes' }, /wind\.md {2}\d+ B/, false],
    ['lab', 'list', { path: 'lab/nots' }, /not-found: .*Similar: lab\/notes/s, true],
    ['lab', 'preview', { place: 'plots/wind.png' }, /<image uri="ambit:\/\/lab\/plots\/wind\.png"/, false],
    ['lab', 'search', { query: 'where does the wind come from' }, /<hit uri="ambit:\/\/lab\/notes\/wind\.md"/, false],
    // In other words.
    ['lab', 'search', { query: 'which direction do breezes blow' }, /<hit uri="ambit:\/\/lab\/notes\/wind\.md"/, false],
  ])('at %s, %s of %j', async (place, tool, input, text, isError) => {
    await using lab = await open({ ...HELD, 'store/bad.md': 'As it is!!\n' })
    await withAssistant(lab, [call(tool, input), { text: 'Yes.' }], place, async (assistant) => {
      await assistant.ask('Well?', { emit: () => {} })
      expect(results(assistant)).toMatchObject([{ tool, isError, text: expect.stringMatching(text) }])
      expect(results(assistant)[0]?.text).not.toContain('q9Zr4Tw8')
    })
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

it.each<[string, object, RegExp]>([
  ['read', { path: 's3://away/notes/wind.md' }, /<document uri="s3:\/\/away\/notes\/wind\.md"[^>]*>\n# Wind/],
  ['read', { path: 'notes/wind.md' }, /The vane/],
  ['read', { path: 's3://away/team/rain/README.md' }, /path="\/README\.md"[^>]*>\n# Rain/],
  ['list', { path: 's3://away/notes' }, /<listing uri="s3:\/\/away\/notes">.*wind\.md {2}\d+ B/s],
  ['list', { path: 's3://bucket/my%20notes' }, /<listing uri="ambit:\/\/lab\/my%20notes">.*tide\.md {2}\d+ B/s],
  ['list', { path: 's3://away' }, /notes\/\nplots\/\nstore\//],
  ['list', { path: 's3://away/team/rain/tables' }, /a b\.txt {2}7 B\ndays\.csv {2}\d+ B\n/],
  ['search', { query: 'where does the wind come from' }, /<hit uri="s3:\/\/away\/notes\/wind\.md"/],
  ['context_for', { place: 's3://away/notes' }, /s3:\/\/away\/README\.md/],
])('a bucket that is no collection is %s as every other place: %j', async (tool, input, text) => {
  await using lab = await inBucket({ 'my notes/tide.md': '# Tide\n' })
  const away = new Bucket(REGION)
  lab.server.buckets.set('away', away)
  for (const [key, value] of Object.entries(HELD)) {
    const bytes = typeof value === 'string' ? Buffer.from(value.replaceAll('s3://bucket/', 's3://away/')) : value
    away.put(key, Buffer.from(bytes as Uint8Array), {})
  }
  await withAssistant(lab, [call(tool, input), { text: 'Yes.' }], 's3://away', async (assistant) => {
    await assistant.ask('Well?', { emit: () => {} })
    expect(results(assistant)).toMatchObject([{ tool, isError: false, text: expect.stringMatching(text) }])
  })
})
