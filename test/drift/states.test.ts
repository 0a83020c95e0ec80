import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type CitationState, commitsOf } from '../../src/drift/drift.ts'
import { committed, driftIn, plant } from './fixtures.ts'

/** What is cited of a text and is not there, each with what became of it. */
async function states(text: string, { name = 'AGENTS.md', history = false } = {}): Promise<[string, CitationState][]> {
  const web = 'packages/web/src/app/page.tsx'
  const files = { 'src/core/flow.ts': '', 'src/env.ts': '', [web]: '', 'port/out/repository/x.ts': '' }
  using tree = history ? committed(files) : plant(files)
  const drift = await driftIn(tree, text, { name, history })
  return drift.map(({ cited, state }) => [cited, state])
}

const GONE = '`src/gone.ts`'

describe('what is cited and is not there', () => {
  it('is of another project where the text is kept to be copied', async () => {
    expect(await states(GONE, { name: 'assets/AGENTS.md' })).toEqual([['src/gone.ts', 'example']])
  })

  it('is nothing where each person has or lacks it, though it was there once', async () => {
    const own = { '.claude/settings.json': '{}', '__pycache__/a.pyc': '', 'config.yml': '' }
    using tree = committed({ ...own, 'src/gone.ts': '' })
    tree.git('rm', '--quiet', '-r', '.')
    tree.commit('second')
    const text = '- `.claude/` `.claude/settings.json` `__pycache__/` `config.yml`\n- `src/gone.ts`'
    const found = await driftIn(tree, text, { history: true })
    expect(found.map(({ cited }) => cited)).toEqual(['src/gone.ts'])
  })
})

it('the commits since one are the later ones, and since one that is gone all', async () => {
  using tree = committed({ 'a.ts': '' })
  const first = tree.git('rev-parse', 'HEAD').trim()
  tree.write({ 'b.ts': '' })
  tree.commit('second')
  const changed = async (since?: string) =>
    (await commitsOf(tree.root, { since, limit: 10 }))?.commits.flatMap(({ paths }) => paths)
  expect(await Promise.all([first, undefined, '0'.repeat(40)].map(changed))).toEqual([
    ['b.ts'],
    ['b.ts', 'a.ts'],
    ['b.ts', 'a.ts'],
  ])
})

describe('what was there once', () => {
  it('is dead where a text older than its loss cites it, and moved where the text is newer', async () => {
    const old = `- \`src/gone.ts\`\n- \`older.ts\`\n${'\nWords that stay.\n'.repeat(4)}`
    const lost = ['src/gone.ts', 'src/lost.ts', 'src/older.ts']
    using tree = committed({ ...Object.fromEntries(lost.map((path) => [path, ''])), 'src/a.ts': '', 'CLAUDE.md': old })
    tree.git('rm', '--quiet', ...lost)
    tree.git('mv', 'CLAUDE.md', 'AGENTS.md')
    const text = `${old}- replaces \`src/lost.ts\`\n- \`lost.ts\` is \`older.ts\`\n- uncommitted: \`src/lost.ts\`\n`
    tree.write({ 'AGENTS.md': text.replace(/- uncommitted.*/, '') })
    tree.commit('second')
    const found = await driftIn(tree, text, { history: true })
    expect(found.map(({ cited, line, state }) => `${line} ${cited} ${state}`).join(', ')).toBe(
      '1 src/gone.ts dead, 2 older.ts dead, 11 src/lost.ts moved, 12 lost.ts moved, 13 src/lost.ts dead',
    )
  })

  it('is dead before its loss is committed', async () => {
    using tree = committed({ 'src/gone.ts': '', 'src/a.rs': '', 'lost/a.ts': '' })
    rmSync(join(tree.root, 'src/gone.ts'))
    rmSync(join(tree.root, 'lost'), { recursive: true })
    const found = await driftIn(tree, '`src/gone.ts` `lost/`\n- `gone.ts`', { history: true })
    expect(found.map(({ cited, state }) => `${cited} ${state}`)).toEqual(['lost/ dead', 'src/gone.ts dead'])
  })

  it('is nothing where a hidden directory has a file of its name', async () => {
    using tree = committed({ 'a/topic.md': '', '.claude/skills/b/topic.md': '' })
    tree.git('rm', '--quiet', 'a/topic.md')
    tree.commit('second')
    expect(await driftIn(tree, '- `topic.md`', { history: true })).toEqual([])
  })
})

