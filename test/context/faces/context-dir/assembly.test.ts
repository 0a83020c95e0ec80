import { describe, expect, it } from 'vitest'
import { type LoaderOptions, loadContext } from '../../../../src/context/context-dir/load-context.ts'
import { PRIORITY_ORDER } from '../../../../src/context/sources/context-dir.ts'
import { bytes4 } from '../../../../src/core/tokens.ts'
import { contextTree, type Shape, tree } from '../../../support/tree.ts'

const REQUIRED = ['CONSTITUTION.md', 'TASKS.md', 'DECISIONS.md']

/** Files of that name, each with its own name as text. */
function named(names: readonly string[]): Shape {
  return Object.fromEntries(names.map((name) => [name, `${name}\n`]))
}

async function loaded(files: Shape, options: LoaderOptions = {}) {
  using planted = contextTree(files)
  return await loadContext({ rootDir: planted.base, ...options })
}

describe('the assembled context', () => {
  it.each([
    ['CONSTITUTION.md', 'Constitution'],
    ['TASKS.md', 'Current Tasks'],
    ['DECISIONS.md', 'Key Decisions'],
    ['CONVENTIONS.md', 'Conventions'],
    ['ARCHITECTURE.md', 'Architecture Overview'],
    ['LEARNINGS.md', 'Recent Learnings'],
    ['DEPENDENCIES.md', 'Dependencies'],
    ['AGENT_PLAYBOOK.md', 'Agent Playbook'],
    ['ROADMAP.md', 'ROADMAP.md'],
    ['what is <this> & "that".md', 'what is <this> & "that".md'],
    ['two\nlines.md', 'two\\nlines.md'],
  ])('heads %j with "%s" and names its source', async (name, heading) => {
    const { summary, tokenCount } = await loaded({ [name]: 'The text.\n' })
    const source = `.context/${name.replace('\n', '\\n')}`
    expect(summary).toBe(`# Project Context\n\n## ${heading}\nSource: ${source}\n\nThe text.\n`)
    expect(tokenCount).toBe(bytes4(summary))
  })

  it('names the source as it is seen from the root of the project', async () => {
    using planted = tree({ '.git/': '', 'a/b/.context/TASKS.md': 'x', 'a/b/c/': '' })
    const { summary } = await loadContext({ rootDir: planted.at('a/b/c') })
    expect(summary).toContain('\nSource: a/b/.context/TASKS.md\n')
  })

  it('holds each file as it is when all fits, in order, a section each', async () => {
    const files = {
      'TASKS.md': '# T\r\n\r\n- [ ] x\r\n',
      'CONSTITUTION.md': 'none',
      'GLOSSARY.md': '\n\n```\n  x\n',
    }
    const { summary, truncated } = await loaded(files)
    expect(summary).toBe(
      [
        '# Project Context\n',
        '\n## Constitution\nSource: .context/CONSTITUTION.md\n\nnone\n',
        '\n## Current Tasks\nSource: .context/TASKS.md\n\n# T\r\n\r\n- [ ] x\r\n',
        '\n## Glossary\nSource: .context/GLOSSARY.md\n\n\n\n```\n  x\n',
      ].join(''),
    )
    expect(truncated).toBe(false)
  })

  it.each<[string, Shape]>([
    ['there is no context directory', { 'README.md': 'x' }],
    ['it is empty', { '.context/': '' }],
    ['it holds no Markdown', { '.context/notes.txt': 'x' }],
  ])('is empty when %s', async (_, shape) => {
    using planted = tree({ '.git/': '', ...shape })
    expect(await loadContext({ rootDir: planted.base })).toMatchObject({
      files: [],
      summary: '',
      tokenCount: 0,
      budget: 8000,
      truncated: false,
      overBudget: false,
      missing: PRIORITY_ORDER,
      missingRequired: REQUIRED,
      warnings: [],
    })
  })
})

