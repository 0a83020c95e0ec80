import { writeFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { loadContext } from '../../../../src/context/context-dir/load-context.ts'
import { bytes4 } from '../../../../src/core/tokens.ts'
import { contextTree, type Shape, tree } from '../../../support/tree.ts'
import { marksIn, withoutMarks } from '../../passes/budget/documents.ts'

const SECRET = 'SECRET-OUTSIDE'

const markdown = fc
  .array(
    fc
      .constantFrom(...'# |## |- [ ] |- [x] |> |```|---\n|key: value\n|<!-- |\n|\n\n|\r\n'.split('|'))
      .chain((mark) => fc.string({ maxLength: 60, unit: 'binary' }).map((text) => mark + text)),
    { maxLength: 60 },
  )
  .map((parts) => Buffer.from(parts.join('').replaceAll('\0', '')))
const anyBytes = fc.uint8Array({ maxLength: 2000 })
const anyText = fc.string({ maxLength: 2000, unit: 'grapheme' }).map((text) => Buffer.from(text))
const anyContent = fc.oneof(anyBytes, markdown, anyText)
const anyBudget = fc.oneof(fc.integer({ min: 1, max: 600 }), fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }))

describe('whatever the files hold', () => {
  it('loading never throws, and what is shown is within the budget, unless what is never cut takes more', async () => {
    using project = contextTree({})
    const files = fc.record({ constitution: anyContent, tasks: anyContent, decisions: anyContent, other: anyContent })
    await fc.assert(
      fc.asyncProperty(files, anyBudget, fc.string(), async (contents, tokenBudget, task) => {
        writeFileSync(project.at('.context/CONSTITUTION.md'), contents.constitution)
        writeFileSync(project.at('.context/TASKS.md'), contents.tasks)
        writeFileSync(project.at('.context/DECISIONS.md'), contents.decisions)
        writeFileSync(project.at('.context/other.md'), contents.other)
        const loaded = await loadContext({ rootDir: project.base, tokenBudget, task })
        const { summary, tokenCount, overBudget, truncated, ledger, files } = loaded
        expect(tokenCount).toBe(bytes4(summary))
        expect(overBudget).toBe(tokenCount > tokenBudget)
        if (overBudget) expect(summary.match(/^Source: \.context\/.*$/gm)?.[0]).toBe('Source: .context/CONSTITUTION.md')
        expect(truncated).toBe(ledger.some(({ why }) => why === 'over-budget'))
        expect(new Set(ledger.map(({ uri }) => uri)).size).toBe(ledger.length)
        expect(ledger.filter(({ why }) => why !== 'missing')).toHaveLength(4)
        expect(files.length + ledger.filter(({ why }) => why === 'binary').length).toBe(4)
        const constitution = files.find(({ name }) => name === 'CONSTITUTION')
        if (constitution && loaded.warnings.length === 0) expect(summary).toContain(constitution.content)
        expect(() => JSON.stringify(loaded)).not.toThrow()
      }),
      { numRuns: 150 },
    )
  })

  it('a larger budget never shows less', async () => {
    using project = contextTree({})
    await fc.assert(
      fc.asyncProperty(anyContent, anyContent, anyBudget, anyBudget, async (tasks, other, one, two) => {
        writeFileSync(project.at('.context/TASKS.md'), tasks)
        writeFileSync(project.at('.context/other.md'), other)
        const [low, high] = await Promise.all(
          [Math.min(one, two), Math.max(one, two)].map((tokenBudget) =>
            loadContext({ rootDir: project.base, tokenBudget }),
          ),
        )
        for (const { uri, tokensAfter } of low?.ledger ?? []) {
          const row = high?.ledger.find((other) => other.uri === uri)
          // The mark of a gap goes when the gap is closed.
          const marks = bytes4(marksIn(low?.summary ?? '').join('\n\n'))
          expect((row?.tokensAfter ?? 0) + marks).toBeGreaterThanOrEqual(tokensAfter)
        }
        const visible = (text = '') => withoutMarks(text).replace(/\s+/g, '').length
        expect(visible(high?.summary)).toBeGreaterThanOrEqual(visible(low?.summary))
      }),
      { numRuns: 150 },
    )
  })
})

const NAMES = ['TASKS.md', 'DECISIONS.md', 'a.md', 'b.md', 'c.md']
const PLACES = '.context/TASKS.md .context/DECISIONS.md .context/a.md .context/b.md docs docs/d.md e f'.split(' ')
const TARGETS = [
  '',
  '..',
  'docs',
  'docs/d.md',
  'docs/..',
  'docs/../..',
  'e',
  'f',
  'e/secret.md',
  'f/deep/secret.md',
  '.context',
  ...PLACES,
]
const OUTSIDE =
  '../out ../out/secret.md ../out/deep ../out/back ../out/back/docs/d.md ../proj-evil ../proj-evil/a.md'.split(' ')

/** A link from a place in the project to somewhere, relative or from the base. */
const anyLink = fc
  .tuple(fc.constantFrom(...PLACES), fc.constantFrom(...TARGETS, ...OUTSIDE), fc.boolean())
  .map(([place, target, absolute]) => {
    const up = '../'.repeat(place.split('/').length - 1)
    return [place, absolute ? `/proj/${target}` : `${up}${target}` || '.'] as const
  })

describe('whatever links a project holds', () => {
  it('nothing of what lies outside is in an answer', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyLink, { minLength: 1, maxLength: 8 }), async (links) => {
        using planted = tree({
          'proj/.git/': '',
          'proj/.context/c.md': 'inside',
          'out/secret.md': SECRET,
          'out/deep/secret.md': SECRET,
          'out/TASKS.md': SECRET,
          'out/back -> ../proj': '',
          'proj-evil/a.md': SECRET,
        })
        for (const [place, target] of links) plantUnlessThere(planted.plant, { [`proj/${place} -> ${target}`]: '' })
        plantUnlessThere(planted.plant, { 'proj/docs/d.md': 'inside' })
        const loaded = await loadContext({ rootDir: planted.at('proj') })
        expect(JSON.stringify(loaded)).not.toContain(SECRET)
        for (const { content } of loaded.files) expect(content).toBe('inside')
        expect(loaded.files.length).toBeLessThanOrEqual(NAMES.length)
        expect(new Set(loaded.files.map(({ path }) => path)).size).toBe(loaded.files.length)
      }),
      { numRuns: 100 },
    )
  })
})

/** Random links get in each other's way; a file is never written through one that leads outside. */
function plantUnlessThere(plant: (shape: Shape) => void, shape: Shape): void {
  try {
    plant(shape)
  } catch (error) {
    expect(error).toMatchObject({ syscall: expect.any(String) })
  }
}
