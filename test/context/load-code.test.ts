import { describe, expect, it } from 'vitest'
import type { LoadAnswer } from '../../src/context/answers.ts'
import { type LoadRequest, load } from '../../src/context/load.ts'
import { bytes4 } from '../../src/core/tokens.ts'
import { fc, forAllAsync } from '../support/property.ts'
import { type Shape, tree } from '../support/tree.ts'

const body = (name: string, lines: number) =>
  `export function ${name}(input: string) {\n${Array.from({ length: lines }, (_, at) => `  step(${at})\n`).join('')}  return input\n}\n`

const SHAPE: Shape = {
  '.git/': '',
  'AGENTS.md': '# Rules\n\nThe ledger parser never throws.\n',
  '.context/DECISIONS.md': '# Decisions\n\n## Ledger lines\n\nThe parser is strict about commas.\n',
  'src/parser.ts': `${body('parseLedgerLine', 5)}\n${body('unrelated', 30)}`,
  'src/ledger-notes.ts': '// a ledger\n',
}
const TASK = 'The ledger parser drops lines: `parseLedgerLine` is wrong about commas'

async function ask(shape: Shape, request: LoadRequest): Promise<LoadAnswer> {
  using planted = tree({
    w: { make: () => {} },
    ...Object.fromEntries(Object.entries(shape).map(([key, what]) => [`w/${key}`, what])),
  })
  return await load({ home: false, code: true, task: TASK, ...request, place: planted.at('w', request.place ?? '') })
}

