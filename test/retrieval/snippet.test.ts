import { describe, expect, it } from 'vitest'
import { holdsPhrase, type Snippet, snippetsOf } from '../../src/retrieval/snippets.ts'
import { mainTerms, scanTerms, stemOf } from '../../src/retrieval/terms.ts'
import { splitFrontMatter } from '../../src/text/front-matter.ts'
import { fc, forAll } from '../support/property.ts'

/** What is looked for, the first the most telling. */
function telling(...words: readonly string[]): Map<string, number> {
  return new Map(words.map((word, index) => [stemOf(word), words.length - index]))
}

/** A snippet as `start-end: text`, matches in `[]`. */
function marked({ text, start, end, highlights }: Snippet): string {
  const shown = highlights.reduceRight((rest, span) => {
    return `${rest.slice(0, span.start)}[${rest.slice(span.start, span.end)}]${rest.slice(span.end)}`
  }, text)
  return `${start}-${end}: ${shown}`
}

function shown(text: string, words: readonly string[], most = 1): string[] {
  return snippetsOf(text, telling(...words), { most }).map(marked)
}

const filler = (count: number) => Array.from({ length: count }, (_, at) => `Line ${at}, because we can.\n`).join('')

describe('a snippet with a piece of text that was looked for', () => {
  it.each([
    ['shows it, whatever words it is of', 'one\nfive\n\nx = y->Next();', 'y->n', '4-4: x = [y->N]ext();'],
    ['shows each', 'ab ab\nAB', 'ab', '1-2: [ab] [ab]\n[AB]'],
    ['shows it with the words around', 'one\n\nfour->five two', 'r->f', '3-3: fou[r->f]ive [two]'],
    ['shows it rather than the words', 'two\n\n\n\n\nfour->five', 'r->f', '6-6: fou[r->f]ive'],
    ['shows that of the body', '---\na: x->y\n---\nText.\nIn x->y', 'x->y', '5-5: In [x->y]'],
    ['shows front matter when there is no other', '---\na: x->y\n---\nText.', 'x->y', '2-4: a: [x->y]\n---\nText.'],
    ['shows it over the end of a line', 'a b\nc d', 'b\nc', '1-2: a [b\nc] d'],
    ['finds a letter that is longer in lower case', '\u0130\u0130 x', 'ii x', '1-1: [\u0130\u0130 x]'],
  ])('%s', (_, text, piece, expected) => {
    expect(snippetsOf(text, telling('two'), { pieces: [piece] }).map(marked)).toEqual([expected])
  })
})

describe('a snippet of a long text', () => {
  const table = '# Members\n\n| find next file | Finds |\n| find file | Finds the first |\n| next | The next file |\n'
  it('is the section that is about it, and not the table that names it', () => {
    const text = `${table}\n${filler(50)}\n## Find::NextFile\n\nCall it to go on.\n`
    expect(shown(text, ['find', 'next', 'file'])).toEqual(['58-60: ## [Find]::[NextFile]\n\nCall it to go on.'])
  })

  it('is where all stands, and not a heading that has a part of it', () => {
    const text = `# Find\n\nIt is there.\n\n${filler(9)}\nTo find the next file.\n`
    expect(shown(text, ['find', 'next', 'file'])).toEqual(['15-15: To [find] the [next] [file].'])
  })
})

describe('a snippet near a passage', () => {
  it.each([
    [394, 1],
    [395, 2],
  ])('of %i characters begins on line %i: at the heading, where that fits', (length, start) => {
    const near = { start: 4, end: 4 + length, isNearest: true }
    expect(snippetsOf(`# A\n${'x'.repeat(length)}`, telling(), { near })[0]).toMatchObject({ start })
  })
})

