import fc from 'fast-check'
import type { BlockOrder } from '../../../../src/context/passes/budget/block-order.ts'
import type { Fragment } from '../../../../src/core/flow.ts'
import { fragment } from '../../../core/fragments.ts'

/** A generated file, and what its maker knows of it. */
export interface Document {
  readonly fragment: Fragment
  readonly order: BlockOrder
  /** Its fenced code blocks as they stand in the text. Each holds a word of its own, `code17`. */
  readonly fences: readonly string[]
}

/** A block before its words are numbered. */
interface Seed {
  readonly kind: (typeof KINDS)[number]
  readonly size: number
  readonly level: number
}

const MARK = /^(?:\[truncated\]|…) \d+ (?:lines?|characters?)$/gm

/** What is shown of a text, without what stands for its gaps. */
export function withoutMarks(text: string): string {
  return text.replace(MARK, '')
}

const KINDS = [
  'heading',
  'setext',
  'headings',
  'paragraph',
  'wrapped',
  'sentence',
  'cjk',
  'line',
  'list',
  'tasks',
  'long items',
  'fenced item',
  'fence',
  'large fence',
  'tildes',
  'indented',
  'table',
  'comment',
  'html',
  'quote',
  'fenced quote',
  'rule',
  'backticks',
] as const

const DATES = ['', '2026-01-05 ', '2025-11-30 ', '**2026-02-01** ', '']

/** Puts one block together; `word` gives a word that is nowhere else. */
type Maker = (seed: Seed, word: (stem: string) => string) => string

const MAKERS: Readonly<Record<Seed['kind'], Maker>> = {
  heading: ({ level }, word) => `${'#'.repeat(level)} ${word('head')}`,
  setext: ({ level }, word) => `${word('head')}\n${level === 1 ? '===' : '---'}`,
  headings: ({ size, level }, word) =>
    repeat(size * 3 + 1, (index) => `${'#'.repeat(1 + ((index * level) % 4))} ${word('head')}`).join('\n\n'),
  paragraph: ({ size }, word) => repeat(size + 1, () => `${word('say')} one thing, then another one.`).join(' '),
  wrapped: ({ size }, word) =>
    repeat(size + 1, () => `${word('say')} something (e.g. this\nand that). Really?`).join('\n'),
  sentence: ({ size }, word) => repeat(size * 30 + 1, () => word('on')).join(' '),
  cjk: ({ size }, word) => repeat(size * 3 + 1, () => `${word('字')}を読む。これは文です。`).join(''),
  line: ({ size }, word) => word('long') + 'x'.repeat(size * 400),
  list: ({ size, level }, word) =>
    repeat(size + 1, (index) => `- ${DATES[(index + level) % 5]}${word('item')}\n  - ${word('sub')}`).join('\n'),
  tasks: ({ size, level }, word) =>
    repeat(
      size + 1,
      (index) => `- [${'x -!'[(index * level) % 4]}] ${word('task')} to do\n\n  ${word('more')}. And more.`,
    ).join('\n'),
  'long items': ({ size, level }, word) =>
    repeat(
      4,
      (index) => `- [${'x x '[(index + level) % 4]}] ${repeat(size * 20 + 1, () => word('on')).join(' ')}`,
    ).join('\n'),
  'fenced item': (_, word) =>
    `1. ${word('item')}\n\n   \`\`\`\n   ${word('code')}\n\n   # no heading\n   \`\`\`\n\n   ${word('after')}`,
  fence: (_, word) => `\`\`\`ts\n${word('code')}\n\n# no heading\n- [ ] no task\n\`\`\``,
  'large fence': ({ size }, word) => `\`\`\`\`\n${word('code')}\n${'const x = 1\n```\n'.repeat(140 + size)}\`\`\`\``,
  tildes: (_, word) => `~~~\n${word('code')}\n\`\`\`\n~~~`,
  indented: (_, word) => `    ${word('quiet')}\n\n    \`\`\``,
  table: ({ size }, word) =>
    `| a | b |\n| - | - |\n${repeat(size * 4 + 1, () => `| ${word('cell')} | some more text in it |`).join('\n')}`,
  comment: (_, word) => `<!-- ${word('comment')}\n\n# no heading -->`,
  html: (_, word) => `<div>\n${word('markup')}\n</div>`,
  quote: ({ size }, word) => repeat(size + 1, () => `> ${word('quoted')} and so on. And on.`).join('\n'),
  'fenced quote': (_, word) => `> ${word('quoted')}\n>\n> ~~~\n> ${word('code')}\n> ~~~`,
  rule: () => '---',
  backticks: ({ size }, word) =>
    `\`\`\`${word('odd')}. ${repeat(size * 20, () => word('on')).join(' ')}\`. Prose after it.`,
}

function repeat<Value>(times: number, make: (index: number) => Value): Value[] {
  return Array.from({ length: times }, (_, index) => make(index))
}

const seed: fc.Arbitrary<Seed> = fc.record({
  kind: fc.constantFrom(...KINDS),
  size: fc.nat(8),
  level: fc.integer({ min: 1, max: 4 }),
})

const shape = fc.record({
  seeds: fc.array(seed, { maxLength: 12 }),
  matter: fc.boolean(),
  end: fc.constantFrom('\n', '\n', '\n', '\r\n', '\r'),
  final: fc.constantFrom('', '\n', '\n\n'),
  pinned: fc.constantFrom(true, false, false, false, false),
  syntax: fc.constantFrom('markdown', 'markdown', 'markdown', 'plain'),
  order: fc.constantFrom('written', 'open-first', 'recent-first'),
})

type Shape = typeof shape extends fc.Arbitrary<infer Value> ? Value : never

/** Files of all kinds of blocks; some empty, some pinned. */
export const documents: fc.Arbitrary<Document[]> = fc
  .array(shape, { maxLength: 6 })
  .map((shapes) => shapes.map((given, index) => documentOf(given, index)))

/** Words that stand in generated files, in some of their blocks. */
export const tasks = fc.constantFrom(undefined, 'fix task1 and say2', 'the cell', 'code3 item4 head5')

function documentOf({ seeds, matter, end, final, pinned, syntax, order }: Shape, index: number): Document {
  let words = 0
  const word = (stem: string) => `${stem}${index}x${++words}`
  const blocks = seeds.map((one) => ({ kind: one.kind, text: MAKERS[one.kind](one, word).replaceAll('\n', end) }))
  const front = matter ? [`---\ntitle: ${word('matter')}\ntags: [a, b]\n---`.replaceAll('\n', end)] : []
  const text = [...front, ...blocks.map((block) => block.text)].join(end + end)
  const isFence = ({ kind }: { kind: Seed['kind'] }) => kind === 'fence' || kind === 'large fence' || kind === 'tildes'
  return {
    fragment: fragment(`f${index}`, text === '' ? '' : text + final.replaceAll('\n', end), {
      syntax,
      ...(pinned && { pinned }),
    }),
    order,
    fences:
      syntax === 'plain'
        ? []
        : [...blocks.filter(isFence).map((block) => block.text), ...(text.match(INNER_FENCE) ?? [])],
  }
}

/** The fences in list items and quotes. */
const INNER_FENCE = /(?<=[\r\n])(?: {3}```|> ~~~)(?:\r\n?|\n)(?: {3}|> )code[^`~]*(?:```|~~~)/g
