import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { readWordVectors } from '../../src/files/home.ts'
import { visitWords } from '../../src/retrieval/meaning/word-table.ts'
import { fuseScores, WordMeaning } from '../../src/retrieval/meaning.ts'

const bytes = readWordVectors()
const model = new WordMeaning(bytes)
const nearness = (question: string, text: string) =>
  model.askAbout(question, () => undefined)?.nearest({ hash: text, title: '', text })?.cosine ?? 0

describe('the table of word vectors', () => {
  it('is the one that tools/meaning made', () => {
    expect(createHash('sha256').update(bytes).digest('hex')).toBe(
      '444559255280fb9c18ee83a3f05079652eafe2b33371a6cb32794892601c5be6',
    )
  })

  it('has no part of a word with a letter that is not English', () => {
    const [text, words] = ['The ærø boat', [] as string[]]
    visitWords(text, (start, end) => words.push(text.slice(start, end)))
    expect(words).toEqual(['The', 'boat'])
  })

  it.each([
    ['how do I delete a file', 'Removing files from a folder', 'Creating a new database'],
    ['when does school begin', 'Classes start in September', 'The engine needs oil'],
  ])('puts %s nearer to %s than to %s', (question, near, far) => {
    expect(nearness(question, near)).toBeGreaterThan(nearness(question, far))
  })

  it.each([
    ['the whole text', undefined, 'third', 3],
    ['the beginning and what is around a place', 1, 'third', 0],
    ['the beginning, wherever the place is', 3, 'first', 0],
    ['what is around a place', 2, 'second', 2],
    ['what is around it, not what is behind it', 1, 'second', 0],
    ['what is around it, not what is before it', 3, 'second', 0],
  ])('finds the nearest passage of %s', (_, around, about, nearest) => {
    // Passages of some 800 characters: one is about removing files, the others about the sea.
    const at = { first: 0, second: 2, third: 3 }[about]
    const text = [0, 1, 2, 3]
      .map((one) =>
        one === at ? 'Removing files from a folder deletes them. ' : 'The sea is calm, blue and warm at noon. ',
      )
      .map((sentence) => `${sentence.repeat(20).slice(0, 799)}\n`)
      .join('')
    const place = around === undefined ? undefined : { start: around * 800 + 10, end: around * 800 + 20 }
    const compared = { hash: `${about} ${around}`, title: '', text }
    const asked = model.askAbout('how do I delete a file', () => undefined)
    for (const one of [compared, compared])
      expect(Math.floor((asked?.nearest(one, place)?.start ?? -1) / 790)).toBe(nearest)
  })

  it.each([
    ['deleteFile', false],
    ['как удалить файл', false],
    ['Πόσοι επιβάτες χωράνε στο ferry 120;', false],
    ['Bao nhiêu hành khách được lên phà', false],
    ['Wie viele Fahrgäste trägt die Fähre', true],
  ])('has something to say about %s: %s', (question, isKnown) => {
    expect(model.askAbout(question, () => 1) !== undefined).toBe(isKnown)
  })

  it('still knows most texts when those that are asked for in turn are more than it keeps', () => {
    const kept = new WordMeaning(bytes)
    const asked = kept.askAbout('how do I delete a file', () => undefined)
    const text = 'Removing files from a folder deletes them. '.repeat(3000)
    const askAll = () =>
      Array.from({ length: 100 }, (_, at) => {
        const compared = { hash: `${at}`, title: '' }
        const isKnown = asked?.nearest(compared) !== undefined
        asked?.nearest({ ...compared, text })
        return isKnown
      }).filter(Boolean).length
    expect(askAll()).toBe(0)
    for (const known of [askAll(), askAll()]) {
      expect(known).toBeGreaterThan(50)
      expect(known).toBeLessThan(100)
    }
    const size = Object.values(kept.read('', text)).reduce((sum, { byteLength }) => sum + byteLength, 1500)
    asked?.nearest({ hash: 'fresh', title: '', text })
    const isKnown = (hash: string) => asked?.nearest({ hash, title: '' }) !== undefined
    const count = Array.from({ length: 100 }, (_, at) => isKnown(`${at}`)).filter(Boolean).length
    expect([isKnown('fresh'), Math.floor(6_000_000 / size)]).toEqual([true, count + 1])
  })

  it('compares a word of any length with a guess at once', () => {
    expect(model.hasOtherMeaning('a'.repeat(20_000), 'b')).toBe(false)
  })

  it('refuses other bytes', () => {
    expect(() => new WordMeaning(new Uint8Array(64))).toThrow(RangeError)
  })
})

describe('fuseScores', () => {
  const candidates = [
    { lexical: 4, cosine: 0 },
    { lexical: 1, cosine: 0.8 },
  ]
  it.each([
    [1, 0, 1],
    [0.2, 1, 0],
  ])('with coverage %d, puts candidate %d first', (coverage, first, second) => {
    const scores = fuseScores(candidates, { coverage, meaning: 0.7 })
    expect(scores[first]).toBeGreaterThan(scores[second] ?? 0)
    expect(Math.max(...scores)).toBeLessThanOrEqual(1)
  })
})
