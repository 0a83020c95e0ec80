import { describe, expect, it } from 'vitest'
import { loadContext, loadContextFile } from '../../../../src/context/context-dir/load-context.ts'
import { BOUNDS } from '../../../../src/core/bounds.ts'
import { bytes4 } from '../../../../src/core/tokens.ts'
import { contextTree, type Shape, sparse, tree } from '../../../support/tree.ts'

const TASKS = [
  '---',
  'owner: Ada',
  'size: 3',
  '---',
  '# The tasks',
  'Before.',
  '## Next',
  '- [ ] Write tests #priority:high',
  '  - the first',
  '- [x] Read the spec',
  '- [-] Ship it',
  '## Notes',
  'Some *prose*.',
  '',
].join('\n')

describe('a loaded file', () => {
  it('has name, path, content, count and structure', async () => {
    using project = contextTree({ 'TASKS.md': TASKS })
    const { files } = await loadContext({ rootDir: project.base })
    expect(files).toEqual([
      {
        name: 'TASKS',
        path: project.at('.context/TASKS.md'),
        content: TASKS,
        tokenCount: bytes4(TASKS),
        parsed: {
          title: 'The tasks',
          metadata: { owner: 'Ada', size: '3' },
          sections: [
            { title: '', items: [], content: 'Before.', prose: '' },
            {
              title: 'Next',
              content: '',
              prose: '',
              items: [
                { title: 'Write tests', fields: {}, tags: ['priority:high'], status: 'todo', children: ['the first'] },
                { title: 'Read the spec', fields: {}, tags: [], status: 'done', children: [] },
                { title: 'Ship it', fields: {}, tags: [], status: 'blocked', children: [] },
              ],
            },
            { title: 'Notes', items: [], content: 'Some *prose*.', prose: '' },
          ],
        },
      },
    ])
  })

  it.each(['\n', '\r\n', '\r'])('has the same structure whatever ends its lines: %j', async (end) => {
    using project = contextTree({ 'A.md': TASKS, 'B.md': TASKS.replaceAll('\n', end) })
    const { files } = await loadContext({ rootDir: project.base })
    expect(files[1]?.parsed).toEqual(files[0]?.parsed)
  })

  it('is not parsed before it is asked for, and then once', async () => {
    using project = contextTree({ 'TASKS.md': TASKS })
    const { files } = await loadContext({ rootDir: project.base })
    const [file] = files
    const parsed = file && Object.getOwnPropertyDescriptor(file, 'parsed')
    expect(parsed).toMatchObject({ get: expect.any(Function), set: undefined, enumerable: true })
    expect(parsed).not.toHaveProperty('value')
    expect(file?.parsed).toBe(file?.parsed)
    expect(JSON.parse(JSON.stringify(file)).parsed.title).toBe('The tasks')
    expect({ ...file }.parsed).toBe(file?.parsed)
  })

  it.each([
    ['an open code fence', '# T\n\n```ts\nconst a = 1\n', 'Line 3: the code fence is not closed.'],
    ['front matter without end', '---\nowner: Ada\n# T\n', 'The front matter is not closed: it is read as text.'],
    ['an open comment', '# T\n\n<!-- note\n', 'Line 3: the comment is not closed.'],
  ])('that is malformed is loaded, parsed as far as possible, and warned of: %s', async (_, text, message) => {
    using project = contextTree({ 'TASKS.md': text, 'A.md': 'fine' })
    const { files, summary, warnings } = await loadContext({ rootDir: project.base })
    expect(warnings).toEqual([{ path: project.at('.context/TASKS.md'), message }])
    expect(summary).toContain(text)
    expect(files[0]?.parsed.sections).not.toEqual([])
  })
})

it('a file is repaired with a warning, and what is not seen in it is not shown', async () => {
  const bytes = Buffer.concat([Buffer.from('a\u202eb'), Buffer.from([0xff])])
  using project = contextTree({ 'TASKS.md': bytes, 'x\u202e.md': '' })
  const { files, summary, warnings } = await loadContext({ rootDir: project.base })
  expect(files.map(({ content }) => content)).toEqual(['a\u202eb\ufffd', ''])
  expect(summary).toBe(
    '# Project Context\n\n## Current Tasks\nSource: .context/TASKS.md\n\nab\ufffd\n\n## x.md\nSource: .context/x.md\n',
  )
  expect(warnings.map(({ message }) => message)).toEqual([
    'Invalid byte sequences were replaced by U+FFFD: 1.',
    '1 invisible character (U+202E) not shown; first on line 1.',
    'Its name has invisible characters that are not shown: U+202E.',
  ])
})

describe('a file that is loaded by itself', () => {
  it('is the same as among the others', async () => {
    using project = contextTree({ 'TASKS.md': TASKS, 'OTHER.MD': 'x' })
    const { files } = await loadContext({ rootDir: project.base })
    for (const file of files) expect(await loadContextFile(file.path)).toEqual(file)
  })

  it('may lie anywhere, be called anything, and be counted by another counter', async () => {
    using project = tree({ 'notes.txt': 'four', '.hidden': 'x' })
    expect(await loadContextFile(project.at('notes.txt'))).toMatchObject({ name: 'notes.txt', tokenCount: 1 })
    expect(await loadContextFile(project.at('notes.txt'), (text) => text.length)).toMatchObject({ tokenCount: 4 })
    expect(await loadContextFile(`${project.base}/./x/../.hidden`)).toMatchObject({ path: project.at('.hidden') })
  })

  it.each<[what: string, shape: Shape, path: string, code: string, message: RegExp]>([
    ['absent', {}, 'p/.context/TASKS.md', 'not-found', /does not exist/],
    ['a directory', { 'p/x.md/': '' }, 'p/x.md', 'invalid-input', /is a directory, not a file/],
    ['binary', { 'p/x.md': 'a\0b' }, 'p/x.md', 'invalid-input', /NUL/],
    ['too large', { 'p/x.md': sparse(BOUNDS.file + 1) }, 'p/x.md', 'over-limit', /4194305 bytes; at most 4194304/],
    ['a link out of the project', { 'p/x.md -> ../out/x.md': '' }, 'p/x.md', 'denied', /leads outside/],
    ['a link to itself', { 'p/x.md -> x.md': '' }, 'p/x.md', 'unavailable', /loop/],
  ])('is refused when it is %s', async (_, shape, path, code, message) => {
    using project = tree({ 'p/.git/': '', 'out/x.md': 'secret', ...shape })
    const refusal = { name: 'ContextError', code, message: expect.stringMatching(message) }
    await expect(loadContextFile(project.at(path))).rejects.toMatchObject(refusal)
  })

  it('is refused with its path, and without what is in it', async () => {
    using project = tree({ 'p/.git/': '', 'p/x.md -> ../out.md': '', 'out.md': 'secret' })
    const error = await loadContextFile(project.at('p/x.md')).catch((reason) => reason)
    expect(error.message).toBe(`${project.at('p/x.md')} cannot be loaded: x.md leads outside the root.`)
    expect(JSON.stringify([error.message, error.hint, error.cause ?? null])).not.toContain('secret')
  })

  it('may be a link within its project, also where only the context directory tells it', async () => {
    using project = tree({ 'p/.context/TASKS.md -> ../docs/x.md': '', 'p/docs/x.md': 'inside' })
    const path = project.at('p/.context/TASKS.md')
    expect(await loadContextFile(path)).toMatchObject({ name: 'TASKS', path, content: 'inside' })
    expect((await loadContext({ rootDir: project.at('p') })).files).toMatchObject([{ path, content: 'inside' }])
  })
})
