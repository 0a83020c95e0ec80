import { describe, expect, it } from 'vitest'
import { packagePlace, placeText, pointHint, registryPlace, registryText } from '../../src/quilt/place.ts'
import { failureOf } from './packages/fixtures.ts'

const [LAB, BUCKET] = [{ collection: 'lab' }, { bucket: 'bucket' }]
const HASHED = { name: 'team/data', revision: { hash: '1a2b3c' } }

describe('a package that is written', () => {
  it.each([
    ['lab/team/data', { registry: LAB, spec: { name: 'team/data' } }],
    ['lab/team/data@1a2b3c', { registry: LAB, spec: HASHED }],
    ['lab/team/data:latest', { registry: LAB, spec: { name: 'team/data', revision: { tag: 'latest' } } }],
    ['my @lab/team/data', { registry: { collection: 'my @lab' }, spec: { name: 'team/data' } }],
    ['quilt+s3://bucket#package=team/data', { registry: BUCKET, spec: { name: 'team/data' } }],
    [
      'quilt+s3://bucket#package=team/data@1a2b3c&path=a/b%20c.csv&catalog=example.com',
      { registry: BUCKET, spec: HASHED, path: 'a/b c.csv' },
    ],
  ])('is read: %s', (text, place) => expect(packagePlace(text)).toEqual(place))

  it.each([
    ['', '"" is not a package in a collection.'],
    ['lab', '"lab" is not a package in a collection.'],
    ['team/data', '"team/data" is not a package in a collection.'],
    ['./lab/team/data', '"./lab/team/data" is not a package in a collection.'],
    ['/lab/team/data', '"/lab/team/data" is not a package in a collection.'],
    ['~/lab/team/data', '"~/lab/team/data" is not a package in a collection.'],
    ['ambit://lab/team/data', '"ambit://lab/team/data" is not a package in a collection.'],
    ['s3://bucket/team/data', '"s3://bucket/team/data" is not a package in a collection.'],
    ['lab/team/data/a.csv', '"lab/team/data/a.csv" is more than a package.'],
    ['lab/team/', '"team/" is not a name of a package.'],
    ['lab/../data', '"../data" is not a name of a package.'],
    ['lab/team/data@12', '"12" is not a hash of a package.'],
    ['quilt+s3://bucket', '"quilt+s3://bucket" is not an address of a package.'],
    ['lab/team/\u001b[31mred', '"team/\\u{1b}[31mred" is not a name of a package.'],
  ])('is refused, and says why: %j', (text, message) => {
    expect(failureOf(() => packagePlace(text))).toMatchObject({ code: 'invalid-input', message })
  })
})

describe('a place of packages that is written', () => {
  it.each([
    ['lab', { registry: { collection: 'lab' }, prefix: '' }],
    ['lab/', { registry: { collection: 'lab' }, prefix: '' }],
    ['lab/team/', { registry: { collection: 'lab' }, prefix: 'team/' }],
    ['lab/team/da', { registry: { collection: 'lab' }, prefix: 'team/da' }],
    ['s3://bucket', { registry: { bucket: 'bucket' }, prefix: '' }],
    ['s3://bucket/', { registry: { bucket: 'bucket' }, prefix: '' }],
    ['quilt+s3://bucket', { registry: { bucket: 'bucket' }, prefix: '' }],
  ])('is read: %s', (text, place) => expect(registryPlace(text)).toEqual(place))

  it.each([
    ['', 'is not a place where packages are.'],
    ['./lab', 'is not a place where packages are.'],
    ['ambit://lab', 'is not a place where packages are.'],
    ['s3://', 'names no bucket.'],
    ['s3://bucket/a', 'is more than a bucket.'],
    ['quilt+s3://bucket#package=a/b', 'names a bucket that there can be none of.'],
  ])('is refused, and says why: %j', (text, message) => {
    expect(failureOf(() => registryPlace(text))).toMatchObject({
      code: 'invalid-input',
      message: expect.stringContaining(message),
    })
  })
})

describe('what is told of a place', () => {
  const lab = { collection: 'lab' }
  const bucket = { bucket: 'bucket' }
  const spec = { name: 'team/data', revision: { hash: '1a2b3c' } } as const

  it('can be given to a command again', () => {
    for (const registry of [lab, bucket]) {
      expect(packagePlace(placeText(registry, spec))).toEqual({ registry, spec })
      expect(registryPlace(registryText(registry))).toEqual({ registry, prefix: '' })
    }
  })

  it.each([
    ['"ambit package list" shows', lab, '"ambit package list lab" shows'],
    ['"ambit package log" shows', lab, '"ambit package log lab/team/data" shows'],
    ['"ambit package ls" shows', lab, '"ambit package ls lab/team/data@1a2b3c" shows'],
    ['"ambit package list" shows', bucket, '"ambit package list s3://bucket" shows'],
    ['"ambit package log" shows', bucket, `"ambit package log 'quilt+s3://bucket#package=team/data'" shows`],
    ['"ambit package log" shows', { collection: 'my lab' }, `"ambit package log 'my lab/team/data'" shows`],
    ['See "ambit status".', lab, 'See "ambit status".'],
  ])('is in the commands of a hint: %s', (hint, registry, told) => {
    expect(pointHint(hint, { registry, spec })).toBe(told)
  })
})
