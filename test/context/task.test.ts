import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseCode } from '../../src/code/definitions.ts'
import type { RankedFile } from '../../src/code/rank.ts'
import { codeFragment } from '../../src/context/task/code-fragments.ts'
import { taskMarkdown, taskXml } from '../../src/context/task/renderers.ts'
import { TaskLadder, taskBudget } from '../../src/context/task/task-ladder.ts'
import { selectTaskContext, type TaskAnswer, type TaskRequest } from '../../src/context/task.ts'
import { assemble } from '../../src/core/assemble.ts'
import { type Fragment, NOTHING } from '../../src/core/flow.ts'
import { bytes4 } from '../../src/core/tokens.ts'
import { type Shape, tree } from '../support/tree.ts'

const body = (name: string, lines: number) =>
  `export function ${name}(input: string) {\n${Array.from({ length: lines }, (_, at) => `  step(${at})\n`).join('')}  return input\n}\n`

const SHAPE: Shape = {
  '.git/': '',
  'AGENTS.md':
    '# Rules\n\n## Parsing\n\nThe parser of ledger lines never throws on commas.\n\n## Commits\n\nWrite a body.\n',
  '.context/DECISIONS.md': '# Decisions\n\n## Ledger lines\n\nThe parser of ledger lines is strict about commas.\n',
  'src/parser.ts': `${body('parseLedgerLine', 5)}\n${body('unrelated', 30)}`,
  'src/deep/AGENTS.md': '# Deep\n\nLedger lines in deep are parsed by hand.\n',
  'src/deep/other.ts': body('somethingElse', 3),
  'docs/a.md': '# Other\n\nNothing of it.\n',
}

async function ask(shape: Shape, request: TaskRequest): Promise<TaskAnswer> {
  using planted = tree({
    w: { make: () => {} },
    ...Object.fromEntries(Object.entries(shape).map(([key, what]) => [`w/${key}`, what])),
  })
  return await selectTaskContext({ ...request, place: planted.at('w', request.place ?? '') })
}

const TASK = 'The ledger parser drops lines: `parseLedgerLine` is wrong about commas'

