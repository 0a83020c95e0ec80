import { describe, expect, it } from 'vitest'
import { sentencesOf } from '../../src/text/sentences.ts'
import { fc, forAll } from '../support/property.ts'

function texts(text: string): string[] {
  return sentencesOf(text).map((sentence) => sentence.text)
}

describe('sentences', () => {
  it('go on over the end of a line', () => {
    expect(texts('A line\nthat goes on. Next.')).toEqual(['A line\nthat goes on.', 'Next.'])
  })

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

  it('end within no character, also in a long text without spaces', () => {
    expect(texts(`a${'😀'.repeat(4000)}`).filter((one) => !one.isWellFormed())).toEqual([])
  })

  it('are the same in a long paragraph as in a short one', () => {
    const sentence = 'The ferry of Dr. Miller waits for the tide, which turns twice a day.'
    expect(texts(Array.from({ length: 500 }, () => sentence).join(' '))).toEqual(
      Array.from({ length: 500 }, () => sentence),
    )
  })
})
