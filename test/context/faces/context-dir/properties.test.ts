import { expect, it } from 'vitest'
import { loadContext } from '../../../../src/context/context-dir/load-context.ts'
import { bytes4 } from '../../../../src/core/tokens.ts'
import { fc, forAllAsync } from '../../../support/property.ts'
import { contextTree, type Shape, tree } from '../../../support/tree.ts'

const SECRET = 'SECRET-OUTSIDE'

const anyContent = fc.oneof(
  fc.uint8Array({ maxLength: 2000 }),
  fc.string({ maxLength: 2000, unit: 'grapheme' }).map((text) => Buffer.from(text)),
)

it('loading never throws, whatever the files hold', async () => {
  using project = contextTree({})
  const budgets = fc.integer({ min: 1, max: 600 })
  await forAllAsync(150, anyContent, anyContent, budgets, async (constitution, other, tokenBudget) => {
    project.plant({ '.context/CONSTITUTION.md': constitution, '.context/other.md': other })
    const loaded = await loadContext({ rootDir: project.base, tokenBudget })
    const { summary, tokenCount, overBudget, ledger, files } = loaded
    expect(tokenCount).toBe(bytes4(summary))
    expect(overBudget).toBe(tokenCount > tokenBudget)
    expect(files.length + ledger.filter(({ why }) => why === 'binary').length).toBe(2)
    expect(() => JSON.stringify(loaded)).not.toThrow()
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

it('whatever links a project holds nothing of what lies outside is in an answer', () =>
  forAllAsync(100, fc.array(anyLink, { minLength: 1, maxLength: 8 }), async (links) => {
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
  }))

/** Random links get in each other's way; a file is never written through one that leads outside. */
function plantUnlessThere(plant: (shape: Shape) => void, shape: Shape): void {
  try {
    plant(shape)
  } catch (error) {
    expect(error).toMatchObject({ syscall: expect.any(String) })
  }
}