describe('a snippet of a part of a line', () => {
  it('says where the line goes on', () => {
    const ends = (text: string) => {
      const [{ text: found, span } = { text: '', span: { start: 0, end: 0 } }] = snippetsOf(text, telling('alpha'))
      expect(found.replace(/^…|…$/g, '')).toBe(text.slice(span.start, span.end))
      return [found.startsWith('…'), found.endsWith('…')]
    }
    expect(ends(`alpha ${'x '.repeat(900)}`)).toEqual([false, true])
    expect(ends(`${'x '.repeat(900)}alpha ${'x '.repeat(900)}`)).toEqual([true, true])
    expect(ends(`${'x '.repeat(900)}alpha`)).toEqual([true, false])
    expect(ends('alpha')).toEqual([false, false])
  })
})

describe('a snippet', () => {
  it.each([
    ['the line of the word, and more', 'one\ntwo\nthree\nfour\nfive\nsix', ['two'], '2-5: [two]\nthree\nfour\nfive'],
    ['what stands up to the next blank line', 'one\ntwo\nthree\n\nfour', ['one'], '1-3: [one]\ntwo\nthree'],
    ['a heading, and what follows it', '# Retries\n\nText.\nMore.\n', ['retry'], '1-3: # [Retries]\n\nText.'],
    ['a single line between blank ones', 'one\n\ntwo\n\n\nthree', ['two'], '3-3: [two]'],
    ['words by their stems', 'x\nIt retried.\n', ['retry'], '2-2: It [retried].'],
    ['words of other cases and accents', 'x\nÉTUDE\n', ['etude'], '2-2: [ÉTUDE]'],
    ['a part of a name', 'x\ncall openFile()\n', ['file'], '2-2: call [openFile]()'],
    ['a name of several words', 'x\nmax_retries\n', ['max_retries'], '2-2: [max_retries]'],
    ['C++', 'C and\nC++\n', ['c++'], '2-2: [C++]'],
    ['Chinese', '无关\n全文检索\n', ['检索'], '2-2: 全文[检索]'],
    ['Chinese by its last character', '无关\n全文检索\n', ['索'], '2-2: 全文检[索]'],
    ['what holds most words, later', 'alpha\n\n\nbeta\n\n\nalpha beta\n', ['alpha', 'beta'], '7-7: [alpha] [beta]'],
    ['what tells more, though it comes later', 'beta beta beta\n\n\nalpha\n', ['alpha', 'beta'], '4-4: [alpha]'],
    ['the earliest of equals', 'alpha 1\n\n\nalpha 2\n', ['alpha'], '1-1: [alpha] 1'],
    ['what stands two lines below, behind a blank one', 'beta\n\nalpha\n', ['alpha', 'beta'], '1-3: [beta]\n\n[alpha]'],
    ['what says it twice rather than once', 'alpha\n\n\nalpha alpha\n', ['alpha'], '4-4: [alpha] [alpha]'],
    ['prose rather than a link alone', '- [alpha](a.md)\n\nOf alpha.\n', ['alpha'], '3-3: Of [alpha].'],
    ['prose rather than an image', '![alpha](a.png)\n\nOf alpha.\n', ['alpha'], '3-3: Of [alpha].'],
    ['a link where there is nothing else', 'x\n\n[alpha](a.md)\n', ['alpha'], '3-3: [[alpha]](a.md)'],
    ['the beginning where nothing is found', 'one\ntwo\n', ['alpha'], '1-2: one\ntwo'],
    ['the beginning behind blank lines', '\n \n\none\n', ['alpha'], '4-4: one'],
    ['nothing of an empty text', '', ['alpha'], '1-1: '],
    ['nothing of blank lines', '\n\n \n', ['alpha'], '4-4: '],
    ['the beginning where nothing is looked for', 'one\n', [], '1-1: one'],
  ] satisfies [string, string, string[], string][])('shows %s', (_, text, words, expected) => {
    expect(shown(text, words)).toEqual([expected])
  })

  it.each([
    ['YAML', '---\ntitle: alpha\n---\nOf alpha.\n', '4-4: Of [alpha].'],
    ['YAML that alone holds the word', '---\ntitle: alpha\n---\n\nBody.\n', '5-5: Body.'],
    ['a line that only looks like it', 'x\n---\nalpha\n---\n', '3-4: [alpha]\n---'],
  ])('leaves out front matter: %s', (_, text, expected) => {
    expect(shown(text, ['alpha'])).toEqual([expected])
  })

  it.each([
    ['LF', '\n'],
    ['CRLF', '\r\n'],
    ['CR', '\r'],
  ])('counts lines as the file does, ended by %s', (_, end) => {
    const text = ['one', 'two', '', 'alpha here', 'and there', '', 'last'].join(end)
    expect(shown(text, ['alpha'])).toEqual([`4-5: [alpha] here${end}and there`])
  })

  it.each([
    ['because', 'cat', 'the cat sat'],
    ['very long words that begin so: catalogue', 'cat', 'cat'],
    ['première étape', 'étude', 'une étude'],
    ['которые', 'кот', 'кот'],
    ['мойка', 'мой', 'мой дом'],
    ['Λόγοι', 'λόγος', 'λόγος'],
    ['STRASSENBAHN', 'straße', 'Straße'],
    ['İstanbullu', 'istanbul', 'İstanbul'],
    ['full', 'ｆｕｌｌ１', 'ｆｕｌｌ１'],
    ['étrange', 'e\u0301tude', 'e\u0301tude'],
    ['kana', 'かな', 'ひらかな'],
  ])('passes a hundred lines of %j, and finds %s', (other, word, line) => {
    const terms = new Map(mainTerms(word).map((term) => [term, 1]))
    const [found] = snippetsOf(`${`${other}\n`.repeat(100)}\n${line}\n`, terms)
    expect(found).toMatchObject({ start: 102, end: 102, text: line })
    expect(found?.highlights).toHaveLength(1)
  })

  it('finds what is rare among what is frequent', () => {
    const text = `${'alpha\n\n\n'.repeat(900)}alpha beta\n`
    expect(shown(text, ['beta', 'alpha'])).toEqual(['2701-2701: [alpha] [beta]'])
    expect(shown(text, ['alpha', 'beta'])).toEqual(['2701-2701: [alpha] [beta]'])
  })

  it('finds the one of many words that is there', () => {
    const many = new Map(Array.from({ length: 128 }, (_, at) => [`config${at}`, 1]))
    expect(snippetsOf(`${filler(50)}config99\n`, many).map(marked)).toEqual(['51-51: [config99]'])
  })

  it('gives several pieces, the best first, none over another', () => {
    const text = `alpha\n${filler(20)}alpha beta\n${filler(20)}beta\n`
    const found = shown(text, ['alpha', 'beta'], 5)
    expect(found.map((each) => each.split('\n')[0])).toEqual(['22-25: [alpha] [beta]', '1-4: [alpha]', '43-43: [beta]'])
    expect(shown(text, ['alpha', 'beta'], 2)).toEqual(found.slice(0, 2))
  })

  describe('of a long line', () => {
    it.each([
      ['at its beginning', 0],
      ['in its middle', 5000],
      ['at its end', 10_000],
    ])('shows the part around the word, %s', (_, at) => {
      const line = `${'x '.repeat(at / 2)}alpha ${'y '.repeat((10_000 - at) / 2)}`
      const [found] = snippetsOf(`one\n${line}\nthree\n`, telling('alpha'))
      expect(found?.text.length).toBeLessThanOrEqual(400)
      expect(found).toMatchObject({ start: 2 })
      const [{ start, end } = { start: 0, end: 0 }] = found?.highlights ?? []
      expect(found?.text.slice(start, end)).toBe('alpha')
    })

    it('holds no half of a character', () => {
      for (let shift = 0; shift < 4; shift++) {
        const [found] = snippetsOf(
          `${'🎉'.repeat(300)}${'x'.repeat(shift)} alpha ${'🎉'.repeat(300)}`,
          telling('alpha'),
        )
        expect(found?.text.isWellFormed()).toBe(true)
        expect(found?.text).toContain('alpha')
      }
    })
  })

  it('is what stands in the lines that it names, and marks words that are looked for', () => {
    const word = fc.constantFrom(...'alpha Beta gammas été openFile max_alpha 検索 because 🎉 ß'.split(' '), '')
    const line = fc.array(word, { maxLength: 6 }).map((words) => words.join(' '))
    const end = fc.constantFrom('\n', '\r\n', '\n\n', '\r')
    const text = fc.array(fc.tuple(line, end), { maxLength: 30 }).map((lines) => lines.flat().join(''))
    const matter = fc.constantFrom('', '---\ntitle: alpha\n---\n')
    const terms = fc.uniqueArray(fc.constantFrom('alpha', 'beta', 'gamma', 'ete', 'file', '検索', 'ss'), {
      maxLength: 4,
    })
    forAll(500, matter, text, terms, fc.integer({ min: 1, max: 3 }), (front, rest, wanted, most) => {
      const whole = front + rest
      const lines = whole.split(/\r\n?|\n/)
      const found = snippetsOf(whole, telling(...wanted), { most })
      for (const { text: piece, start, end: last, highlights } of found) {
        expect(
          lines
            .slice(start - 1, last)
            .join('\n')
            .trimEnd(),
        ).toBe(piece.replace(/\r\n?/g, '\n'))
        for (const span of highlights) {
          const heard: string[] = []
          const add = (term: string) => void heard.push(term)
          scanTerms(piece.slice(span.start, span.end), { main: add, extra: add })
          expect(heard.some((term) => telling(...wanted).has(term))).toBe(true)
        }
      }
      expect(found.some(({ highlights }) => highlights.length > 0)).toBe(isIn(whole, wanted))
    })
  })
})

