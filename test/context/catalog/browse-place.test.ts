/** What `browse` lists: collections, buckets that are none, and data packages, with one way to write a place. */

import { describe, expect, it } from 'vitest'
import { SILENT } from '../../../src/core/flow.ts'
import type { Engine } from '../../../src/engine/engine.ts'
import { failure, packageOf, registryV1 } from '../../quilt/packages/fixtures.ts'
import { Bucket } from '../../support/s3/bucket.ts'
import { REGION } from '../../support/s3/server.ts'
import { inBucket, LABS } from './labs.ts'

const first = packageOf({ 'old.md': { text: '# Old\n' } }, { message: 'first' })
const second = packageOf({
  'README.md': { text: '# Rain\n', key: 'store/README.md' },
  'tables/days.csv': { text: 'day,mm\n', key: 'store/days.csv' },
  'tables/more/weeks.csv': { text: 'week,mm\n', key: 'store/weeks.csv' },
})
const HELD = {
  ...registryV1({ 'team/rain': { 1680720300: first, 1680720661: second }, 'team/snow': { 1680720661: first } }),
  'notes/wind.md': '# Wind\n',
  'team/snow/README.md': '# A directory that a package is called like\n',
}
const [HASH, OLD] = [second.hash, first.hash]

/** `name size`, `name/ entries below it`, or `name/`. */
async function told(engine: Engine, place: string, more: { limit?: number; after?: string } = {}): Promise<string[]> {
  const { entries } = await (await engine.placeReader()).browse({ place, ...more }, SILENT)
  return entries.map(({ name, kind, size, files = '' }) =>
    kind === 'directory' ? `${name}/ ${files}`.trim() : `${name} ${size}`,
  )
}

describe.each(LABS)('a data package in %s', (_, open) => {
  it.each<[string, string[]]>([
    ['lab/team/rain', ['README.md 7', 'tables/ 2']],
    ['lab/team/rain/', ['README.md 7', 'tables/ 2']],
    ['ambit://lab/team/rain', ['README.md 7', 'tables/ 2']],
    ['lab/team/rain/tables', ['days.csv 7', 'more/ 1']],
    ['lab/team/rain/tables/days.csv', ['days.csv 7']],
    [`lab/team/rain@${HASH.slice(0, 8)}/tables`, ['days.csv 7', 'more/ 1']],
    [`lab/team/rain@${OLD}`, ['old.md 6']],
    ['lab/team/rain:1680720300', ['old.md 6']],
    ['quilt+s3://lab#package=team/rain&path=tables/more', ['weeks.csv 8']],
    ['lab/team/snow', ['README.md 44']],
    ['lab/team/snow:latest', ['old.md 6']],
    ['lab/notes', ['wind.md 7']],
  ])('is listed as %s', async (place, entries) => {
    await using lab = await open(HELD)
    expect(await told(lab.engine, place.replace('s3://lab', `s3://${lab.bucket}`))).toEqual(entries)
  })

  it('says its revision, and goes on where a page ended', async () => {
    await using lab = await open(HELD)
    const look = await lab.engine.placeReader()
    const page = await look.browse({ place: 'lab/team/rain', limit: 1 }, SILENT)
    expect(page).toMatchObject({
      collection: 'lab',
      path: '',
      package: { name: 'team/rain', hash: HASH },
      next: 'README.md',
    })
    expect(await told(lab.engine, 'lab/team/rain', { after: page.next ?? '' })).toEqual(['tables/ 2'])
  })

  it('gives way to a directory of its name, which is said, and to a page of it', async () => {
    await using lab = await open({ ...HELD, 'team/snow/x.md': 'x' })
    const { next = '' } = await (await lab.engine.placeReader()).browse({ place: 'lab/team/snow', limit: 1 }, SILENT)
    expect(await told(lab.engine, 'lab/team/snow', { after: next })).toEqual(['x.md 1'])
    const { choice, package: named } = await (await lab.engine.placeReader()).browse({ place: 'lab/team/snow' }, SILENT)
    expect([choice, named]).toEqual([
      'team/snow means the directory. For the package of that name, write lab/team/snow:latest.',
      undefined,
    ])
  })
})

describe('a bucket that is no collection', () => {
  it('is listed with its packages, and nothing is said of an index', async () => {
    await using lab = await inBucket({})
    const away = new Bucket(REGION)
    lab.server.buckets.set('away', away)
    for (const [key, value] of Object.entries(HELD)) {
      away.put(key, Buffer.from(String(value).replaceAll('s3://bucket/', 's3://away/')), {})
    }
    const look = await lab.engine.placeReader()
    expect(await told(lab.engine, 's3://away')).toEqual(['.quilt/', 'data/', 'notes/', 'store/', 'team/'])
    expect(await look.browse({ place: 's3://away/notes' }, SILENT)).toMatchObject({
      collection: null,
      uri: 's3://away/notes',
      entries: [{ name: 'wind.md', kind: 'file', size: 7, isIndexed: false }],
    })
    const { file } = await look.browse({ place: 's3://away/notes/wind.md' }, SILENT)
    expect(file).toMatchObject({ name: 'wind.md', size: 7, isIndexed: false })
    expect(await told(lab.engine, 's3://away/team/rain/tables')).toEqual(['days.csv 7', 'more/ 1'])
    expect(await told(lab.engine, 'quilt+s3://away#package=team/rain')).toEqual(['README.md 7', 'tables/ 2'])
    const near = await failure(look.browse({ place: 's3://away/team/ran' }, SILENT))
    expect(near).toMatchObject({ code: 'not-found', hint: 'Similar: s3://away/team/rain.' })
  })

  it.each([
    ['s3://away/my%20notes', ['50%.md 5'], 's3://away/my%20notes'],
    ['s3://away/my notes/', ['50%.md 5'], 's3://away/my%20notes'],
    ['s3://away/my%20notes/50%25.md', ['50%.md 5'], 's3://away/my%20notes/50%25.md'],
    ['s3://away/my notes/50%.md', ['50%.md 5'], 's3://away/my%20notes/50%25.md'],
  ])('has places that are escaped or not: %s', async (place, entries, uri) => {
    await using lab = await inBucket({})
    const away = new Bucket(REGION)
    away.put('my notes/50%.md', Buffer.from('# Fif'), {})
    lab.server.buckets.set('away', away)
    const { entries: listed, file, ...answer } = await (await lab.engine.placeReader()).browse({ place }, SILENT)
    const files = file === undefined ? listed : [file]
    expect([files.map(({ name, size }) => `${name} ${size}`), answer.uri]).toEqual([entries, uri])
  })
})
