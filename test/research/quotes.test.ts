import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { checkQuotes, isQuoted } from '../../src/research/report/claim-check.ts'

const SENTENCE = 'The pump must not run above 65 degrees before 1 May 2024.'

describe('a quote is proven', () => {
  it.each([
    ['as it stands', SENTENCE, SENTENCE],
    ['as a part', 'must not run above 65 degrees', SENTENCE],
    ['as one word', 'pump', SENTENCE],
    ['with straight marks for curly ones', `it's "safe" here`, 'it’s “safe” here'],
    ['with curly marks for straight ones', 'it’s «safe» here', `it's "safe" here`],
    ['with single marks in double ones', "he said 'no' twice", 'he said "no" twice'],
    ['with another dash', 'a range of 5-10', 'a range of 5–10'],
    ['with a minus sign', 'at −8 degrees', 'at -8 degrees'],
    ['with an em dash', 'late—too late', 'late-too late'],
    ['with a ligature in the source', 'the final office flow', 'the ﬁnal oﬃce ﬂow'],
    ['with a ligature in the quote', 'the ﬁnal oﬃce', 'the final office'],
    ['with a soft hyphen in the source', 'transformation', 'trans\u00ADfor\u00ADmation'],
    ['with a word divided at the end of a line', 'the transformation of it', 'the transfor-\nmation of it'],
    ['with a word divided at the end of an indented line', 'the transformation', 'the transfor-\r\n    mation'],
    ['with a hyphen that happens to end a line', 'a well-known case', 'a well-\nknown case'],
    ['with both of them', 'a well-known transformation', 'a well-\nknown transfor-\nmation'],
    ['with a word divided in the quote', 'transfor-\nmation', 'transformation'],
    ['with a word divided in both, elsewhere', 'trans-\nformation', 'transfor-\nmation'],
    ['with a line break for a space', 'run above 65 degrees', 'run above\n  65\tdegrees'],
    ['with a space that does not break', '10 000 euros', '10\u00A0000 euros'],
    ['with narrow and unseen spaces', '10 000 euros', '10\u202F000 eu\u200Bros'],
    ['with an ellipsis as three dots', 'well... yes', 'well… yes'],
    ['with accents put together otherwise', 'Gr\u00FC\u00DFe', 'Gru\u0308\u00DFe'],
    ['with spaces around it', '  must not run \n', SENTENCE],
    ['at the second place, where the first cuts a word', 'run', 'overrun, then run'],
    ['in Chinese', '渡轮速度为十二节', '据称渡轮速度为十二节。'],
    ['in Thai', 'ราคาตั๋ว', 'ดูราคาตั๋วที่นี่'],
    ['with signs of patterns', 'a (b) [c] {d} *e* ^f$ | \\g?', 'so a (b) [c] {d} *e* ^f$ | \\g? it is'],
    ['beside a currency', '5 million', 'costs $5 million'],
    ['at the end of a sentence', 'costs 15', 'It costs 15.'],
    ['as an item of a list', '6 weeks at 90 %', 'So:\n- 12 weeks\n- 6 weeks at 90 %'],
    ['as items of a list', '12 weeks\n- 6 weeks', 'So:\n- 12 weeks\n- 6 weeks at 90 %'],
    ['as items of a list without their marks', '12 weeks 6 weeks', 'So:\n- 12 weeks\n- 6 weeks at 90 %'],
  ])('%s', (_, quote, source) => expect(isQuoted(quote, source)).toBe(true))
})

