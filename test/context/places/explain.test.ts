import { mkdirSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type ExplainRequest, explainPlace } from '../../../src/context/explain.ts'
import { load } from '../../../src/context/load.ts'
import { SILENT } from '../../../src/core/flow.ts'
import type { Shape } from '../../support/tree.ts'
import { type Project, project } from '../../support/workspace.ts'

async function whyNot(planted: Project, file: string, request: ExplainRequest = {}): Promise<string> {
  const touched = (request.touched ?? []).map((path) => planted.file(path))
  const all = { home: planted.home, drift: false, ...request, place: planted.root, touched, whyNot: planted.file(file) }
  const answer = await explainPlace(all, SILENT)
  expect(answer.whyNot?.path).toBe(planted.file(file))
  return answer.whyNot?.answer.replaceAll(planted.root, 'ROOT') ?? ''
}

describe('why a file is not there', () => {
  it.each<[string, Shape, string, ExplainRequest, string | RegExp]>([
    ['it is', { 'AGENTS.md': 'root' }, 'AGENTS.md', {}, 'It is there, whole: 1 tokens.'],
    ['it is, by a touch', { 'a/AGENTS.md': 'a' }, 'a/AGENTS.md', { touched: ['a/x'] }, 'It is there, whole: 1 tokens.'],
    ['it does not exist', {}, 'AGENTS.md', {}, 'There is no such file. Write it.'],
    [
      'it is shadowed',
      { 'AGENTS.md': 'a', 'KODELET.md': 'k' },
      'KODELET.md',
      {},
      'It was left as shadowed. AGENTS.md in the same directory is read first. Import it with @PATH in the file that is read instead, or delete that file.',
    ],
    [
      'it is ignored',
      { 'AGENTS.md': 'a', '.gitignore': 'AGENTS.md' },
      'AGENTS.md',
      {},
      'It was left as excluded. Excluded by a .gitignore. Delete the pattern that excludes it, from .gitignore or the settings of the tool.',
    ],
    [
      'it is empty',
      { 'AGENTS.md': '' },
      'AGENTS.md',
      {},
      'It was left as empty. There is nothing in it. Write something into it.',
    ],
    ['it is binary', { 'AGENTS.md': '\0' }, 'AGENTS.md', {}, /^It was left as binary\. /],
    [
      'it leads outside',
      { 'AGENTS.md -> ../x.md': '', '../x.md': 'x' },
      'AGENTS.md',
      {},
      'It was left as denied. AGENTS.md leads outside the root. Copy what matters into a file of the project that is read.',
    ],
    [
      'it is for other paths',
      { 'AGENTS.md': '---\npaths: "*.py"\n---\n' },
      'AGENTS.md',
      {},
      'It was left as irrelevant. It is for *.py: no such file was touched. Name a file that it is for with --touched.',
    ],
    [
      'it is the same as another',
      { 'AGENTS.md': 'x', 'a/AGENTS.md -> ../AGENTS.md': '' },
      'AGENTS.md',
      { touched: ['a/x'] },
      'It was left by the pass "unique" as duplicate. The same as a/AGENTS.md, which is kept.',
    ],
    [
      'its directory does not count',
      { 'a/AGENTS.md': 'a' },
      'a/AGENTS.md',
      {},
      /^Its directory is neither at nor above ROOT, and not above a touched file\. .* --touched /,
    ],
    [
      'its name does not count',
      { 'README.md': 'r' },
      'README.md',
      {},
      /^It is not one of AGENTS\.md, KODELET\.md, CLAUDE\.md, GEMINI\.md, QWEN\.md, .*, no file imports it/,
    ],
    [
      'its name does not count for that profile',
      { 'CLAUDE.md': 'c' },
      'CLAUDE.md',
      { profile: 'codex' },
      /^It is not one of AGENTS\.override\.md, AGENTS\.md, /,
    ],
    [
      'its directory does not count for that profile, whatever is touched',
      { 'a/AGENTS.md': 'a' },
      'a/AGENTS.md',
      { profile: 'codex' },
      'Its directory is not at or above ROOT, and files that are touched do not count for this tool. Start the tool in its directory.',
    ],
    [
      'only the working directory counts for that profile',
      { 'a/AGENTS.md': 'a' },
      'a/AGENTS.md',
      { profile: 'kodelet' },
      'It is not in ROOT, the only directory of the project that counts for this tool. Start the tool in its directory.',
    ],
    [
      'its suffix is not that of a rule',
      { '.cursor/rules/x.md': 'x' },
      '.cursor/rules/x.md',
      { profile: 'cursor' },
      /^It is not one of AGENTS\.md, \.cursor\/rules\/\*\.mdc, /,
    ],
    ['it is outside', { '../x/AGENTS.md': 'x' }, '../x/AGENTS.md', {}, /^It is outside the project root ROOT\./],
    [
      'it is below the context directory',
      { '.context/deep/x.md': 'x', '.context/TASKS.md': 't' },
      '.context/deep/x.md',
      {},
      'Only Markdown files right in the context directory are read. Move it to ROOT/.context, with a name that ends in .md.',
    ],
    [
      'it is not a Markdown',
      { '.context/x.txt': 'x', '.context/TASKS.md': 't' },
      '.context/x.txt',
      {},
      'Only Markdown files right in the context directory are read. Move it to ROOT/.context, with a name that ends in .md.',
    ],
    [
      'it was imported by another name',
      { 'AGENTS.md': '@b.md @c.md', 'b.md': 'b', 'c.md -> b.md': '' },
      'c.md',
      {},
      'It was left as duplicate. Imported by AGENTS.md, and already read.',
    ],
    [
      'it was imported, but is a secret',
      { 'AGENTS.md': '@.env', '.env': 'x' },
      '.env',
      {},
      'It was left as denied. Imported by AGENTS.md, but its name is that of a secret. Copy what matters into a file of the project that is read.',
    ],
    [
      'another is read instead',
      { 'AGENTS.md': 'a', 'CLAUDE.md': 'c' },
      'AGENTS.md',
      { profile: 'claude' },
      'It was left as shadowed. CLAUDE.md is read instead. Import it with @PATH in the file that is read instead, or delete that file.',
    ],
  ])('%s', async (_, shape, file, request, expected) => {
    using planted = project(shape)
    const answer = await whyNot(planted, file, request)
    expect(answer).toEqual(typeof expected === 'string' ? expected : expect.stringMatching(expected))
  })

  it('the budget cut it', async () => {
    using planted = project({ 'AGENTS.md': `${'A sentence. '.repeat(200)}\n` })
    const answer = await whyNot(planted, 'AGENTS.md', { budget: 100 })
    expect(answer).toMatch(
      /^It was cut by the pass "budget" to \d+ of \d+ tokens, as over-budget\. Raise --budget, or name what matters with --task\.$/,
    )
  })

  it('the budget left it out', async () => {
    const many = Object.fromEntries(
      Array.from({ length: 50 }, (_, index) => [`${'d/'.repeat(index)}AGENTS.md`, 'Rules. '.repeat(50)]),
    )
    using planted = project(many)
    const answer = await whyNot(planted, 'AGENTS.md', { budget: 100, touched: [`${'d/'.repeat(50)}x`] })
    expect(answer).toMatch(/^It was left by the pass "budget" as over-budget\./)
  })
})

it('an explanation is what load tells, without the texts', async () => {
  using planted = project({ 'AGENTS.md': 'root', '.context/TASKS.md': '# Tasks\n' })
  mkdirSync(planted.file('a'))
  const request = { place: planted.file('a'), home: planted.home }
  const {
    text: _,
    summary: __,
    files: ___,
    contexts: ____,
    sent: _____,
    ...told
  } = await load({ ...request, full: false }, SILENT)
  expect(await explainPlace(request, SILENT)).toEqual(told)
})

it('a file to explain is seen from the place when nothing is there from the current directory', async () => {
  using planted = project({ 'AGENTS.md': 'x\n', 'deep/AGENTS.md': 'y\n' })
  for (const [file, path] of [
    ['deep/AGENTS.md', 'deep/AGENTS.md'],
    ['AGENTS.md.gone', undefined],
  ] as const) {
    const { whyNot } = await explainPlace({ place: planted.root, home: planted.home, whyNot: file }, SILENT)
    expect(whyNot?.path).toBe(path === undefined ? resolve(file) : planted.file(path))
  }
})
