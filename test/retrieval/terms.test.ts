import { describe, expect, it } from 'vitest'
import { foldWord, isStopWord, mainTerms, scanTerms, stemOf, termsAmong, termsOf } from '../../src/retrieval/terms.ts'
import { fc, forAll } from '../support/property.ts'

/** Terms of a text, in order: extra ones after `+`, parts after `/`, the tails of runs after `~`. */
function told(text: string): string[] {
  const heard: string[] = []
  const tell = (mark: string) => (term: string) => void heard.push(`${mark}${term}`)
  scanTerms(text, { main: tell(''), extra: tell('+'), part: tell('/'), tail: tell('~') })
  return heard
}

describe('the terms of a text', () => {
  it.each([
    ['English, by its stems', 'Retries retried, retrying', ['retri', 'retri', 'retri']],
    ['short words as they are', 'a is go', ['a', 'is', 'go']],
    ['words with digits as they are', 'utf8 2nd', ['utf8', '/utf', '2nd']],
    ['accents folded', 'Café CAFE cafe\u0301', ['cafe', 'cafe', 'cafe']],
    ['what is folded stemmed like the rest', 'naïveness', ['naiv']],
    ['Greek, without accents, whatever its sigma', 'ΟΔΟΣ οδός', ['οδοσ', 'οδοσ']],
    ['Russian, without the marks of ё and й', 'Ещё мой', ['еще', 'мои']],
    ['Turkish', 'İSTANBUL', ['istanbul']],
    ['German', 'Straße STRASSE', ['strass', 'strass']],
    ['ligatures and full width as plain letters', 'ﬁle Ｎｏｄｅ', ['file', 'node']],
    ['letters of mathematics as plain ones', '𝐍𝐨𝐝𝐞', ['node']],
    ['a hyphen that may show left out', 'exam\u00adple', ['exampl']],
    ['emoji as none', '❤️ 👩‍💻 🇩🇪', []],
    ['a number in a box as a number', '1️⃣', ['1']],
    ['marks that stand alone as none', '\u0301 \ufe0f', []],
    ['camelCase whole, and in parts', 'openFile', ['openfil', '/open', '/file']],
    ['names with capitals in a row', 'parseHTTPRequest', ['parsehttprequest', '/pars', '/http', '/request']],
    ['names with digits', 'sha256Sum', ['sha256sum', '/sha', '/256', '/sum']],
    ['one capital as no name', 'Hello', ['hello']],
    ['snake_case in words, and whole', 'max_retries', ['max', 'retri', '+max_retries']],
    ['constants', 'MAX_SIZE', ['max', 'size', '+max_size']],
    ['versions in numbers, and whole', '1.0.21', ['1', '0', '21', '+1.0.21']],
    ['versions the same with their v', 'v1.0.21', ['v1', '0', '21', '+1.0.21']],
    ['names with marks', 'C++ C#', ['c', '+c++', 'c', '+c#']],
    ['Chinese, by pairs', '全文检索', ['全文', '文检', '检索', '~索']],
    ['one Chinese character', '的', ['的']],
    ['Japanese, by pairs', '検索エンジン', ['検索', '索エ', 'エン', 'ンジ', 'ジン', '~ン']],
    ['Thai, by pairs of characters with their marks', 'ที่นี้', ['ที่นี้', '~นี้']],
    ['Korean, by pairs', '검색', ['검색', '~색']],
    ['Han beyond the basic plane, by pairs', '𠀀𠀁', ['𠀀𠀁', '~𠀁']],
  ])('are, of %s', (_, text, expected) => {
    expect(told(text)).toEqual(expected)
  })

  it('are told as further ones where nobody asks for parts and tails', () => {
    const extra: string[] = []
    scanTerms('openFile 検索', { main: () => {}, extra: (term) => void extra.push(term) })
    expect(extra).toEqual(['open', 'file', '索'])
  })

  it('are told with where their word stands', () => {
    const spans: string[] = []
    const text = 'An openFile, 検索'
    const tell = (term: string, start: number, end: number) => void spans.push(`${term}:${text.slice(start, end)}`)
    scanTerms(text, { main: tell, extra: tell })
    expect(spans).toEqual(['an:An', 'openfil:openFile', 'open:openFile', 'file:openFile', '検索:検索', '索:索'])
  })

  it('are cut where a word is hardly one, and never within a character', () => {
    const [whole = ''] = mainTerms('é'.repeat(100_000))
    expect(whole).toBe('e'.repeat(64))
    const odd = `${'é'.repeat(63)}𐐀𐐀`
    expect(mainTerms(odd)).toEqual(['e'.repeat(63)])
    expect(termsOf('aB'.repeat(50_000)).parts.length).toBeLessThanOrEqual(64)
  })

  it('are never empty, and hold no half of a character', () => {
    const unit = fc.oneof(
      fc.constantFrom(...'aZß²ﬁéΣς検が한İ\u0301\u00ad𝐀𠀀ﷺ\ud83d'),
      fc.string({ minLength: 1, maxLength: 2, unit: 'binary' }),
    )
    forAll(fc.string({ unit, maxLength: 80 }), (word) => {
      const once = foldWord(word)
      if (word.isWellFormed()) expect(once.isWellFormed()).toBe(true)
      for (const term of mainTerms(word)) {
        expect(term).not.toBe('')
        expect(term.isWellFormed()).toBe(true)
      }
    })
  })

  it('are the same however often a word is asked for', () => {
    expect(termsOf('Running')).toBe(termsOf('Running'))
    expect(termsOf('Running').main).toBe(stemOf('running'))
  })
})

describe('terms that are looked for in texts', () => {
  it('are found as words, as parts and as names', () => {
    const texts = ['openFile', 'Retries of C++']
    expect([...termsAmong(texts, new Set(['file', 'retri', 'c++', 'absent', 'c']))]).toEqual([
      'file',
      'retri',
      'c',
      'c++',
    ])
  })
})

describe('words that say little', () => {
  it.each(['the', 'and', 'being', 'themselves', 'using', 'because'])('hold %s, as an index has it', (word) => {
    expect(isStopWord(stemOf(word))).toBe(true)
  })

  it.each(['retry', 'node', '検索', '1', ''])('do not hold %j', (word) => {
    expect(isStopWord(stemOf(word))).toBe(false)
  })
})
