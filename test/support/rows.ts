/** Rows of a table whose cells are short words: `a 1 | b 2`. */
export const rowsOf = (text: string): string[][] => text.split(' | ').map((row) => row.split(' '))

/** Rows of a word and what it comes to, from the words by that: `{ code: 'a.ts Makefile' }`. */
export const rowsBy = (words: Readonly<Record<string, string>>): [word: string, what: string][] =>
  Object.entries(words).flatMap(([what, all]) => all.split(' ').map((word): [string, string] => [word, what]))
