import { describe, expect, it } from 'vitest'
import { parseQuery, stemsOfPrefix } from '../../src/retrieval/query.ts'
import { stemOf } from '../../src/retrieval/terms.ts'
import { fc, forAll } from '../support/property.ts'
import { rowsOf } from '../support/rows.ts'

const FIELD = { true: 'title:', false: '' } as const

/** What is looked for, in a line: `name+` names, `part/` parts, `*` prefixes, `title:` of the title, `x2` said twice. */
function wanted(text: string): string {
  const { terms } = parseQuery(text)
  return terms
    .map(({ term, isPrefix, inTitle, kind, weight }) => {
      const times = Math.round(Math.exp(weight - 1))
      const mark = { word: '', name: '+', part: '/' }[kind]
      return `${FIELD[`${inTitle}`]}${term}${isPrefix ? '*' : ''}${mark}${times > 1 ? `x${times}` : ''}`
    })
    .join(' ')
}

/** What must be there, and what must not, in a line. */
function rules(text: string): string {
  const { phrases, withoutTerms, withoutPhrases, paths, withoutPaths, pieces, withoutPieces } = parseQuery(text)
  const phrase = ({ terms, inTitle }: { readonly terms: readonly string[]; readonly inTitle: boolean }) =>
    `${FIELD[`${inTitle}`]}"${terms.join(' ')}"`
  return [
    ...phrases.map(phrase),
    ...withoutTerms.map(({ term, isPrefix, inTitle }) => `-${FIELD[`${inTitle}`]}${term}${isPrefix ? '*' : ''}`),
    ...withoutPhrases.map((each) => `-${phrase(each)}`),
    ...paths.map((part) => `path:${part}`),
    ...withoutPaths.map((part) => `-path:${part}`),
    ...pieces.map((piece) => `contains:<${piece}>`),
    ...withoutPieces.map((piece) => `-contains:<${piece}>`),
  ].join(' ')
}