describe('what is elsewhere now', () => {
  it('is moved where one near file has its name', async () => {
    using tree = committed({ 'tests/integration/plugin.test.ts': '', 'a/index.ts': '', 'src/': '' })
    const text = '- `tests/plugin.test.ts` `src/index.ts`'
    const proposal = 'tests/integration/plugin.test.ts'
    const message = `tests/plugin.test.ts does not exist; there is ${proposal}.`
    expect(await driftIn(tree, text, { history: true })).toMatchObject([
      { cited: 'src/index.ts', state: 'planned' },
      { cited: 'tests/plugin.test.ts', state: 'moved', message, proposal },
    ])
  })

  it('is moved where a file beside the text has its name, whatever else has', async () => {
    using tree = committed({ 'rules/improve.md': '', 'copies/improve.md': '', 'src/gone/': '' })
    const found = await driftIn(tree, '- [a](src/gone/improve.md)', { name: 'rules/a.md', history: true })
    expect(found).toMatchObject([{ state: 'moved', proposal: 'improve.md' }])
  })

  it('is no name of a series that was there once', async () => {
    using tree = committed({ 'data/task_001.txt': '', 'data/kept.txt': '' })
    tree.git('rm', '--quiet', 'data/task_001.txt')
    tree.commit('second')
    expect(await driftIn(tree, '- named like `task_001.txt`', { history: true })).toEqual([])
  })

  it('is not guessed where two files have its name, or none is near', async () => {
    using tree = committed({ 'a/x/plugin.ts': '', 'b/x/plugin.ts': '', 'b/other.ts': '', 'src/x/': '' })
    const found = await driftIn(tree, '- `src/x/plugin.ts` `src/other.ts`', { history: true })
    expect(found.map(({ state }) => state)).toEqual(['planned', 'planned'])
  })

  it('is not what the same line names beside it', async () => {
    using tree = committed({ 'src/client/sse.ts': '', 'src/old/sse.ts': '', 'src/server/main.ts': '' })
    const text =
      'SSE (`src/server/sse.ts`, `src/client/sse.ts`)\n\n- `src/server/sse.ts` beside `src/client/sse.ts`, `src/old/sse.ts`'
    expect(await driftIn(tree, text, { history: true })).toMatchObject([
      { line: 1, state: 'moved', proposal: 'src/old/sse.ts' },
      { line: 3, state: 'planned' },
    ])
  })

  it('is found by what history knows of a path seen from elsewhere', async () => {
    const body = Array.from({ length: 20 }, (_, line) => `line ${line}`).join('\n')
    using tree = committed({ 'packages/core/utils/names.ts': body, 'utils/': '' })
    tree.git('mv', 'packages/core/utils', 'packages/words')
    tree.git('mv', 'packages/words/names.ts', 'packages/words/terms.ts')
    tree.commit('rename')
    expect(await driftIn(tree, '`../utils/names.ts`', { name: 'docs/a.md', history: true })).toMatchObject([
      { state: 'moved', proposal: 'packages/words/terms.ts' },
    ])
  })

  it('is known as far as git gets before an object that is lacking', async () => {
    const body = (name: string) => Array.from({ length: 20 }, (_, line) => `${name} ${line}`).join('\n')
    using tree = committed({ 'src/first.ts': body('first') })
    const lacking = tree.git('rev-parse', 'HEAD:src/first.ts').trim()
    tree.write({ 'src/first.ts': body('changed'), 'src/old.ts': body('old') })
    tree.git('rm', '--quiet', '--cached', 'src/first.ts')
    tree.commit('second')
    tree.git('mv', 'src/old.ts', 'src/new.ts')
    tree.commit('third')
    rmSync(join(tree.root, '.git/objects', lacking.slice(0, 2), lacking.slice(2)), { force: true })
    expect(await driftIn(tree, '`src/old.ts`', { history: true })).toMatchObject([{ proposal: 'src/new.ts' }])
  })
})
