import { describe, expect, it } from 'vitest'
import { sentencesOf } from '../../src/text/sentences.ts'
import { fc, forAll } from '../support/property.ts'

function texts(text: string): string[] {
  return sentencesOf(text).map((sentence) => sentence.text)
}

describe('sentences', () => {
  it.each<[string, string[]]>([
    ['One. Two! Three?', ['One.', 'Two!', 'Three?']],
    ['Dr. Smith met Mr. Jones. They spoke.', ['Dr. Smith met Mr. Jones.', 'They spoke.']],
    ['It costs 3.50 euros. Version 1.2.3 is out.', ['It costs 3.50 euros.', 'Version 1.2.3 is out.']],
    ['J. R. R. Tolkien wrote it. It sold.', ['J. R. R. Tolkien wrote it.', 'It sold.']],
    ['See e.g. Figure 2. It shows it.', ['See e.g. Figure 2.', 'It shows it.']],
    ['He said "Stop." Then he left.', ['He said "Stop."', 'Then he left.']],
    ['Wait… What? No.', ['Wait… What?', 'No.']],
    ['Das gilt z.B. Montags. Sonst nicht.', ['Das gilt z.B. Montags.', 'Sonst nicht.']],
    ['Es gilt ab dem 1. Mai. Sonst nicht.', ['Es gilt ab dem 1. Mai.', 'Sonst nicht.']],
    ['It has 12. Then it ends.', ['It has 12.', 'Then it ends.']],
    ['这是第一句。这是第二句!第三句?', ['这是第一句。', '这是第二句!', '第三句?']],
    ['¿Qué hora es? Son las dos.', ['¿Qué hora es?', 'Son las dos.']],
    ['A heading\n\nA paragraph', ['A heading', 'A paragraph']],
    ['# Title\n\nText here.', ['# Title', 'Text here.']],
    ['- one\n- two. Three.', ['- one', '- two.', 'Three.']],
    ['A line\nthat goes on. Next.', ['A line\nthat goes on.', 'Next.']],
    ['1) first\n2) second', ['1) first', '2) second']],
    ['  \n\n ', []],
    ['', []],
    ['no end', ['no end']],
  ])('of %j are %j', (text, expected) => expect(texts(text)).toEqual(expected))

  it('stand where they say, in order, apart, and leave nothing but space out', () => {
    const unit = fc.constantFrom(...'a|B|. |.|! |\n|\n\n|- | |Dr. |。|字|😀|"|\r\n|# '.split('|'))
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.array(unit, { maxLength: 60 }).map((all) => all.join('')),
    )
    forAll(5000, text, (whole) => {
      let last = 0
      let rest = ''
      for (const { text: sentence, start, end } of sentencesOf(whole)) {
        expect(whole.slice(start, end)).toBe(sentence)
        expect(start).toBeGreaterThanOrEqual(last)
        expect(sentence).toBe(sentence.trim())
        rest += whole.slice(last, start)
        last = end
      }
      expect((rest + whole.slice(last)).trim()).toBe('')
    })
  })

  it('end at a space in Thai, which has no other end, when they are long enough', () => {
    const clause = 'เรือข้ามฟากออกจากท่าเรือทุกเช้าและกลับมาในตอนเย็นพร้อมกับผู้โดยสารและสินค้าจากเกาะ'
    const text = Array.from({ length: 9 }, () => clause).join(' ')
    expect(sentencesOf(text).map((one) => one.text.split(' ').length)).toEqual([3, 3, 3])
    expect(sentencesOf(`${clause} ${clause}`)).toHaveLength(1)
  })

  it('are the same in a long paragraph as in a short one', () => {
    const sentence = 'The ferry of Dr. Miller waits for the tide, which turns twice a day.'
    expect(texts(Array.from({ length: 500 }, () => sentence).join(' '))).toEqual(
      Array.from({ length: 500 }, () => sentence),
    )
  })
})
