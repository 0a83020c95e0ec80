import { describe, expect, it } from 'vitest'
import { type BudgetOptions, budget } from '../../../../src/context/passes/budget/budget.ts'
import { buildLadder } from '../../../../src/context/passes/budget/ladder.ts'
import { markdown } from '../../../../src/context/renderers/renderers.ts'
import type { Fragment, Selection } from '../../../../src/core/flow.ts'
import { bytes4 } from '../../../../src/core/tokens.ts'
import { fragment, namesOf, selectionOf, stepOf } from '../../../core/fragments.ts'
import { withoutMarks } from './documents.ts'

const render = markdown({ heading: 'Context' })

interface Cut extends BudgetOptions {
  readonly task?: string
}

async function cutTo(tokens: number, kept: readonly Fragment[], { task, ...options }: Cut = {}): Promise<Selection> {
  return budget(tokens, options)(selectionOf(kept), stepOf(render, task === undefined ? {} : { task }))
}

function tokensOf(kept: readonly Fragment[]): number {
  return bytes4(render(selectionOf(kept)))
}

function textOf({ kept }: Selection, title: string): string {
  return kept.find((one) => one.title === title)?.text ?? ''
}

/** The smallest budget under which `shows` holds. It halves: a larger budget never shows less (properties.test.ts). */
async function firstBudget(kept: readonly Fragment[], shows: (selection: Selection) => boolean, cut?: Cut) {
  let [low, high] = [1, tokensOf(kept)]
  if (!shows(await cutTo(high, kept, cut))) throw new Error('It is never shown.')
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    if (shows(await cutTo(middle, kept, cut))) high = middle
    else low = middle + 1
  }
  return low
}

const TASKS = `# Tasks

## Done

- [x] Ship the parser

## Next

- [ ] Fix the cache
  - [ ] Look at the keys
- [!] Move to the new API
`

const CODE = `# Style

Write plainly. Keep it short.

\`\`\`ts
const a = 1
\`\`\`

The end.
`

describe('a budget', () => {
  const kept = [
    fragment('RULES.md', '# Rules\n\n- Never push to main.\n', { pinned: true }),
    fragment('TASKS.md', TASKS),
    fragment('STYLE.md', CODE),
    fragment('EMPTY.md'),
  ]
  const options: Cut = { blockOrder: ({ title }) => (title === 'TASKS.md' ? 'open-first' : 'written') }

  it('gives the very selection when all fits, and not with a token less', async () => {
    const selection = selectionOf(kept)
    const fits = tokensOf(kept)
    expect(await budget(fits)(selection, stepOf(render))).toBe(selection)
    expect((await cutTo(fits - 1, kept)).kept).not.toEqual(kept)
  })

  it.each([1, 22])('of %i shows what is pinned, over the budget or not, and leaves the rest', async (tokens) => {
    const { kept: shown, left: gone } = await cutTo(tokens, kept)
    expect(shown).toEqual([kept[0]])
    expect(namesOf(gone)).toEqual(['TASKS.md', 'STYLE.md', 'EMPTY.md'])
    expect(gone[0]).toMatchObject({ why: 'over-budget', detail: 'Its name alone exceeds the budget.' })
  })

  it('that holds the names shows the names, and an empty file whole', async () => {
    const tokens = await firstBudget(kept, (shown) => shown.left.length === 0, options)
    const selection = await cutTo(tokens, kept, options)
    expect(render(selection)).toBe(`# Context

## RULES.md
Source: file:///RULES.md

# Rules

- Never push to main.

## TASKS.md
Source: file:///TASKS.md

[truncated] 11 lines

## STYLE.md
Source: file:///STYLE.md

[truncated] 9 lines

## EMPTY.md
Source: file:///EMPTY.md
`)
    expect(selection.kept.map(({ cut }) => cut?.to)).toEqual([undefined, 'outline', 'outline', undefined])
  })

  it('shows outlines next, then open tasks before done ones, each in its place', async () => {
    const tokens = await firstBudget(kept, (shown) => textOf(shown, 'STYLE.md').includes('plainly'), options)
    const selection = await cutTo(tokens - 1, kept, options)
    expect(textOf(selection, 'TASKS.md')).toBe(TASKS)
    expect(textOf(selection, 'STYLE.md')).toBe('# Style\n\n[truncated] 7 lines\n')
    const before = await firstBudget(kept, (shown) => textOf(shown, 'TASKS.md').includes('new API'), options)
    expect(textOf(await cutTo(before, kept, options), 'TASKS.md')).toBe(
      TASKS.replace('- [x] Ship the parser', '[truncated] 1 line'),
    )
    const outlines = await firstBudget(kept, (shown) => textOf(shown, 'STYLE.md').includes('# Style'), options)
    expect(textOf(await cutTo(outlines, kept, options), 'TASKS.md')).toBe(
      '# Tasks\n\n## Done\n\n[truncated] 1 line\n\n## Next\n\n… 3 lines\n',
    )
  })

  it('cannot be met by nothing at all: without pinned files, one token shows an empty selection', async () => {
    const selection = await cutTo(1, kept.slice(1))
    expect([render(selection), selection.left.length]).toEqual(['', 3])
  })
})

