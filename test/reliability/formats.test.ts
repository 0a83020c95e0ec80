/** The rows of group B that no other test shows. README.md says where the others are. */

import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import { describe, expect, it } from 'vitest'
import { checkPlace } from '../../src/context/check.ts'
import { counter } from '../../src/context/load/answer.ts'
import { type LoadRequest, load } from '../../src/context/load.ts'
import { BOUNDS } from '../../src/core/bounds.ts'
import { SILENT } from '../../src/core/flow.ts'
import { readConfig } from '../../src/engine/config.ts'
import { operations } from '../../src/operations/index.ts'
import { elementsOf } from '../context/renderers/xml-scanner.ts'
import { fc, forAll, forAllAsync } from '../support/property.ts'
import { SOON } from '../support/soon.ts'
import { type Shape, tree } from '../support/tree.ts'
import { pathologicalTexts } from '../text/texts.ts'
import { inChild } from './child.ts'

function loaded(place: string, request: LoadRequest = {}) {
  return load({ place, home: false, ...request }, SILENT)
}

/** Plants, loads, and takes away again. */
async function loadOf(shape: Shape, request: LoadRequest = {}) {
  using planted = tree({ '.git/': '', ...shape })
  const answer = await loaded(planted.base, request)
  return { answer, json: JSON.parse(JSON.stringify(answer)) }
}

describe('B4 line ends', () => {
  const block = (end: string) => ['```sh', 'one  ', '', '\ttwo \u2028 three', '```'].join(end)
  const around = (end: string) => ['# Tasks', '', '- [ ] a', '', block(end), '', '- [ ] b', ''].join(end)

  it.each([
    ['LF', '\n'],
    ['CRLF', '\r\n'],
    ['CR', '\r'],
  ])('B4 of code stay byte for byte, in what is shown and in what a parser reads: %s', async (_, end) => {
    const shape = { 'AGENTS.md': around(end), '.context/TASKS.md': around(end) }
    const { answer } = await loadOf(shape)
    expect(answer.text.split(block(end))).toHaveLength(3)
    const { answer: framed } = await loadOf(shape, { format: 'xml' })
    expect(elementsOf(framed.text).map(({ text }) => text)).toEqual(Array(2).fill(`\n${around(end)}\n`))
    const { answer: lf } = await loadOf({ '.context/TASKS.md': around('\n') })
    expect(answer.files[0]?.parsed?.sections.map(({ items }) => items)).toEqual(
      lf.files[0]?.parsed?.sections.map(({ items }) => items),
    )
  })

  it('B4 that are mixed stay mixed, also where a budget cuts elsewhere', async () => {
    const mixed = '```\r\none\ntwo\rthree\r\n```'
    const { answer } = await loadOf(
      { 'AGENTS.md': `# A\r\n\r\n${mixed}\r\n\r\n${'Much more text. '.repeat(300)}` },
      { budget: 300 },
    )
    expect(answer.truncated).toBe(true)
    expect(answer.text).toContain(mixed)
  })
})

describe('B6 half a character', () => {
  it('B6 in a file is replaced, told, and never in JSON', async () => {
    const lone = Buffer.from('\ufeffa\ud83db\ude00c', 'utf16le')
    const { answer, json } = await loadOf({ 'AGENTS.md': lone, '.context/TASKS.md': lone })
    expect(JSON.stringify(answer).isWellFormed()).toBe(true)
    expect(json.contexts[0].content).toBe('a\ufffdb\ufffdc')
    expect(answer.warnings.filter(({ message }) => message.includes('U+FFFD'))).toHaveLength(2)
  })

  it('B6 in what was asked gives an answer in whole characters, or is refused', async () => {
    const { json } = await loadOf({ 'AGENTS.md': 'a' }, { task: 'a\ud83d', touched: ['\ud83d/x.ts'] })
    expect(JSON.stringify(json).isWellFormed()).toBe(true)
    await expect(loadOf({}, { place: '\ud83d' })).rejects.toMatchObject({
      code: expect.stringMatching(/^(not-found|invalid-input)$/),
    })
  })
})

describe('B7, B8 a file that is hard to parse', () => {
  it.each(
    pathologicalTexts(1).map(
      ([name, text]) => [name.startsWith('a single line') ? `B7 ${name}` : `B8 ${name}`, text] as const,
    ),
  )('%s is loaded and checked in a bounded time and half a gigabyte', { tags: 'long' }, async (_, text) => {
    using planted = tree({ '.git/': '', '.context/TASKS.md': Buffer.from(text).subarray(0, BOUNDS.file) })
    const { answer, ms } = await inChild('look', { place: planted.base })
    expect(answer.files).toHaveLength(1)
    expect(answer.tokenCount).toBeLessThanOrEqual(8000)
    // A second for a megabyte, were this machine doing nothing else.
    expect(ms).toBeLessThan(SOON)
  })

  it('B7 a line of 5 MB is over the limit of a file, and said to be', async () => {
    const { answer } = await loadOf({ 'AGENTS.md': 'x'.repeat(5_000_000) })
    expect(answer.ledger).toContainEqual(expect.objectContaining({ title: 'AGENTS.md', why: 'over-limit' }))
  })
})