describe('a quote is not proven', () => {
  it.each([
    ['without its "not"', 'The pump must run above 65 degrees', SENTENCE],
    ['with a "not" too many', 'The pump must not not run', SENTENCE],
    ['with another year', SENTENCE.replace('2024', '2023'), SENTENCE],
    ['with another number', 'above 66 degrees', SENTENCE],
    ['with another case', 'the pump', SENTENCE],
    ['with a word in place of another', 'The valve must not run', SENTENCE],
    ['with words left out in the middle', 'The pump … 65 degrees', SENTENCE],
    ['with a word more', `${SENTENCE} Never.`, SENTENCE],
    ['beginning within a word', 'able to run', 'It is unable to run.'],
    ['ending within a word', 'it can', 'it cannot'],
    ['ending before a contraction', 'it can', "it can't run"],
    ['ending before a curly contraction', 'it can', 'it can’t run'],
    ['beginning within a number', '15 percent', '115 percent'],
    ['beginning behind a decimal point', '5 million', '1.5 million'],
    ['ending before a decimal point', 'costs 1', 'costs 1.5 million'],
    ['ending before thousands', 'costs 1', 'costs 1,500'],
    ['without the percent sign', 'grew by 15', 'grew by 15%'],
    ['without the percent sign after a space', 'grew by 15', 'grew by 15 %'],
    ['without the minus sign', '8 degrees', 'at −8 degrees'],
    ['without the minus sign in an item', '8 degrees', 'at\n- −8 degrees'],
    ['without a minus sign apart', '8 degrees', 'at - 8 degrees'],
    ['without a part before a hyphen', 'toxic waste', 'non-toxic waste'],
    ['without a part after a hyphen', 'smoke', 'smoke-free rooms'],
    ['without what bounds a number', '5 days', 'within <5 days'],
    ['with a digit for a power', '102 metres', '10² metres'],
    ['with a digit for an index', 'H2O', 'H₂O'],
    ['with feet for inches', "5' wide", '5" wide'],
    ['with a hyphen that is not at the end of a line', 'resign', 're-sign'],
    ['with words that a line break parts', 'nowhere', 'no\nwhere'],
    ['with parts of two lines as one word', 'Reportingfrom', 'Reporting\nfrom'],
    ['with a name after a dash as one word', 'forParis', 'for-\nParis'],
    ['with an accent less', 'Grusse', 'Grüsse'],
    ['without letters', '… —', 'a … — b'],
    ['without anything', '', SENTENCE],
    ['of nothing', 'pump', ''],
    ['with a letter of another script', 'p\u0443mp', SENTENCE],
  ])('%s', (_, quote, source) => expect(isQuoted(quote, source)).toBe(false))
})

describe('quotes of whatever texts', () => {
  const word = fc.stringMatching(/^[A-Za-zäöé]{1,9}$/)
  const words = fc.array(word, { minLength: 3, maxLength: 30 })

  it('are proven where words in a row are taken, however the source is set', () => {
    const setting = fc.constantFrom(' ', '\n', '  ', '\u00A0', '\r\n\t')
    fc.assert(
      fc.property(words, setting, fc.nat(), fc.nat(), (all, space, from, length) => {
        const start = from % all.length
        const quote = all.slice(start, start + 1 + (length % (all.length - start))).join(' ')
        expect(isQuoted(quote, all.join(space))).toBe(true)
      }),
      { numRuns: 1000 },
    )
  })

  it('are proven where words are divided at the ends of lines', () => {
    fc.assert(
      fc.property(words, fc.integer({ min: 1, max: 8 }), (all, at) => {
        const divided = all.map((one) =>
          one.length > at ? `${one.slice(0, at)}-\n${one.slice(at).toLowerCase()}` : one,
        )
        const whole = all.map((one) => (one.length > at ? one.slice(0, at) + one.slice(at).toLowerCase() : one))
        expect(isQuoted(whole.join(' '), divided.join(' '))).toBe(true)
      }),
    )
  })

  it('are not proven where a word is changed, left out or added', () => {
    const change = fc.constantFrom('change', 'leave out', 'add')
    fc.assert(
      fc.property(words, fc.nat(), change, (all, at, how) => {
        const place = 1 + (at % (all.length - 2))
        const changed = { change: ['zzqx'], 'leave out': [], add: [all[place] ?? '', 'zzqx'] }[how]
        const unique = all.map((one, index) => `${one}${index}`)
        const quote = unique.toSpliced(place, 1, ...changed).join(' ')
        expect(isQuoted(quote, unique.join(' '))).toBe(false)
      }),
      { numRuns: 1000 },
    )
  })

  it('are found in any text without a throw, and in the text itself where it begins and ends with a word', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme' }), (quote, source) => {
        expect(typeof isQuoted(quote, source)).toBe('boolean')
        expect(isQuoted(`a ${source} b`, `x a ${source} b y`)).toBe(true)
      }),
      { numRuns: 1000 },
    )
  })
})

const SOURCES: Readonly<Record<number, string>> = {
  1: SENTENCE,
  2: 'It costs “about five” euros and takes two long days.',
}

function check(report: string) {
  return checkQuotes(report, (number) => SOURCES[number])
}

const ABSENT = '*(not found in its source)*'
const UNSOURCED = '*(quotation without a source)*'