describe('the ladder', () => {
  const prose = (words: string, times: number) => `${words} and some more words to fill it. `.repeat(times).trim()

  it('gives an outline at most 100 tokens, and none to the 33rd file', () => {
    const headings = Array.from({ length: 40 }, (_, index) => `## Heading number ${index + 10}\n\n`)
    const kept = [
      fragment('pinned', '# p', { pinned: true }),
      fragment('many', `${headings.join('')}${prose('body', 90)}\n`),
      ...Array.from({ length: 33 }, (_, index) => fragment(`f${index}`, `# Title ${index}\n\n${prose('body', 25)}\n`)),
    ]
    const ladder = buildLadder(selectionOf(kept), stepOf(render), () => 'written')
    let rungs = 0
    while (ladder.upTo(rungs + 1).kept.every(({ cut }) => cut?.to !== 'part')) rungs++
    const outlined = ladder.upTo(rungs)
    // Each heading takes 22 bytes, which are 6 tokens.
    expect(textOf(outlined, 'many')).toBe(`${headings.slice(0, 16).join('')}[truncated] 49 lines\n`)
    expect(namesOf(outlined.kept.filter(({ text }) => text.includes('# Title')))).toHaveLength(31)
    expect(textOf(outlined, 'f30')).toBe('# Title 30\n\n[truncated] 1 line\n')
    expect(textOf(outlined, 'f31')).toBe('[truncated] 3 lines\n')
  })

  it('comes at last to headings with nothing below them, also those that the outline did not hold', async () => {
    const headings = Array.from({ length: 40 }, (_, index) => `## Heading number ${index + 10}\n\n`)
    const kept = [fragment('a', 'The body.\n'), fragment('b', headings.join(''))]
    const body = await cutTo(tokensOf(kept) - 60, kept)
    expect(textOf(body, 'a')).toBe('The body.\n')
    expect(textOf(body, 'b')).toBe(`${headings.slice(0, 28).join('')}[truncated] 23 lines\n`)
  })

  it('shows the bodies in the order of the files, and a large code block after all of them', async () => {
    const code = `\`\`\`\n${'const x = 1\n'.repeat(200)}\`\`\``
    const kept = [
      fragment('one', `before\n\n${code}\n\nafter\n`),
      fragment('two', `small\n\n\`\`\`\n${'y\n'.repeat(900)}\`\`\`\n`),
      fragment('three', 'the last body\n'),
    ]
    const tokens = await firstBudget(kept, (shown) => textOf(shown, 'three').includes('last'))
    const selection = await cutTo(tokens, kept)
    expect(textOf(selection, 'one')).toBe('before\n\n[truncated] 202 lines\n\nafter\n')
    expect(textOf(selection, 'two')).toBe(kept[1]?.text)
    const next = await firstBudget(kept, (shown) => textOf(shown, 'one').includes('const'))
    expect(next).toBeGreaterThan(tokens + 500)
    expect(await cutTo(next, kept)).toEqual(selectionOf(kept))
  })

  it('shows of a file over 1,024 tokens the first 512 before the other bodies, and its tail after them', async () => {
    const lines = (count: number, name: string) =>
      Array.from({ length: count }, (_, index) => `${name} ${String(index).padStart(6, '0')} end.\n\n`).join('')
    const long = fragment('long', lines(300, 'a line'))
    const kept = [long, fragment('fits', lines(200, 'b line')), fragment('short', lines(3, 'c line'))]
    expect([bytes4(long.text), bytes4(kept[1]?.text ?? '')]).toEqual([1500, 1000])
    const tokens = await firstBudget(kept, (shown) => textOf(shown, 'short').includes('000002'))
    const selection = await cutTo(tokens, kept)
    expect(textOf(selection, 'fits')).toBe(kept[1]?.text)
    const shown = withoutMarks(textOf(selection, 'long')).trimEnd()
    expect(long.text.startsWith(shown)).toBe(true)
    expect(bytes4(shown)).toBeGreaterThan(480)
    expect(bytes4(shown)).toBeLessThanOrEqual(512)
    expect(textOf(await cutTo(tokens + 50, kept), 'long').length).toBeGreaterThan(shown.length)
  })

  it('cuts comments of maintainers before anything else', async () => {
    const kept = [
      fragment('a', `<!-- keep\nthis short -->\n\n${prose('first', 5)}\n`),
      fragment('b', `${prose('last', 30)}\n`),
    ]
    for (let tokens = 1; tokens < tokensOf(kept); tokens++) {
      expect((await cutTo(tokens, kept)).kept.some(({ text }) => text.includes('keep'))).toBe(false)
    }
    expect(textOf(await cutTo(tokensOf(kept) - 1, kept), 'b')).toBe(kept[1]?.text)
  })

  // The heading and the body are each rounded up, so together they have one token more than the file.
  it.each([
    [199, true],
    [200, false],
  ])('shows a file of %i tokens whole before the outlines of many: %s', async (tokens, isSmall) => {
    const many = Array.from({ length: 20 }, (_, at) => fragment(`f${at}`, `# Title ${at}\n\n${prose('body', 30)}\n`))
    const kept = [fragment('small', `# Small\n\n${'x'.repeat(tokens * 4 - 10)}\n`), ...many]
    expect(bytes4(kept[0]?.text ?? '')).toBe(tokens)
    const whole = await firstBudget(kept, (shown) => textOf(shown, 'small').includes('x'))
    const outlined = await firstBudget(kept, (shown) => textOf(shown, 'f0').includes('# Title'))
    expect(whole < outlined).toBe(isSmall)
  })

  it('shows what speaks of the task, of all files, before the bodies of others', async () => {
    const kept = [
      fragment('one', `# One\n\n${prose('other things', 60)}\n`),
      fragment('two', `# Two\n\n${prose('nothing here', 60)}\n\nThe gateway retries a payment twice.\n`),
    ]
    const task = { task: 'the gateway retries a payment' }
    const tokens = await firstBudget(kept, (shown) => textOf(shown, 'two').includes('gateway'), task)
    expect(textOf(await cutTo(tokens, kept, task), 'one')).toBe('# One\n\n[truncated] 1 line\n')
  })

  it('keeps a large code block behind all bodies if it does not speak of the task', async () => {
    const code = `\`\`\`\n${'const x = 1\n'.repeat(200)}\`\`\``
    const texts = [`${code}\n`, 'The gateway retries.\n', 'Other things.\n']
    const kept = texts.map((text, at) => fragment(['one', 'two', 'three'][at] ?? '', text))
    const task = { task: 'the gateway retries a payment' }
    const tokens = await firstBudget(kept, (shown) => textOf(shown, 'three').includes('Other'), task)
    expect(textOf(await cutTo(tokens, kept, task), 'one')).not.toContain('const')
  })

  it('shows what stands in the same section as that before what speaks of the task less, however much there is', async () => {
    const section = Array.from({ length: 12 }, (_, at) => prose(`clause ${at}`, 60)).join('\n\n')
    const kept = [
      fragment('one', `# One\n\n${prose('other things', 60)}\n\n## Far\n\n${prose('a payment', 60)}\n`),
      fragment(
        'two',
        `# Two\n\n${prose('nothing here', 60)}\n\n## Retries\n\nThe gateway retries a payment twice.\n\n${section}\n`,
      ),
    ]
    expect(bytes4(section)).toBeGreaterThan(1024)
    const task = { task: 'the gateway retries a payment twice' }
    const tokens = await firstBudget(kept, (shown) => textOf(shown, 'two').includes('clause 11'), task)
    const shown = await cutTo(tokens, kept, task)
    expect(textOf(shown, 'two')).not.toContain('nothing here')
    expect(textOf(shown, 'one')).not.toContain('other things')
  })

  it('shows a long paragraph from its beginning to what speaks of the task, and each part of it once', async () => {
    const sentences = Array.from({ length: 30 }, (_, at) => `Sentence ${at} says something of its own.`).join(' ')
    const text = `${sentences} The gateway retries a payment twice. The payment waits.\n\n${prose('other things', 60)}\n`
    const task = { task: 'the gateway retries a payment' }
    const tokens = await firstBudget([fragment('a', text)], (shown) => textOf(shown, 'a').includes('gateway'), task)
    expect(textOf(await cutTo(tokens, [fragment('a', text)], task), 'a')).toContain(`${sentences} The gateway`)
  })

  it('shows large code blocks before the tails of long files', async () => {
    const code = `\`\`\`\n${'const x = 1\n'.repeat(200)}\`\`\`\n`
    const kept = [fragment('long', 'A line of it.\n\n'.repeat(400)), fragment('code', code)]
    const tokens = await firstBudget(kept, (shown) => textOf(shown, 'code').includes('const'))
    expect(bytes4(textOf(await cutTo(tokens, kept), 'long'))).toBeLessThan(520)
    expect(bytes4(textOf(await cutTo(tokens + 100, kept), 'long'))).toBeGreaterThan(570)
  })

  it('splits long paragraphs at sentences', async () => {
    const text = `${Array.from({ length: 30 }, (_, index) => `Sentence ${index} says something of its own.`).join(' ')}\n`
    const tokens = await firstBudget([fragment('a', text)], (shown) => textOf(shown, 'a').includes('Sentence 4 '))
    const [shown, hidden] = [text.slice(0, text.indexOf(' Sentence 5')), text.slice(text.indexOf('Sentence 5')).trim()]
    expect(textOf(await cutTo(tokens, [fragment('a', text)]), 'a')).toBe(
      `${shown}\n\n[truncated] ${hidden.length} characters\n`,
    )
  })

  it('shows a block with the headings that it stands under, also where they are too many for the outline', async () => {
    const text = `# Title\n\n${'## Filler heading without a body\n\n'.repeat(30)}## Part\n\n### Detail\n\nThe parser is here.\n\n## Other\n\nNothing.\n`
    const kept = [fragment('a', `${text}${'More of it. '.repeat(400)}`)]
    const tokens = await firstBudget(kept, (shown) => textOf(shown, 'a').includes('parser'), { task: 'the parser' })
    expect(textOf(await cutTo(tokens, kept, { task: 'the parser' }), 'a')).toMatch(
      /## Part\n\n### Detail\n\nThe parser is here.\n/,
    )
  })

  it('lets no huge file starve the others', async () => {
    const huge = fragment('huge', '# Huge\n\nThis is a line of the huge file, and it goes on.\n\n'.repeat(18_000))
    const small = Array.from({ length: 30 }, (_, index) =>
      fragment(`s${index}`, `# Small ${index}\n\n${prose(`body${index}`, 10)}\n`),
    )
    const kept = [huge, ...small]
    expect(huge.text.length).toBeGreaterThan(1_000_000)
    const selection = await cutTo(8000, kept)
    expect(bytes4(render(selection))).toBeLessThanOrEqual(8000)
    expect(bytes4(render(selection))).toBeGreaterThan(7900)
    expect(selection.left).toEqual([])
    expect(selection.kept.slice(1)).toEqual(small)
    const tight = await cutTo(3000, kept)
    expect(namesOf(tight.kept)).toEqual(namesOf(kept))
    expect(bytes4(textOf(tight, 'huge'))).toBeLessThan(700)
    expect(tight.kept.filter(({ cut }) => !cut).length).toBeGreaterThan(8)
  })
})