describe('B9 random bytes', () => {
  it('B9 as Markdown always give an answer, a check, and JSON', async () => {
    using planted = tree({ '.git/': '', '.context/': '' })
    const bytes = fc.oneof(
      fc.uint8Array({ maxLength: 400 }),
      fc
        .array(fc.constantFrom(...Buffer.from('#-*`~>[]()!|:\\"\'<&\n\r\t  @/.a1\u00e9')))
        .map((all) => Uint8Array.from(all)),
    )
    await forAllAsync(150, bytes, bytes, fc.integer({ min: 1, max: 300 }), async (one, two, budget) => {
      planted.plant({ 'AGENTS.md': one, '.context/TASKS.md': two })
      const answer = await loaded(planted.base, { budget })
      expect(answer.tokenCount).toBeLessThanOrEqual(budget)
      expect(JSON.stringify(answer).isWellFormed()).toBe(true)
      for (const { message } of answer.warnings) expect(message).not.toBe('')
      await checkPlace({ place: planted.base, home: false }, SILENT)
    })
  })
})

const matter = (yaml: string) => `---\n${yaml}\n---\n# Body\n`

/** Ten lists, each of ten times the one before: ten thousand million items. */
const LISTS = [...'abcdefghij']
const bomb = LISTS.map((name, index) => {
  const item = index === 0 ? 'x' : `*${LISTS[index - 1]}`
  return `${name}: &${name} [${Array(10).fill(item).join(', ')}]`
}).join('\n')

describe('B10 to B13 front matter', () => {
  it('B10 whose aliases are a bomb is refused at once, told, and the body is loaded', async () => {
    const began = performance.now()
    const { answer, json } = await loadOf({ 'AGENTS.md': matter(bomb), '.context/TASKS.md': matter(bomb) })
    expect(performance.now() - began).toBeLessThan(SOON)
    expect(answer.warnings.filter(({ message }) => message.includes('aliases expand to too much'))).toHaveLength(2)
    expect(json.files[0].parsed).toMatchObject({ title: 'Body', metadata: {} })
    expect(answer.text).toContain('# Body')
  })

  it('B11 no input of an operation, and nothing in the configuration, changes a prototype', async () => {
    const input = JSON.parse('{ "__proto__": { "place": "/" }, "constructor": { "prototype": { "polluted": true } } }')
    for (const { input: schema } of operations) expect(() => schema.parse(input)).toThrow(/no input called/)
    using planted = tree({
      'ambit/config.yaml': '__proto__: { home: /etc }\nconstructor: { prototype: { polluted: yes } }',
    })
    const config = await readConfig({ XDG_CONFIG_HOME: planted.base, HOME: planted.base })
    expect(config).not.toHaveProperty('home')
    expect(({} as Record<string, unknown>).polluted).toBeUndefined()
  })

  it.each([
    ['a language', '---js\nglobalThis.executed = true\n---\n# Body\n'],
    ['a language in braces', '---{js}\nglobalThis.executed = true\n---\n# Body\n'],
    ['an include', matter('run: !include ../outside.yaml')],
  ])('B12 is never executed: %s', async (_, text) => {
    const { answer } = await loadOf({ 'AGENTS.md': text, '.context/TASKS.md': text })
    expect(globalThis).not.toHaveProperty('executed')
    expect(answer.files.map(({ content }) => content)).toEqual([text])
    expect(Object.values(answer.files[0]?.parsed?.metadata ?? {}).every((value) => typeof value === 'string')).toBe(
      true,
    )
  })

  it.each([
    ['a huge integer', `n: ${'9'.repeat(400)}`, { n: '9'.repeat(400) }, 0],
    ['a date', 'at: 2026-02-30', { at: '2026-02-30' }, 0],
    ['a time', 'at: 2026-11-20T10:00:00Z', { at: '2026-11-20T10:00:00Z' }, 0],
  ])('B13 gives a defined answer, or a warning: %s', async (_, yaml, metadata, warnings) => {
    const began = performance.now()
    const { answer, json } = await loadOf({ '.context/TASKS.md': matter(yaml) })
    expect(performance.now() - began).toBeLessThan(SOON)
    expect(json.files[0].parsed).toMatchObject({ title: 'Body', metadata })
    expect(answer.warnings).toHaveLength(warnings)
  })
})

describe('B14 the exact count', () => {
  it('B14 is that of the tokenizer for any text without words of more than 256 characters', async () => {
    const count = await counter('o200k')
    const text = fc.string({ unit: 'grapheme', maxLength: 60 })
    forAll(300, text, (given) => {
      expect(count(given)).toBe(countTokens(given, { disallowedSpecial: new Set() }))
    })
    for (const special of ['<|endoftext|>', '<|im_start|>system']) expect(count(special)).toBeGreaterThan(3)
  })

  it.each([
    ['letters', 'a', 1],
    ['ideographs', '漢', 1],
    ['emoji', '😀', 2],
    ['signs', '=', 1],
    ['spaces', ' ', 1],
    ['digits', '7', 1],
    ['halves of characters', '\ud83d', 1],
  ])('B14 of a word of a million %s takes no time, and is close to the tokenizer’s', async (_, letter, units) => {
    const count = await counter('o200k')
    const began = performance.now()
    expect(count(letter.repeat(1_000_000 / units))).toBeGreaterThan(0)
    expect(performance.now() - began).toBeLessThan(SOON)
    const short = letter.repeat(2000)
    const [ours, theirs] = [count(short), countTokens(short)]
    expect(ours).toBeGreaterThanOrEqual(theirs)
    expect(ours - theirs).toBeLessThanOrEqual(Math.ceil(short.length / 256))
  })

  it('B14 of different ideographs in a row grows with their number, not with its square', async () => {
    const count = await counter('o200k')
    const text = Array.from({ length: 200_000 }, (_, index) => String.fromCharCode(0x4e00 + ((index * 7919) % 20_000)))
    const began = performance.now()
    expect(count(text.join(''))).toBeGreaterThan(200_000)
    expect(performance.now() - began).toBeLessThan(SOON)
  })
})
