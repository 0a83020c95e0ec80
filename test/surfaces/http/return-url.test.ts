import { describe, expect, it } from 'vitest'
import { safeReturnUrl } from '../../../src/surfaces/http/sign-on/sign-on.ts'
import { isPagePath } from '../../../src/surfaces/http/web.ts'
import { fc, forAll } from '../../support/property.ts'

describe('where a browser goes on', () => {
  it('is a place here, whatever is written', () => {
    const part = fc.constantFrom(
      ...'/ | \\ | .. | . | browse | search | // | : | @ | ? | # | %2f | \t | " | evil'.split(' | '),
    )
    const written = fc.oneof(
      fc.webUrl(),
      fc.string(),
      fc.array(part, { maxLength: 8 }).map((parts) => parts.join('')),
    )
    forAll(written, (to) => {
      const went = new URL(safeReturnUrl(to), 'https://ambit.example')
      expect([went.origin, isPagePath(went.pathname)]).toEqual(['https://ambit.example', true])
      expect(safeReturnUrl(safeReturnUrl(to))).toBe(safeReturnUrl(to))
      expect(safeReturnUrl(to)).not.toMatch(/["<>\s]/)
    })
  })
})