describe('the context of a task', () => {
  it('shows the definition that is named, says why, and tells of the other files without showing them', async () => {
    const { files, text } = await ask(SHAPE, { task: TASK })
    expect(files[0]).toMatchObject({
      path: 'src/parser.ts',
      score: 1,
      why: expect.stringContaining('defines `parseLedgerLine`'),
    })
    expect(files[0]?.ranges[0]).toEqual({ start: 1, end: 9, name: 'parseLedgerLine', kind: 'function', shown: 'body' })
    expect(text).toContain('export function parseLedgerLine')
    expect(text).not.toContain('somethingElse')
  })

  it('brings the passages of instructions that bear on it, and no others', async () => {
    const { text, files } = await ask(SHAPE, { task: TASK })
    expect(text).toContain('never throws')
    expect(text).toContain('strict about commas')
    expect(text).not.toContain('Write a body')
    expect(files.map(({ path }) => path)).not.toContain('AGENTS.md#L1')
  })

  it('marks every gap with its lines', async () => {
    const { text } = await ask(SHAPE, { task: TASK })
    expect(text).toMatch(/^… lines 10-\d+ not shown \(\d+\)$/m)
  })

  it('accounts for what it left', async () => {
    const shape = { ...SHAPE, 'src/ledger-notes.ts': '// a ledger\n' }
    const { ledger } = await ask(shape, { task: TASK })
    const row = ledger.find(({ title }) => title === 'src/ledger-notes.ts')
    expect(row).toMatchObject({
      decision: 'left',
      why: 'irrelevant',
      detail: expect.stringMatching(/^Scores 0\.\d\d of the best/),
    })
  })

  it('puts what is at the place before what is elsewhere', async () => {
    const twins = { '.git/': '', 'a/run.ts': body('runJobs', 3), 'b/run.ts': body('runJobs', 3) }
    for (const place of ['a', 'b']) {
      const { files } = await ask(twins, { task: 'runJobs hangs', place })
      expect(files.map(({ path }) => path)).toEqual([`${place}/run.ts`, `${place === 'a' ? 'b' : 'a'}/run.ts`])
    }
  })

  it('shows no more files than are asked for', async () => {
    const many = Object.fromEntries(Array.from({ length: 9 }, (_, at) => [`src/f${at}.ts`, body(`ledgerLine${at}`, 3)]))
    const shown = async (files?: number) =>
      (await ask({ '.git/': '', ...many }, { task: 'ledger line', files })).files.filter(
        ({ ranges }) => ranges.length > 0,
      )
    expect(await shown()).toHaveLength(6)
    expect(await shown(2)).toHaveLength(2)
  })

  it.each([
    [
      'a diff alone',
      'diff --git a/src/parser.ts b/src/parser.ts\n--- a/src/parser.ts\n+++ b/src/parser.ts\n@@ -3 +3 @@\n-  step(1)\n+  step(2)\n',
      'src/parser.ts',
    ],
    ['a stack trace alone', 'Error\n    at somethingElse (/home/me/w/src/deep/other.ts:2:3)', 'src/deep/other.ts'],
    ['Chinese', '修复 parseLedgerLine 的错误', 'src/parser.ts'],
    ['64 kB of a log', `parseLedgerLine failed\n${'2026-01-01 INFO worker idle 42\n'.repeat(2100)}`, 'src/parser.ts'],
  ])('understands %s', async (_, task, path) => {
    expect((await ask(SHAPE, { task })).files[0]?.path).toBe(path)
  })

  it('needs no git, and no code', async () => {
    const { '.git/': _, ...bare } = SHAPE
    expect((await ask(bare, { task: TASK })).files[0]?.path).toBe('src/parser.ts')
    expect(await ask({ 'a.bin': Uint8Array.of(0) }, { task: TASK })).toMatchObject({
      files: [],
      text: '',
      tokenCount: 0,
    })
  })

  it.each(['', '  \n'])('refuses a task that is empty: %j', async (task) => {
    await expect(ask(SHAPE, { task })).rejects.toMatchObject({ code: 'invalid-input', name: 'ContextError' })
  })

  it('lets no file close its own fence, forge a heading in its name, or hide what it says', async () => {
    const shape = {
      '.git/': '',
      'src/ledger\n## evil.ts': body('parseLedgerLine', 2),
      'src/b.ts': `/** \`\`\`\`\n# parseLedgerLine hidden\u202e\n\`\`\`\` */\n${body('parseLedgerLine', 2)}`,
    }
    const { text } = await ask(shape, { task: TASK })
    expect(text).not.toMatch(/^## evil/m)
    expect(text).toMatch(/^`{5,}ts$/m)
    expect(text).not.toContain('\u202e')
  })
})

/** Some files with units and scores, as a ranking gives them. */
const ranked = fc
  .array(
    fc.record({
      lines: fc.array(fc.constantFrom('', 'a', '  b = c(d)', '}', '```', 'x'.repeat(90), 'ünïcödé <&>'), {
        minLength: 1,
        maxLength: 120,
      }),
      scores: fc.array(fc.double({ min: 0, max: 3, noNaN: true }), { minLength: 1, maxLength: 12 }),
    }),
    { minLength: 1, maxLength: 6 },
  )
  .map((files) => files.map(({ lines, scores }, index) => rankedFile(`f${index}.ts`, lines, scores)))

function rankedFile(path: string, lines: readonly string[], scores: readonly number[]): RankedFile {
  const size = Math.ceil(lines.length / scores.length)
  const units = scores
    .map((score, at) => ({ start: at * size, end: Math.min(lines.length, (at + 1) * size), names: [], score }))
    .filter(({ start, end }) => end > start)
  return {
    file: { path, stamp: [0, 0, 0, 0], factor: 1, digest: 0, record: new Uint8Array(0) },
    score: 1,
    signals: { fields: 1, units: 1, path: 0, definitions: 0, phrases: 0, named: 0, frames: 0 },
    units: scores,
    defines: [],
    words: ['a'],
    parsed: { ...parseCode(path, ''), lines },
    ranked: units,
  }
}

const passages = fc.array(fc.string({ maxLength: 200 }), { maxLength: 4 }).map((texts) =>
  texts.map(
    (text, at): Fragment => ({
      origin: { uri: `p${at}`, labels: { path: 'AGENTS.md' } },
      kind: 'passage',
      title: `p${at}`,
      text,
    }),
  ),
)

async function within(
  budget: number,
  files: readonly RankedFile[],
  texts: readonly Fragment[],
  render: typeof taskXml,
) {
  const ladder = new TaskLadder(files, texts.length)
  const kept = [...files.map((file) => codeFragment('/w', file, 1)), ...texts]
  const source = { name: 'all', gather: async () => ({ ...NOTHING, kept }) }
  const assembled = await assemble({ name: 'task', sources: [source], passes: [taskBudget(budget, ladder)], render })
  const lines = new Map(
    assembled.selection.kept.map((fragment) => [
      fragment.title,
      new Set(
        ladder
          .linesOf(fragment)
          .flatMap(({ start, end }) => Array.from({ length: end - start }, (_, at) => start + at)),
      ),
    ]),
  )
  return { text: assembled.text, lines }
}

describe('the ladder of a task', () => {
  const renders = fc.constantFrom(taskMarkdown, taskXml)

  it('keeps every budget', async () => {
    await fc.assert(
      fc.asyncProperty(
        ranked,
        passages,
        fc.integer({ min: 1, max: 4000 }),
        renders,
        async (files, texts, budget, render) => {
          expect(bytes4((await within(budget, files, texts, render)).text)).toBeLessThanOrEqual(budget)
        },
      ),
    )
  })

  it('never shows less of a file, or of a passage, with a larger budget', async () => {
    const budgets = fc.tuple(fc.integer({ min: 1, max: 4000 }), fc.integer({ min: 1, max: 4000 }))
    await fc.assert(
      fc.asyncProperty(ranked, passages, budgets, renders, async (files, texts, [a, b], render) => {
        const [less, more] = [
          await within(Math.min(a, b), files, texts, render),
          await within(Math.max(a, b), files, texts, render),
        ]
        for (const [title, lines] of less.lines) {
          expect(more.lines.has(title)).toBe(true)
          for (const line of lines) expect(more.lines.get(title)?.has(line)).toBe(true)
        }
      }),
    )
  })
})