describe('the files of a context directory', () => {
  it.each<[shape: Shape, names: string[]]>([
    [named(['TASKS.md']), ['TASKS']],
    [named(['notes.MD', 'Other.mD']), ['Other', 'notes']],
    [named(['.hidden.md', '.md', '..md']), []],
    [named(['notes.txt', 'notes.markdown', 'notes.mdx', 'notes.md~', 'md', 'notes_md', 'TASKS.md.bak']), []],
    [named(['sub/TASKS.md', 'sub.dir/x.md']), []],
    [named(['a.b.md', 'a b.md', '-x.md', 'a\nb.md', '\n.md']), ['\n', '-x', 'a\nb', 'a b', 'a.b']],
    [named(['a\\b.md', 'a:b.md', 'a?b#c%20.md', '~.md']), ['a:b', 'a?b#c%20', 'a\\b', '~']],
    [named(['tasks.md', 'TASKS.md', 'Tasks.md']), ['TASKS', 'Tasks', 'tasks']],
    [named(['constructor.md', '__proto__.md', 'toString.md']), ['__proto__', 'constructor', 'toString']],
    [{ 'TASKS.md': 'x', 'ALIAS.md -> TASKS.md': '' }, ['TASKS']],
  ])('are the Markdown files right in it that are not hidden: %j', async (shape, names) => {
    const { files } = await loaded(shape)
    expect(files.map(({ name }) => name)).toEqual(names)
  })

  it.each<[rule: string, priorityOrder: string[] | undefined, present: string[], order: string[]]>([
    ['the default order', undefined, [...PRIORITY_ORDER].reverse(), [...PRIORITY_ORDER]],
    ['others last', undefined, ['AAA.md', 'DRIFT.md', 'TASKS.md'], ['TASKS.md', 'DRIFT.md', 'AAA.md']],
    ['by code unit', undefined, ['b.md', 'a.md', 'B.md', 'ä.md', 'z.md'], ['B.md', 'a.md', 'b.md', 'z.md', 'ä.md']],
    ['UTF-16, not code points', undefined, ['\uffee.md', '\u{1f600}.md'], ['\u{1f600}.md', '\uffee.md']],
    ['a given order', ['B.md', 'A.md'], ['A.md', 'B.md'], ['B.md', 'A.md']],
    [
      'known names that are not in it by name',
      ['B'],
      ['TASKS.md', 'A.md', 'B.md', 'CONSTITUTION.md'],
      ['B.md', 'A.md', 'CONSTITUTION.md', 'TASKS.md'],
    ],
    ['a name twice as its first', ['B', 'A', 'B.md'], ['A.md', 'B.md'], ['B.md', 'A.md']],
    ['no order by name', [], ['TASKS.md', 'CONSTITUTION.md', 'A.md'], ['A.md', 'CONSTITUTION.md', 'TASKS.md']],
  ])('come in order: %s', async (_, priorityOrder, present, order) => {
    const { files, summary, ledger } = await loaded(named(present), priorityOrder && { priorityOrder })
    expect(files.map(({ path }) => path.split('/').at(-1))).toEqual(order)
    const sources = [...summary.matchAll(/^Source: \.context\/(.*)$/gm)].map((match) => match[1])
    expect(sources).toEqual(order)
    expect(ledger.filter(({ decision }) => decision === 'kept')).toHaveLength(order.length)
  })

  it.each<[rule: string, priorityOrder: string[] | undefined, shape: Shape, missing: string[], required: string[]]>([
    ['all of an empty directory', undefined, {}, [...PRIORITY_ORDER], REQUIRED],
    ['what is not required too', undefined, named(PRIORITY_ORDER.slice(0, 9)), ['AGENT_PLAYBOOK.md'], []],
    ['no file that is empty', ['TASKS'], { 'TASKS.md': '' }, [], []],
    ['no file that is binary', ['TASKS'], { 'TASKS.md': '\0' }, [], []],
    ['no directory of that name', ['TASKS'], { 'TASKS.md/': '' }, [], []],
    ['a link to nothing', ['TASKS'], { 'TASKS.md -> nowhere.md': '' }, ['TASKS.md'], ['TASKS.md']],
    ['a file in a folder', ['TASKS'], named(['x/TASKS.md']), ['TASKS.md'], ['TASKS.md']],
    ['a given order of names', ['A', 'B.md', 'DECISIONS'], named(['A.md']), ['B.md', 'DECISIONS.md'], ['DECISIONS.md']],
    ['nothing when nothing is expected', [], {}, [], []],
  ])('are missing: %s', async (_, priorityOrder, shape, missing, missingRequired) => {
    const answer = await loaded(shape, priorityOrder && { priorityOrder })
    expect(answer).toMatchObject({ missing, missingRequired })
    expect(answer.ledger.filter(({ why }) => why === 'missing').map(({ uri }) => uri.split('/').at(-1))).toEqual(
      missing,
    )
  })

  it('are present when empty: a section, and nothing parsed', async () => {
    const { files, summary, warnings } = await loaded({ 'TASKS.md': '', 'GLOSSARY.md': '' })
    expect(files).toMatchObject([
      { name: 'TASKS', content: '', tokenCount: 0, parsed: { title: '', sections: [], metadata: {} } },
      { name: 'GLOSSARY', content: '', tokenCount: 0, parsed: { title: '', sections: [], metadata: {} } },
    ])
    expect(summary).toBe(
      '# Project Context\n\n## Current Tasks\nSource: .context/TASKS.md\n\n## Glossary\nSource: .context/GLOSSARY.md\n',
    )
    expect(warnings).toEqual([])
  })

  it('each have a row in the ledger, and a second name one as a duplicate', async () => {
    const { ledger, files } = await loaded(
      { 'TASKS.md': 'x', 'ALIAS.md -> TASKS.md': '', 'A.md': 'a', 'B.md': 'a', 'BIN.md': '\0' },
      { priorityOrder: ['TASKS', 'DECISIONS'] },
    )
    expect(ledger.map(({ title, decision, why }) => [title, decision, why])).toEqual([
      ['Current Tasks', 'kept', undefined],
      ['A.md', 'kept', undefined],
      ['B.md', 'kept', undefined],
      ['BIN.md', 'left', 'binary'],
      ['Key Decisions', 'left', 'missing'],
      ['ALIAS.md', 'left', 'duplicate'],
    ])
    expect(files.map(({ name }) => name)).toEqual(['TASKS', 'A', 'B'])
  })
})