/** Whether any of the terms stands in a text behind its front matter. */
function isIn(text: string, wanted: readonly string[]): boolean {
  let found = false
  const add = (term: string) => {
    if (telling(...wanted).has(term)) found = true
  }
  scanTerms(text, { main: add, extra: add }, splitFrontMatter(text).body)
  return found
}

describe('a phrase', () => {
  it.each([
    ['as it is', 'out of memory', 'out of memory', true],
    ['in another form', 'Retried, after timeouts', 'retry after timeout', true],
    ['over the end of a line', 'out of\nmemory', 'out of memory', true],
    ['with signs between', 'out-of-memory', 'out of memory', true],
    ['within a longer text', 'we ran out of memory again', 'out of memory', true],
    ['after a false beginning', 'out of out of memory', 'out of memory', true],
    ['that overlaps itself', 'a1 b1 a1 b1 a1 c1', 'a1 b1 a1 c1', true],
    ['of one word said twice', 'no no', 'no no', true],
    ['in Chinese', '全文检索引擎', '检索引擎', true],
    ['in another order', 'memory out of', 'out of memory', false],
    ['with a word between', 'out of all memory', 'out of memory', false],
    ['cut off', 'we ran out of', 'out of memory', false],
    ['of one word said once', 'no', 'no no', false],
    ['of words within a name', 'openFile now', 'file now', false],
    ['that is empty', 'anything', '', false],
    ['in an empty text', '', 'out', false],
  ])('is found, or not: %s', (_, text, phrase, expected) => {
    expect(holdsPhrase(text, mainTerms(phrase))).toBe(expected)
  })

  it('is found where its words stand one after the other', () => {
    const words = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 30 })
    forAll(1000, words, fc.array(fc.constantFrom('a', 'b', 'c'), { minLength: 1, maxLength: 5 }), (text, phrase) => {
      const isThere = ` ${text.join(' ')} `.includes(` ${phrase.join(' ')} `)
      expect(holdsPhrase(text.join(' '), phrase)).toBe(isThere)
    })
  })
})
