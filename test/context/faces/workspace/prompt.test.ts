import { renameSync, symlinkSync, unlinkSync, utimesSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { Prompt, Workspace } from '../../../../src/context/workspace/workspace.ts'
import { type Look, open, type Project, project } from '../../../support/workspace.ts'

const SHAPE = {
  'AGENTS.md': 'root\n',
  'a/AGENTS.md': 'a\n',
  'a/b/AGENTS.md': 'b\n',
  'c/AGENTS.md': 'c\n',
  '~/.ambit/AGENTS.md': 'home\n',
}
const replaced = (name: string, text: string) =>
  `<context filename="${name}" update="replaces the version sent before">\n${text}\n</context>\n`
const relative = { filenames: 'relative' } as const
const element = (name: string, text: string) => `<context filename="${name}">\n${text}\n</context>\n`
const [ROOT, A, B, C, HOME] = [
  element('AGENTS.md', 'root\n'),
  element('a/AGENTS.md', 'a\n'),
  element('a/b/AGENTS.md', 'b\n'),
  element('c/AGENTS.md', 'c\n'),
  element('~/.ambit/AGENTS.md', 'home\n'),
]

async function prompts(looking: Look, use: (workspace: Workspace, planted: Project) => Promise<void>) {
  using planted = project(SHAPE)
  await use(await open(planted, { ...looking, options: { ...relative, ...looking.options } }), planted)
}

describe('the first prompt', () => {
  it('is all of it, the most specific first, home last', () =>
    prompts({ touched: ['a/b/x', 'c/x'] }, async (workspace) => {
      const prompt = await workspace.prompt()
      expect(prompt).toEqual({
        text: B + A + C + ROOT + HOME,
        delta: B + A + C + ROOT + HOME,
        epoch: 1,
        reason: 'start',
        digest: expect.stringMatching(/^[0-9a-f]{64}$/),
        cut: [],
      })
    }))

  it('is the most general first when that was asked for', () =>
    prompts({ touched: ['a/b/x', 'c/x'], options: { order: 'general-first' } }, async (workspace) => {
      expect((await workspace.prompt()).text).toBe(HOME + ROOT + A + C + B)
    }))

  it('names files by their absolute paths unless asked otherwise', () =>
    prompts({ options: { filenames: 'absolute', home: false } }, async (workspace, planted) => {
      expect((await workspace.prompt()).text).toBe(element(planted.file('AGENTS.md'), 'root\n'))
    }))
})

describe('a later prompt', () => {
  it('appends the general first when that was asked for', () =>
    prompts({ options: { order: 'general-first' } }, async (workspace) => {
      await workspace.prompt()
      await workspace.touch('a/b/x')
      expect((await workspace.prompt()).delta).toBe(A + B)
      await workspace.touch('c/x')
      expect((await workspace.prompt()).text).toBe(HOME + ROOT + A + B + C)
    }))

  it.each<[string, string, (planted: Project) => void]>([
    ['was emptied', 'empty: AGENTS.md', (planted) => planted.plant({ 'AGENTS.md': '' })],
    ['was deleted', 'deleted: AGENTS.md', (planted) => unlinkSync(planted.file('AGENTS.md'))],
    [
      'was renamed to another name',
      'deleted: AGENTS.md',
      (planted) => renameSync(planted.file('AGENTS.md'), planted.file('KODELET.md')),
    ],
    [
      'became a link out of the root',
      'denied: AGENTS.md',
      (planted) => {
        planted.plant({ '../out.md': 'out' })
        unlinkSync(planted.file('AGENTS.md'))
        symlinkSync('../out.md', planted.file('AGENTS.md'))
      },
    ],
    ['was ignored', 'excluded: a/AGENTS.md', (planted) => planted.plant({ '.gitignore': 'a/' })],
    ['is for more', 'irrelevant: AGENTS.md', (planted) => planted.plant({ 'AGENTS.md': '---\npaths: "*.py"\n---\n' })],
    ['at home was deleted', 'deleted: ~/.ambit/AGENTS.md', (planted) => unlinkSync(planted.file('~/.ambit/AGENTS.md'))],
  ])('begins a new epoch when of a few lines a file %s', async (_, reason, change) =>
    prompts({ touched: ['a/x'] }, async (workspace, planted) => {
      const first = await workspace.prompt()
      change(planted)
      const second = await workspace.prompt()
      expect(second).toMatchObject({ epoch: 2, reason, delta: second.text })
      expect(second.text).not.toBe(first.text)
      expect(await workspace.prompt()).toEqual({ ...second, delta: '' })
    }),
  )

  it('begins a new epoch when a file that was sent is shadowed', async () => {
    using planted = project({ 'KODELET.md': 'k' })
    const workspace = await open(planted)
    await workspace.prompt()
    planted.plant({ 'AGENTS.md': 'a' })
    const second = await workspace.prompt()
    expect(second).toMatchObject({ epoch: 2, reason: 'shadowed: KODELET.md' })
    expect(second.text).toBe(element(planted.file('AGENTS.md'), 'a'))
  })

  it.each<[string, (planted: Project) => void]>([
    ['was touched', (planted) => utimesSync(planted.file('AGENTS.md'), 1, 1)],
    ['was written anew with the same text', (planted) => planted.plant({ 'AGENTS.md': 'root\n' })],
    ['got a hidden character that is not shown', (planted) => planted.plant({ 'AGENTS.md': 'ro\u200bot\n' })],
    ['got neighbours', (planted) => planted.plant({ 'README.md': 'x', 'd/AGENTS.md': 'd', '.gitignore': 'dist' })],
    ['shadows another now', (planted) => planted.plant({ 'KODELET.md': 'k' })],
  ])('stays in its epoch when a file that was sent %s', async (_, change) =>
    prompts({ touched: ['a/x'] }, async (workspace, planted) => {
      const first = await workspace.prompt()
      change(planted)
      expect(await workspace.prompt()).toEqual({ ...first, delta: '' })
    }),
  )

  it('stays in its epoch when a file that was sent is found by a second, nearer name', async () => {
    using planted = project({ 'AGENTS.md': 'root', 'a/CLAUDE.md -> ../AGENTS.md': '' })
    const workspace = await open(planted)
    const first = await workspace.prompt()
    await workspace.touch('a/x')
    expect(await workspace.prompt()).toEqual({ ...first, delta: '' })
    expect((await workspace.relevantContexts()).map(({ path }) => planted.name(path))).toEqual(['a/CLAUDE.md'])
    planted.plant({ 'AGENTS.md': 'other' })
    // By the name that the reader was told.
    const delta = replaced(planted.file('AGENTS.md'), 'other')
    expect(await workspace.prompt()).toMatchObject({ epoch: 1, text: first.text + delta, delta })
  })
})

describe('rebase', () => {
  it('begins a new epoch with the next prompt, once, and sends all of it', () =>
    prompts({}, async (workspace) => {
      const first = await workspace.prompt()
      await workspace.touch('a/x')
      await workspace.prompt()
      workspace.rebase()
      const third = await workspace.prompt()
      expect(third).toMatchObject({ epoch: 2, reason: 'rebase', text: A + ROOT + HOME, delta: A + ROOT + HOME })
      expect(first.text).toBe(ROOT + HOME)
      expect(await workspace.prompt()).toEqual({ ...third, delta: '' })
    }))

  it('sends all of it also when nothing has changed', () =>
    prompts({}, async (workspace) => {
      const first = await workspace.prompt()
      workspace.rebase()
      workspace.rebase()
      expect(await workspace.prompt()).toEqual({ ...first, epoch: 2, reason: 'rebase', delta: first.text })
      workspace.rebase()
      expect(await workspace.prompt({ digest: first.digest, epoch: 1 })).toMatchObject({ epoch: 3, delta: first.text })
    }))

  it('before the first prompt is nothing', () =>
    prompts({}, async (workspace) => {
      workspace.rebase()
      expect(await workspace.prompt()).toMatchObject({ epoch: 1, reason: 'start' })
      expect(await workspace.prompt()).toMatchObject({ epoch: 1, delta: '' })
    }))
})

describe('readers', () => {
  /** What a reader makes of what it is given. */
  const read = (before: string, { epoch, text, delta }: Prompt, had: number) => (epoch === had ? before + delta : text)

  it.each<[string, (prompt: Prompt) => Prompt | string | Pick<Prompt, 'digest'>]>([
    ['its prompt', (prompt) => prompt],
    ['its digest', ({ digest }) => digest],
    ['its digest in an object', ({ digest }) => ({ digest })],
  ])('do not eat each other’s deltas when each gives %s', async (_, since) =>
    prompts({}, async (workspace) => {
      const first = await workspace.prompt('nothing yet')
      expect(first.delta).toBe(first.text)
      await workspace.touch('a/x')
      const quick = await workspace.prompt(since(first))
      await workspace.touch('c/x')
      const quicker = await workspace.prompt(since(quick))
      const slow = await workspace.prompt(since(first))
      expect([quick.delta, quicker.delta, slow.delta]).toEqual([A, C, A + C])
      expect(read(first.text, slow, 1)).toBe(slow.text)
      expect(await workspace.prompt(since(slow))).toMatchObject({ delta: '' })
    }),
  )

  it('who give nothing have their own', () =>
    prompts({}, async (workspace) => {
      const mine = await workspace.prompt()
      await workspace.touch('a/x')
      expect((await workspace.prompt(mine)).delta).toBe(A)
      expect((await workspace.prompt(mine)).delta).toBe(A)
      expect((await workspace.prompt()).delta).toBe(A)
      expect((await workspace.prompt()).delta).toBe('')
    }))

  it('who have what nobody gave get all of it', () =>
    prompts({}, async (workspace) => {
      await workspace.prompt()
      const { text } = await workspace.prompt()
      expect((await workspace.prompt('')).delta).toBe(text)
      expect((await workspace.prompt('f'.repeat(64))).delta).toBe(text)
      expect((await workspace.prompt('__proto__')).delta).toBe(text)
    }))

  it('of an old epoch get all of it, each of them', () =>
    prompts({}, async (workspace) => {
      const first = await workspace.prompt()
      workspace.rebase()
      const one = await workspace.prompt(first)
      const other = await workspace.prompt(first)
      expect([one.delta, other.delta]).toEqual([one.text, one.text])
      expect(await workspace.prompt(one)).toMatchObject({ epoch: 2, delta: '' })
    }))

  it('are never told that an old text in another order is the new one', () =>
    prompts({ options: { order: 'general-first', home: false } }, async (workspace, planted) => {
      unlinkSync(planted.file('AGENTS.md'))
      await workspace.touch('a/x')
      await workspace.prompt()
      planted.plant({ 'AGENTS.md': 'root\n' })
      const grown = await workspace.prompt()
      expect(grown.text).toBe(A + ROOT)
      workspace.rebase()
      const rebased = await workspace.prompt()
      expect(rebased.text).toBe(ROOT + A)
      expect(rebased.digest).not.toBe(grown.digest)
      expect((await workspace.prompt(grown.digest)).delta).toBe(rebased.text)
    }))
})
