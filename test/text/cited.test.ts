import { expect, it } from 'vitest'
import { citedAs } from '../../src/text/citations.ts'

const HASH = 'abf6583ff6d6ecc971f0d5b9b05f4245ee8518f91ee7257d5afedf5e8c57bb02'
const PACKAGE = `ambit://lab/team/data@${HASH}`

it.each<[string, Record<string, string>, string, string | undefined]>([
  ['a document', { uri: 'ambit://docs/a.md', path: '/x' }, 'ambit://docs', 'ambit://docs/a.md'],
  ['a file on disk', { filename: '/srv/AGENTS.md' }, '/srv', '/srv/AGENTS.md'],
  [
    'a file of a collection',
    { path: '/a b/README.md', scope: 'bucket' },
    'ambit://lab/x',
    'ambit://lab/a%20b/README.md',
  ],
  ['a file of a package', { path: '/README.md', scope: 'package' }, `${PACKAGE}/x`, `${PACKAGE}/README.md`],
  ['what a package is in', { path: '/README.md', scope: 'bucket' }, `${PACKAGE}/x`, 'ambit://lab/README.md'],
  ['what was said of a collection', { path: '/' }, 'ambit://lab/x', 'ambit://lab'],
  ['what was said of a path', { path: '/x' }, 'ambit://lab/x/y', 'ambit://lab/x'],
  ['a path of what is no collection', { path: '/x' }, 's3://bucket/x', '/x'],
  ['a place that has a hash nowhere', { path: '/x', scope: 'package' }, 'ambit://lab/x', '/x'],
  ['what has no place', { truncated: 'false' }, 'ambit://lab', undefined],
])('%s is cited by one address', (_, attributes, place, cited) => {
  expect(citedAs(attributes, place)).toBe(cited)
})
