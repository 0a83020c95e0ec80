import { unlinkSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { utf8Length } from '../../../../src/core/tokens.ts'
import { fc, forAllAsync } from '../../../support/property.ts'
import { open, type Project, project } from '../../../support/workspace.ts'

const options = { filenames: 'relative', home: false } as const
const REPLACES = 'replaces the version sent before'
const SECTIONS = 'only the changed sections; the other sections stay as sent before'
const GONE = 'The text sent before is out of date.'
const element = (name: string, text: string, update?: string) =>
  `<context filename="${name}"${update ? ` update="${update}"` : ''}>\n${text}\n</context>\n`

/** A file of several headings, about 1,200 bytes long. */
const guide = (name: string, heading = 'Tests', line = 'Run them all.') =>
  `# ${name}\n\n${'Words that say little. '.repeat(22)}\n\n## ${heading}\n\n${line}\n\n## Style\n\n${'Use tabs. '.repeat(60)}\n`

const NAMES = Array.from({ length: 20 }, (_, index) => `p${index}/AGENTS.md`)
const many = () => project(Object.fromEntries(['AGENTS.md', ...NAMES].map((name) => [name, guide(name)] as const)))

it('one changed line in one of 21 files is sent as its section: less than one hundredth of all', async () => {
  using planted = many()
  const workspace = await open(planted, { touched: NAMES, options })
  const first = await workspace.prompt()
  planted.plant({ 'p7/AGENTS.md': guide('p7/AGENTS.md', 'Tests', 'Run only these.') })
  const second = await workspace.prompt()
  expect(second.delta).toBe(element('p7/AGENTS.md', '## Tests\n\nRun only these.', SECTIONS))
  expect(second).toMatchObject({ epoch: 1, reason: 'start', text: first.text + second.delta })
  expect(utf8Length(first.text)).toBeGreaterThan(25_000)
  expect(utf8Length(second.delta)).toBeLessThan(utf8Length(first.text) / 100)
})

describe('a file that was sent', () => {
  it.each<[string, (planted: Project) => void, string]>([
    [
      'and loses a heading is sent whole',
      (planted) => planted.plant({ 'p1/AGENTS.md': '# p1/AGENTS.md\n' }),
      element('p1/AGENTS.md', '# p1/AGENTS.md\n', REPLACES),
    ],
    [
      'whose heading is renamed is sent whole: its old section would stand',
      (planted) => planted.plant({ 'p1/AGENTS.md': guide('p1/AGENTS.md', 'Checks') }),
      element('p1/AGENTS.md', guide('p1/AGENTS.md', 'Checks'), REPLACES),
    ],
    [
      'and has one heading twice is sent whole: nobody knows which is meant',
      (planted) => planted.plant({ 'p1/AGENTS.md': guide('p1/AGENTS.md', 'Style') }),
      element('p1/AGENTS.md', guide('p1/AGENTS.md', 'Style'), REPLACES),
    ],
    [
      'and gets a section is sent as that section',
      (planted) => planted.plant({ 'p1/AGENTS.md': `${guide('p1/AGENTS.md')}## More\n\nNew.\n` }),
      element('p1/AGENTS.md', '## More\n\nNew.', SECTIONS),
    ],
    [
      'and is deleted applies no longer',
      (planted) => unlinkSync(planted.file('p1/AGENTS.md')),
      element('p1/AGENTS.md', GONE, 'no longer applies'),
    ],
    [
      'and is ignored applies no longer',
      (planted) => planted.plant({ '.gitignore': 'p1/' }),
      element('p1/AGENTS.md', GONE, 'no longer applies'),
    ],
    [
      'and loses a part of what frames could be made of stays in its frame',
      (planted) => planted.plant({ 'p1/AGENTS.md': '</context>' }),
      element('p1/AGENTS.md', '&lt;/context>', REPLACES),
    ],
  ])('%s', async (_, change, delta) => {
    using planted = many()
    const workspace = await open(planted, { touched: NAMES, options })
    const first = await workspace.prompt()
    change(planted)
    const second = await workspace.prompt()
    expect(second.delta).toBe(delta)
    expect(second).toMatchObject({ epoch: 1, text: first.text + delta })
    expect(second.digest).not.toBe(first.digest)
    expect(await workspace.prompt()).toEqual({ ...second, delta: '' })
    expect((await workspace.prompt(first.digest)).delta).toBe(delta)
  })

  it('and is shadowed applies no longer, and what shadows it is sent', async () => {
    using planted = project({ 'AGENTS.md': guide('root'), 'a/KODELET.md': 'k' })
    const workspace = await open(planted, { touched: ['a/x'], options })
    await workspace.prompt()
    planted.plant({ 'a/AGENTS.md': 'a' })
    const delta = element('a/AGENTS.md', 'a') + element('a/KODELET.md', GONE, 'no longer applies')
    expect(await workspace.prompt()).toMatchObject({ epoch: 1, delta })
  })

  it('and comes back is sent again', async () => {
    using planted = many()
    const workspace = await open(planted, { touched: NAMES, options })
    await workspace.prompt()
    unlinkSync(planted.file('p1/AGENTS.md'))
    const gone = await workspace.prompt()
    planted.plant({ 'p1/AGENTS.md': guide('p1/AGENTS.md') })
    const back = await workspace.prompt()
    expect(back).toMatchObject({ epoch: 1, delta: element('p1/AGENTS.md', guide('p1/AGENTS.md')) })
    expect((await workspace.prompt(gone.digest)).delta).toBe(back.delta)
  })
})

describe('a new epoch', () => {
  it('begins when what was replaced outweighs what stands', async () => {
    using planted = project({ 'AGENTS.md': guide('one'), 'a/AGENTS.md': guide('two') })
    const workspace = await open(planted, { touched: ['a/x'], options })
    const epochs: string[] = []
    for (const text of ['1', '2', '3', '4', '5']) {
      planted.plant({ 'AGENTS.md': text.repeat(1000) })
      const { epoch, reason, text: all, delta } = await workspace.prompt()
      expect(delta === all).toBe(epochs.at(-1)?.[0] !== String(epoch))
      epochs.push(`${epoch} ${reason}`)
    }
    expect(epochs).toEqual(['1 start', '1 start', '1 start', '2 changed: AGENTS.md', '2 changed: AGENTS.md'])
  })

  it('begins when a replacement does not fit the budget', async () => {
    using planted = project({ 'AGENTS.md': guide('one'), 'a/AGENTS.md': guide('two'), 'b/AGENTS.md': guide('three') })
    const workspace = await open(planted, { touched: ['a/x', 'b/x'], options: { ...options, budget: 1_250 } })
    await workspace.prompt()
    planted.plant({ 'a/AGENTS.md': 'n'.repeat(1_600) })
    expect(await workspace.prompt()).toMatchObject({ epoch: 2, reason: 'changed: a/AGENTS.md' })
  })

  it('keeps a text within twice of what applies, whatever is edited', async () => {
    const edit = fc.tuple(fc.constantFrom('AGENTS.md', 'a/AGENTS.md', 'b/AGENTS.md'), fc.integer({ min: 0, max: 900 }))
    await forAllAsync(40, fc.array(edit, { maxLength: 12 }), async (edits) => {
      using planted = project({ 'AGENTS.md': guide('one'), 'a/AGENTS.md': 'a', 'b/AGENTS.md': 'b' })
      const workspace = await open(planted, { touched: ['a/x', 'b/x'], options })
      for (const [name, length] of edits) {
        planted.plant({ [name]: `${length}`.repeat(length) })
        const { text } = await workspace.prompt()
        const fresh = await (await open(planted, { touched: ['a/x', 'b/x'], options })).prompt()
        // Of a replacement the attribute `update`, of 45 characters, stands, too.
        expect(utf8Length(text)).toBeLessThanOrEqual(2 * (utf8Length(fresh.text) + 3 * 50))
      }
    })
  })
})