describe('a query', () => {
  it.each([
    ['words', 'retry after timeouts', 'retri timeout', ''],
    ['white space of any kind', '\tretry \r\n\u3000timeouts ', 'retri timeout', ''],
    ['a word said again', 'retry, retries and retried', 'retrix3', ''],
    ['stop words where there is nothing else', 'to be or not to be', 'tox2 bex2 or not', ''],
    ['a stop word that is asked for in the title', 'title:the node', 'title:the node', ''],
    ['words with AND and OR, which say little', 'cats AND dogs OR birds NOT fish', 'cat dog bird fish', ''],
    ['a phrase', '"retry after" timeouts', 'retri timeout', '"retri after"'],
    ['a phrase that is not closed', 'timeouts "retry after', 'timeout retri', '"retri after"'],
    ['a phrase of words that say little', '"the who" band', 'the who band', '"the who"'],
    ['a piece of text', 'node contains:"a -> B("', 'node', 'contains:<a -> B(>'],
    ['a piece of text without quotes', 'contains:->next( node', 'node', 'contains:<->next(>'],
    ['a piece with quotes and backslashes', String.raw`Contains:"a\"\\n\n" x`, 'x', String.raw`contains:<a"\n\n>`],
    ['a piece that is not closed', 'node contains:"a b', 'node', 'contains:<a b>'],
    ['a piece that ends with a backslash', String.raw`contains:"C:\dir\\" x`, 'x', 'contains:<C:\\dir\\>'],
    ['a piece that must not be there', 'node -contains:"a b"', 'node', '-contains:<a b>'],
    ['an empty piece', 'node contains:""', 'node', ''],
    ['the word contains', 'what contains nodes', 'contain node', ''],
    ['empty quotes', '"" "  " node', 'node', ''],
    ['quotes as they are printed', '“retry after” timeouts', 'retri timeout', '"retri after"'],
    ['quotes of other languages', '„retry after“', 'retri', '"retri after"'],
    ['quotes of two kinds', '«retry after" title:“how to”', 'retri title:how title:to', '"retri after" title:"how to"'],
    ['a printed quote in a piece of text', 'contains:"“a”"', '', 'contains:<“a”>'],
    ['an apostrophe as it is printed', 'don’t', 'don t', ''],
    ['a word that must not be there', 'node -windows', 'node', '-window'],
    ['a phrase that must not be there', 'node -"windows 11"', 'node', '-"window 11"'],
    ['a name that must not be there', 'language -C++', 'languag', '-c++'],
    ['words joined that must not be there', 'a1 -foo-bar', 'a1', '-"foo bar"'],
    ['a hyphen within a word, with the word without it', 'multi-agent', 'multi agent multiag+', ''],
    ['other hyphens', 'e\u2010mail re\u2011index', 'e mail email+ re index reindex+', ''],
    ['a minus alone', 'a1 - b2', 'a1 b2', ''],
    ['two minuses, which are the name of an option', '--force push', 'forc push', ''],
    ['an arrow', 'a1 -> b2', 'a1 b2', ''],
    ['only what must not be there', '-windows -"a b"', '', '-window -"a b"'],
    ['a prefix', 'retr*', 'retr*', ''],
    ['a prefix in capitals, with accents', 'RÉTR*', 'retr*', ''],
    ['a prefix behind other words', 'multi-agen*', 'multi agen*', ''],
    ['a prefix that must not be there', 'node -win*', 'node', '-win*'],
    ['asterisks behind no word', '* ** foo** src/*', 'foo src', ''],
    ['an asterisk before a word', '*foo', 'foo', ''],
    ['a word of the title', 'title:install node', 'title:instal node', ''],
    ['a phrase of the title', 'Title:"how to"', 'title:how title:to', 'title:"how to"'],
    ['a word that must not be in the title', 'node -title:old', 'node', '-title:old'],
    ['a phrase that must not be in the title', '-title:"old news"', '', '-title:"old new"'],
    ['a prefix in the title', 'title:inst*', 'title:inst*', ''],
    ['a part of the path', 'node path:API/Café', 'node', 'path:api/cafe'],
    ['a part of the path with spaces', 'path:"my files"', '', 'path:my files'],
    ['what the path must not hold', 'node -path:test', 'node', '-path:test'],
    ['a path without a part', 'node path:""', 'node', ''],
    ['fields without a value, which are words', 'title: path:', 'titl path', ''],
    ['unknown fields, which are words', 'author:Ann http://example.com', 'author ann http exampl com', ''],
    ['identifiers', 'CFileFind::FindNextFile', 'cfilefind file/ find/ findnextfil find/ next/ file/', ''],
    ['a name and its part', 'openFile open', 'openfil open/ file/ open', ''],
    ['snake_case', 'max_retries', 'max retri max_retries+', ''],
    ['a version', 'v1.0.21', 'v1 0 21 1.0.21+', ''],
    ['C++', 'C++ templates', 'c c+++ templat', ''],
    ['Chinese', '全文检索', '全文 文检 检索', ''],
    ['one Chinese character, as how a term begins', '索', '索*', ''],
    ['Chinese with an asterisk, which says nothing', '检索* 检*', '检索 检*', ''],
    ['Chinese that must not be there', 'a1 -检索 -索 -全文检索', 'a1', '-检索 -索* -"全文 文检 检索"'],
    ['Korean in parts of characters', '\u1112\u1161\u11ab\u1100\u116e\u11a8', '한국', ''],
    ['emoji beside a word', '🎉 party ❤️', 'parti', ''],
    ['emoji alone, which are pieces of text', '🎉 ❤️', '', 'contains:<🎉> contains:<❤>'],
    ['an operator alone', '=>', '', 'contains:<=>>'],
    ['an emoji in a part of the path', 'path:docs 🎉', '', 'path:docs'],
    ['nothing', '', '', ''],
    ['no words', '?!… "–" -" -- *', '', ''],
  ])('of %s is read', (_, text, terms, ruled) => {
    expect([wanted(text), rules(text)]).toEqual([terms, ruled])
  })

  it('keeps what was typed, as a whole and by word', () => {
    const text = ' "Retries" after_all Opt* '
    expect(parseQuery(text).text).toBe(text)
    expect(parseQuery(text).terms.map(({ word }) => word)).toEqual(['Retries', 'after_all', 'Opt*'])
  })

  it('counts what is said again for more, but not twice', () => {
    const [once, twice, thrice] = ['x1', 'x1 x1', 'x1 x1 x1'].map((text) => parseQuery(text).terms[0]?.weight ?? 0)
    expect(once).toBe(1)
    expect(twice).toBeCloseTo(1 + Math.log(2), 12)
    expect(thrice).toBeCloseTo(1 + Math.log(3), 12)
  })

  it.each([
    [5, true],
    [6, false],
  ])('with %i more telling words takes quotes for commands: %s', (count, isCommand) => {
    const words = ['alpha', 'beta', 'gamma', 'delta', 'epsilon', 'zeta'].slice(0, count).join(' ')
    const { phrases, terms } = parseQuery(`why does ${words} with "out of memory"`)
    expect(phrases).toHaveLength(isCommand ? 1 : 0)
    expect(terms.map(({ term }) => term)).toContain('memori')
  })

  it.each([
    ['words', 'w#', 64, ({ terms }) => terms.length],
    ['words that must not be there', '-w#', 64, ({ withoutTerms }) => withoutTerms.length],
    ['phrases', '"a# b"', 16, ({ phrases }) => phrases.length],
    ['phrases that must not be there', '-"a# b"', 16, ({ withoutPhrases }) => withoutPhrases.length],
    ['parts of paths', 'path:p#', 16, ({ paths }) => paths.length],
    ['parts that paths must not hold', '-path:p#', 16, ({ withoutPaths }) => withoutPaths.length],
  ] satisfies [string, string, number, (query: ReturnType<typeof parseQuery>) => number][])(
    'has so many %s',
    (_, part, most, count) => {
      const long = (times: number) => Array.from({ length: times }, (__, at) => part.replace('#', `${at}`)).join(' ')
      expect(count(parseQuery(long(most)))).toBe(most)
      expect(count(parseQuery(long(most + 1)))).toBe(most)
    },
  )

  it('is read up to 32,768 characters', () => {
    const read = (start: number, end: string) => {
      const { text, terms } = parseQuery(`${'a'.repeat(start - 1)} ${end}`)
      return [text.length, ...terms.slice(1).map(({ word }) => word)]
    }
    expect(read(32_764, 'word')).toEqual([32_768, 'word'])
    expect(read(32_764, 'word more')).toEqual([32_768, 'word'])
    // Neither a part of a word nor half a character is searched.
    expect(read(32_764, 'xword')).toEqual([32_764])
    expect(read(32_467, `${'x'.repeat(300)}𝕏`)[0]).toBe(32_767)
  })

  it('may be any text at all', () => {
    const sign = fc.constantFrom(...'"-* \0🎉検\u0301+#_.a', 'title:', 'path:', '\ud83d', '\udc00', 'B1')
    forAll(1000, fc.array(fc.oneof(sign, fc.string({ unit: 'binary', maxLength: 5 }))), (parts) => {
      const { terms, withoutTerms, phrases, withoutPhrases, paths } = parseQuery(parts.join(''))
      for (const { term } of [...terms, ...withoutTerms]) expect(term).not.toBe('')
      for (const { terms: words } of [...phrases, ...withoutPhrases]) expect(words).not.toEqual([])
      expect(paths).not.toContain('')
    })
  })
})

describe('the stems of a prefix', () => {
  it.each(
    rowsOf(
      'configurat configuration | configuration configurations | retries retries | retrie retries | running running | ' +
        'runni running | relationa relational | happine happiness | generaliz generalization | electrici electricity | ' +
        'capabili capabilities | hopefuln hopefulness | callousl callously | queries queries | agreed agreed',
    ),
  )('of %s hold that of %s', (prefix = '', word = '') => {
    expect(stemsOfPrefix(prefix)).toContain(stemOf(word))
  })

  it.each(rowsOf('portab port | testamen test | category cat | xyz1 xyz | 検索 検'))(
    'of %s do not hold %s, of which no word goes on so',
    (prefix = '', stem = '') => {
      expect(stemsOfPrefix(prefix)).not.toContain(stem)
    },
  )

  it('are few', () => {
    forAll(fc.stringMatching(/^[a-z]{0,12}(ation|iz|abl|es|ful)?$/), (prefix) => {
      const stems = stemsOfPrefix(prefix)
      expect(stems[0]).toBe(stemOf(prefix))
      expect(stems.length).toBeLessThan(20)
      for (const stem of stems.slice(1)) expect(stem.startsWith(prefix)).toBe(false)
    })
  })
})
