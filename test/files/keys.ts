/** Keys that every place for objects can hold. */
export const HELD_BY_ALL: readonly string[] = [
  'a b',
  ' a',
  'a ',
  'a+b',
  'a%41b',
  'aAb',
  '%',
  '%2F',
  '%00',
  'a#b',
  'a?b=c',
  'a&b',
  'a=b',
  `it's`,
  '"a"<b>&amp;c',
  'a:b;c,d@e',
  '(a)[b]{c}!$*~|^`',
  'a\\b',
  'caf\u00e9',
  'cafe\u0301',
  '日本語/ファイル.md',
  '😀/😀',
  '\ufb00',
  'a\tb',
  'a\nb',
  'a\rb',
  'a\u0001b\u001fc\u007fd',
  '...',
  '.hidden/..b/c..',
  `${'x'.repeat(200)}/${'y'.repeat(200)}/${'é'.repeat(100)}/${'z'.repeat(200)}/${'z'.repeat(220)}`,
]

/** Keys that no file can have. */
export const HELD_BY_SOME: readonly string[] = [
  'p//q',
  '/p',
  '//',
  'p/',
  'x'.repeat(1024),
  'é'.repeat(512),
  `😀${'é'.repeat(510)}`,
  '.',
  '..',
  '../p',
  './p',
  'p/./q',
  'p/../q',
  'p/..',
]

/** By their bytes of UTF-8; by their units of UTF-16, emoji would stand before the two that follow them here. */
export const ORDERED: readonly string[] =
  'A Z a-b a.b a/b a/b.c a/é a0 aa b cafe\u0301 caf\u00e9 ~ \u00e9 \ufb00 \uffe5 😀 😁'.split(' ')
