import { expect, it } from 'vitest'
import { citedAs, identifyFile } from '../../src/text/citations.ts'

const HASH = 'abf6583ff6d6ecc971f0d5b9b05f4245ee8518f91ee7257d5afedf5e8c57bb02'
const PACKAGE = `ambit://lab/team/data@${HASH}`

const BUCKET = `quilt+s3://bucket#package=team/data@${HASH}`

it.each<[string, Record<string, string>, string, string | undefined, string?]>([
  ['a document', { uri: 'ambit://docs/a.md', path: '/x' }, 'ambit://docs', 'ambit://docs/a.md'],
  ['a file on disk', { filename: '/srv/a b/AGENTS.md' }, '/srv', 'file:///srv/a%20b/AGENTS.md'],
  ['a collection file', { path: '/a b/README.md', scope: 'bucket' }, 'ambit://lab/x', 'ambit://lab/a%20b/README.md'],
  ['a file of a package', { path: '/README.md', scope: 'package' }, `${PACKAGE}/x`, `${PACKAGE}/README.md`],
  ['what a package is in', { path: '/README.md', scope: 'bucket' }, `${PACKAGE}/x`, 'ambit://lab/README.md'],
  ['what was said of a collection', { path: '/' }, 'ambit://lab/x', 'ambit://lab'],
  ['what was said of a path', { path: '/x' }, 'ambit://lab/x/y', 'ambit://lab/x'],
  ['a file of a bucket', { path: '/x y/README.md', scope: 'bucket' }, 's3://bucket/x', 's3://bucket/x%20y/README.md'],
  [
    'a file of a package of a bucket',
    { path: '/a b/README.md', scope: 'package' },
    `${BUCKET}&path=a`,
    `${BUCKET}&path=a%20b/README.md`,
  ],
  ['what it is in', { path: '/README.md', scope: 'bucket' }, BUCKET, 'ambit://lab/README.md', 'ambit://lab'],
  ['a path of no place', { path: '/x' }, '/srv', '/x'],
  ['a place that has a hash nowhere', { path: '/x', scope: 'package' }, 'ambit://lab/x', '/x'],
  ['what has no place', { truncated: 'false' }, 'ambit://lab', undefined],
])('%s is cited by one address', (_, attributes, place, cited, root) => {
  expect(citedAs({ tag: 'context-file', attributes }, { place, root })).toBe(cited)
})

it.each([
  [`${BUCKET}&path=a/b`, BUCKET],
  [`${PACKAGE}/a/b`, PACKAGE],
])('what is said of the package at %s is cited as the package', (place, cited) => {
  expect(citedAs({ tag: 'package-info', attributes: {} }, { place })).toBe(cited)
})

const ROOTS = [
  { name: 'docs', root: '/srv/my docs' },
  { name: 'lab', root: 's3://bucket/part' },
]

it.each([
  ['ambit://docs/a%20b.md', 'file:///srv/my%20docs/a%20b.md', true],
  ['ambit://lab/a%20b.md', 's3://bucket/part/a%20b.md', true],
  ['ambit://lab/a.md', 's3://bucket/a.md', false],
  [`ambit://lab/team/data@${HASH}/a.md`, 's3://bucket/part/team/data/a.md', false],
  ['ambit://other/a.md', 'file:///srv/my%20docs/a.md', false],
])('%s and %s are one file: %s', (one, other, isOne) => {
  expect(identifyFile(one, ROOTS) === identifyFile(other, ROOTS)).toBe(isOne)
})
