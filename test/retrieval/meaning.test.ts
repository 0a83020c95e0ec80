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
    ['the whole text', undefined, 3],
    ['a place in the second passage', [810, 820], 1],
    ['a place with more in the third', [1500, 2000], 2],
    ['a place with more in the second', [1100, 1700], 1],
    ['a place that begins the text', [0, 700], 0],
  ])('finds the nearest passage of %s', (_, around, nearest) => {
    // Passages of some 800 characters: the last is about removing files, the others about the sea.
    const text = [0, 1, 2, 3]
      .map((one) =>
        one === 3 ? 'Removing files from a folder deletes them. ' : 'The sea is calm, blue and warm at noon. ',
      )
      .map((sentence) => `${sentence.repeat(20).slice(0, 799)}\n`)
      .join('')
    const [start = 0, end = 0] = around ?? []
    const place = around && { start, end }
    const asked = model.askAbout('how do I delete a file', () => undefined)
    // Read, then from the cache; then as a part of the whole text.
    const read = { hash: `${around}`, title: '', text }
    const whole = { hash: `whole ${around}`, title: '', text }
    asked?.nearest(whole)
    for (const one of [read, read, whole])
      expect(Math.floor((asked?.nearest(one, place)?.start ?? -1) / 790)).toBe(nearest)
  })

  it('compares questions that take turns as it compares each alone', () => {
    const [first, second] = ['how do I delete a file', 'is the sea warm at noon'].map((question) =>
      new WordMeaning(bytes).askAbout(question, () => undefined),
    )
    const both = new WordMeaning(bytes)
    const turns = ['how do I delete a file', 'is the sea warm at noon'].map((question) =>
      both.askAbout(question, () => undefined),
    )
    const text = { hash: 'a', title: '', text: 'Removing files deletes them. The sea is calm and warm.' }
    for (let turn = 0; turn < 2; turn++)
      expect(turns.map((one) => one?.nearest(text))).toEqual([first?.nearest(text), second?.nearest(text)])
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
    const text = 'Removing files from a folder deletes them. '.repeat(4000)
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
    const { rows, positions, lengths } = kept.read('', text)
    const size = 1000 + rows.byteLength + positions.byteLength + lengths.byteLength
    asked?.nearest({ hash: 'fresh', title: '', text })
    const isKnown = (hash: string) => asked?.nearest({ hash, title: '' }) !== undefined
    const count = Array.from({ length: 100 }, (_, at) => isKnown(`${at}`)).filter(Boolean).length
    expect([isKnown('fresh'), Math.floor(7_000_000 / size)]).toEqual([true, count + 1])
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