describe('load with code', () => {
  it('shows what applies, then the lines that bear on the task, in a fence', async () => {
    const { text, tokenCount } = await ask(SHAPE, {})
    expect(text).toMatch(/^# Project Context\n/)
    expect(text).toContain('The ledger parser never throws.')
    expect(text).toMatch(/^```ts\nexport function parseLedgerLine/m)
    expect(text).toContain('strict about commas')
    expect(tokenCount).toBe(bytes4(text))
  })

  it('frames code by its path where XML is asked for', async () => {
    const { text } = await ask(SHAPE, { format: 'xml' })
    expect(text).toMatch(/<code path="src\/parser.ts" why="[^"]+">\nexport function parseLedgerLine/)
    expect(text).toMatch(/<context filename="[^"]+AGENTS.md">/)
  })

  it('says of every row what it is and of which scope, and how well what was ranked fits', async () => {
    const { ledger } = await ask(SHAPE, {})
    const rows = new Map(ledger.map((row) => [row.title, row]))
    expect(rows.get('AGENTS.md')).toMatchObject({ kind: 'context', scope: 'project' })
    expect(rows.get('Key Decisions')).toMatchObject({ kind: 'context', scope: 'context-dir' })
    expect(rows.get('Glossary')).toMatchObject({ kind: 'context', scope: 'context-dir', why: 'missing' })
    expect(rows.get('src/parser.ts')).toMatchObject({ kind: 'code', scope: 'project', score: 1 })
    expect(rows.get('src/ledger-notes.ts')).toMatchObject({ kind: 'code', decision: 'kept' })
    expect(rows.get('src/ledger-notes.ts')?.score).toBeLessThan(0.7)
    expect(rows.get('AGENTS.md')).not.toHaveProperty('score')
  })

  it('puts a file that is worked on before its twin', async () => {
    using planted = tree({ '.git/': '', 'a/run.ts': body('runJobs', 3), 'b/run.ts': body('runJobs', 3) })
    for (const first of ['a', 'b']) {
      const touched = [planted.at(`${first}/run.ts`)]
      const { text } = await load({ home: false, code: true, task: 'runJobs hangs', place: planted.base, touched })
      expect(/^## (.*)$/m.exec(text)?.[1]).toBe(`${first}/run.ts`)
    }
  })

  it('refuses code without a task', async () => {
    await expect(ask(SHAPE, { task: ' ' })).rejects.toMatchObject({ code: 'invalid-input', hint: 'Add --task TEXT.' })
  })

  it('shows no code where it is not asked for', async () => {
    const { text, ledger } = await ask(SHAPE, { code: false })
    expect(text).not.toContain('parseLedgerLine(')
    expect(ledger.some(({ kind }) => kind === 'code')).toBe(false)
  })
})

const WORDS = ['ledger', 'parser', 'commas', 'store', 'queue', 'retry', 'cell', 'ünï', '<&>', '```']
const words = fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 30 }).map((each) => each.join(' '))
const prose = fc
  .array(
    fc.oneof(
      words.map((text) => `## ${text.slice(0, 30)}`),
      words,
      words.map((text) => `- ${text}`),
      words.map((text) => `<!-- ${text} -->`),
    ),
    { minLength: 1, maxLength: 12 },
  )
  .map((blocks) => `# Head\n\n${blocks.join('\n\n')}\n`)
const name = fc.constantFrom(...WORDS.slice(0, 7))
const source = fc
  .array(fc.tuple(name, name, fc.integer({ min: 0, max: 40 })), { minLength: 1, maxLength: 6 })
  .map((functions) => functions.map(([a, b, lines], at) => body(`${a}_${b}${at}`, lines)).join('\n'))

interface Tree {
  readonly shape: Shape
  readonly task: string
  readonly budgets: readonly [number, number]
  readonly format: 'markdown' | 'xml'
  readonly signatures: boolean
}

const trees: fc.Arbitrary<Tree> = fc
  .record({
    instructions: prose,
    context: fc.array(prose, { maxLength: 4 }),
    code: fc.array(source, { maxLength: 5 }),
    task: words,
    budgets: fc.tuple(fc.integer({ min: 1, max: 3000 }), fc.integer({ min: 1, max: 3000 })),
    format: fc.constantFrom('markdown' as const, 'xml' as const),
    signatures: fc.boolean(),
  })
  .map(({ instructions, context, code, budgets: [a, b], ...asked }) => ({
    ...asked,
    shape: {
      '.git/': '',
      'AGENTS.md': instructions,
      ...Object.fromEntries(context.map((text, at) => [`.context/F${at}.md`, text])),
      ...Object.fromEntries(code.map((text, at) => [`src/${WORDS[at % 7]}${at}.ts`, text])),
    },
    budgets: [Math.min(a, b), Math.max(a, b)],
  }))

/** Lines that are shown of each file, without marks for what is not. */
function linesOf({ fragments = [] }: LoadAnswer): ReadonlyMap<string, readonly string[]> {
  const isMark = (line: string) => line.trim() === '' || /^(?:\[truncated\]|…) (?:\d+ |lines? .* not shown)/.test(line)
  return new Map(fragments.map(({ uri, text }) => [uri, text.split('\n').filter((line) => !isMark(line))]))
}

/** Whether the lines stand in the others in their order, each at least by its beginning. */
function areWithin(lines: readonly string[], others: readonly string[]): boolean {
  let at = 0
  for (const line of lines) {
    while (at < others.length && !others[at]?.startsWith(line)) at++
    if (at++ >= others.length) return false
  }
  return true
}

async function holdPromises({ shape, budgets, ...asked }: Tree): Promise<void> {
  using planted = tree({
    w: { make: () => {} },
    ...Object.fromEntries(Object.entries(shape).map(([key, what]) => [`w/${key}`, what])),
  })
  const request = { place: planted.at('w'), home: false, code: true, drift: false, ...asked } as const
  const [less, more] = [await load({ ...request, budget: budgets[0] }), await load({ ...request, budget: budgets[1] })]
  expect(less.tokenCount).toBeLessThanOrEqual(budgets[0])
  expect(more.tokenCount).toBeLessThanOrEqual(budgets[1])
  const all = linesOf(more)
  for (const [uri, lines] of linesOf(less)) {
    expect([uri, areWithin(lines, all.get(uri) ?? [])]).toEqual([uri, true])
    expect(all.has(uri)).toBe(true)
  }
}

describe('one budget over what applies and code', () => {
  it('is a cap, and a larger one never shows less of any file', () => forAllAsync(200, trees, holdPromises))

  it('is so for 2,000 trees', { tags: 'long' }, async () => {
    await forAllAsync(2000, trees, holdPromises)
  })
})
