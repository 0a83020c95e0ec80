import { describe, expect, it } from 'vitest'
import { safeReturnUrl } from '../../../src/surfaces/http/sign-on/sign-on.ts'
import { isPagePath } from '../../../src/surfaces/http/web.ts'
import { fc, forAll } from '../../support/property.ts'

describe('where a browser goes on', () => {
  it.each(['/', '/browse/docs/a%20b', '/search?q=berths&mode=any', '/chat/talk-1', '/browse/%22%3E%3Cscript%3E'])(
    'is what it asked for: %s',
    (to) => {
      expect(safeReturnUrl(to)).toBe(to)
    },
  )

  it.each<[unknown, string | null | undefined]>([
    ['nothing', undefined],
    ['nothing in a form', null],
    ['another site', 'https://evil.example/browse'],
    ['another site by two slashes', '//evil.example/browse'],
    ['another site by backslashes', '/\\evil.example/browse'],
    ['another site behind a tab', '/\t/evil.example/browse'],
    ['another site by dots', '/.//evil.example'],
    ['a script', 'javascript:alert(1)'],
    ['an operation', '/api/search?q=x'],
    ['the end of a session', '/logout'],
    ['more than a cookie holds, once it is spelled out', `/search?q=${'ß'.repeat(400)}`],
  ])('is the first page for %s', (_, to) => {
    expect(safeReturnUrl(to)).toBe('/')
  })

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