describe('a report', () => {
  it.each([
    ['in straight marks', 'It says "must not run above 65 degrees" [1].', 1],
    ['in curly marks', 'It says “must not run above 65 degrees” [1].', 1],
    ['in German marks', 'Da steht „must not run above 65 degrees“ [1].', 1],
    ['in French marks', 'Il dit « must not run above 65 degrees » [1].', 1],
    ['in French marks without spaces', 'Il dit «must not run above 65 degrees» [1].', 1],
    ['in single marks', "It says 'must not run above 65 degrees' [1].", 1],
    ['in curly single marks', 'It says ‘must not run above 65 degrees’ [1].', 1],
    ['with several sources, one of which holds it', '"must not run above" [2][1]', 1],
    ['with more text before the source', '"must not run above" is what it says, of all pumps [1].', 1],
    ['and another with the same source', '"must not run" and "before 1 May 2024" [1]', 2],
    ['that holds a quotation', `"It costs 'about five' euros" [2]`, 1],
    ['over two lines', 'It says "must not run\nabove 65 degrees" [1].', 1],
    ['in a list', '- one\n- "must not run above" [1]\n- two', 1],
    ['in a table', '| what | where |\n| --- | --- |\n| "must not run above" | [1] |', 1],
    ['as a block', `> ${SENTENCE} [1]`, 1],
    ['as a block of lines', '> The pump must not run\n> above 65 degrees\n> [1]', 1],
    ['as a block with marks', '> "The pump must not run" [1]', 1],
    ['as a block with who said it', '> The pump must not run\n> — The manual [1]', 1],
    ['as a block, its source below', '> The pump must not run\n\n[1] says so.', 1],
    ['of one word', 'The "pump" [1]', 1],
  ])('keeps what is proven %s', (_, report, proven) => {
    expect(check(report)).toEqual({ proven, unproven: [], text: report })
  })

  it.each<[string, string, string, number | undefined]>([
    ['a "not" that was dropped', '"The pump must run above" [1]', `"The pump must run above" ${ABSENT} [1]`, 1],
    ['a year that was changed', '“before 1 May 2023” [1]', `“before 1 May 2023” ${ABSENT} [1]`, 1],
    ['what stands elsewhere', '"must not run above" [2]', `"must not run above" ${ABSENT} [2]`, 2],
    ['a source that is none', '"must not run above" [9]', `"must not run above" ${ABSENT} [9]`, 9],
    ['no source', 'It says "must not run above" here.', `It says "must not run above" ${UNSOURCED} here.`, undefined],
    ['a quotation behind Han', '资料说“泵可以运行”[1]。', `资料说“泵可以运行” ${ABSENT}[1]。`, 1],
    ['one in corner brackets', '資料は「運転できる」[1]', `資料は「運転できる」 ${ABSENT}[1]`, 1],
    ['one in double ones', '『運転できる』[1]', `『運転できる』 ${ABSENT}[1]`, 1],
    ['a source in the next one', '"must not run above"\n\n[1]', `"must not run above" ${UNSOURCED}\n\n[1]`, undefined],
    ['one in the next item', '- "must not run above"\n- [1]', `- "must not run above" ${UNSOURCED}\n- [1]`, undefined],
    ['a block without a source', '> The pump must not run.', `> The pump must not run. ${UNSOURCED}`, undefined],
    ['a block that is not there', '> The pump must run. [1]\n\nSo.', `> The pump must run. [1] ${ABSENT}\n\nSo.`, 1],
    ['one in a heading', '## "The pump must run above"', `## "The pump must run above" ${UNSOURCED}`, undefined],
  ])('marks %s', (_, report, text, number) => {
    const found = check(report)
    expect(found).toMatchObject({ proven: 0, text })
    expect(found.unproven.map((one) => one.number)).toEqual([number])
    expect(check(text)).toEqual(found)
  })

  it.each([
    ['a term', 'The so-called "smart pump" is old.'],
    ['code', 'Write `"must run above it all"` [1].'],
    ['a block of code', '```\n"must run above it all"\n```\n\n[1]'],
    ['apostrophes', "The drivers' shifts aren't the pumps' and it's [1]."],
    ['inches', 'A 5" pipe and a 6" pipe of some length [1].'],
    ['a mark that nothing closes', 'A " stands here [1].'],
    ['nothing', ''],
  ])('has no quotation in %s', (_, report) => {
    expect(check(report)).toEqual({ proven: 0, unproven: [], text: report })
  })

  it('judges each quotation by the citation that follows it', () => {
    const report = 'First "must not run above" [1], then "takes two long days" [2], then "nothing at all here" [1].'
    const { proven, unproven } = check(report)
    expect([proven, unproven]).toEqual([2, [{ quote: 'nothing at all here', number: 1 }]])
  })

  const piece = fc.constantFrom(...'"¦“¦”¦\'¦> ¦\n¦\n\n¦- ¦The pump ¦must not run ¦[1]¦`¦ ¦|¦*'.split('¦'))
  const reports = fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join(''))

  it('whatever it is: nothing but marks is added, and a second check adds none', () => {
    fc.assert(
      fc.property(fc.oneof(reports, fc.string({ unit: 'grapheme' })), (report) => {
        const found = check(report)
        expect(found.text.replaceAll(` ${ABSENT}`, '').replaceAll(` ${UNSOURCED}`, '')).toBe(report)
        expect(found.text.split(/\*\((?:not found|quotation)/).length - 1).toBe(found.unproven.length)
        expect(check(found.text)).toEqual(found)
      }),
      { numRuns: 5000 },
    )
  })
})
