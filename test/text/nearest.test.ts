import { expect, it } from 'vitest'
import { nearest } from '../../src/text/nearest.ts'

it.each([
  ['serach', ['get', 'search', 'status'], ['search']],
  ['SEARCH', ['search'], ['search']],
  ['docs/api/eror.md', ['docs/api/errors.md', 'notes/todo.md'], ['docs/api/errors.md']],
  ['errors.md', ['docs/api/errors.md', 'docs/other.md'], ['docs/api/errors.md']],
  ['old/errors.md', ['docs/api/errors.md', 'docs/readme.md'], ['docs/api/errors.md']],
  ['ab', ['ad', 'ae', 'ac', 'abc'], ['abc', 'ac', 'ad']],
  ['nothing like it', ['search', 'get'], []],
  ['anything', [], []],
])('near to %s, of %j, are %j', (asked, texts, near) => expect(nearest(asked, texts)).toEqual(near))
