import { describe, expect, it } from 'vitest'
import { type DiffRequest, diffProfiles } from '../../../src/context/diff.ts'
import { initPlace } from '../../../src/context/init.ts'
import { PROFILES } from '../../../src/context/profiles.ts'
import { SILENT } from '../../../src/core/flow.ts'
import type { Shape } from '../../support/tree.ts'
import { project } from '../../support/workspace.ts'

const SHAPE: Shape = {
  'AGENTS.md': 'For all.\n',
  'CLAUDE.md': 'For Claude.\n',
  'a/AGENTS.md': 'For a.\n',
  'a/x.ts': '',
  'out.md': 'x',
  '~/.codex/AGENTS.md': 'Mine.\n',
}

async function compared(
  shape: Shape,
  profiles: readonly string[],
  { place = '', touched = [] }: Partial<DiffRequest> = {},
) {
  using planted = project(shape)
  const request = {
    place: planted.file(place),
    profiles,
    touched: touched.map((path) => planted.file(path)),
    home: planted.home,
  }
  const answer = await diffProfiles(request, SILENT)
  const lines = answer.files.map(({ title, seen, same }) => {
    const verdicts = profiles.map((name) => (seen[name] ? (seen[name].why ?? seen[name].decision) : '-'))
    return `${title}: ${verdicts.join(' ')}${same ? ' same' : ''}`
  })
  return { ...answer, lines, root: planted.root }
}

describe('several tools in one tree', () => {
  it('see different files', async () => {
    const { lines, profiles } = await compared(SHAPE, ['ambit', 'claude', 'codex'], { touched: ['a/x.ts'] })
    expect(lines).toEqual([
      'AGENTS.md: kept shadowed kept',
      'CLAUDE.md: shadowed kept -',
      'a/AGENTS.md: kept shadowed -',
      '~/.codex/AGENTS.md: - - kept',
    ])
    expect(profiles).toEqual([
      { name: 'ambit', files: 2, tokens: expect.any(Number) },
      { name: 'claude', files: 1, tokens: expect.any(Number) },
      { name: 'codex', files: 2, tokens: expect.any(Number) },
    ])
  })

  it('may see the same', async () => {
    const { lines } = await compared({ 'AGENTS.md': 'x' }, ['ambit', 'codex', 'cursor', 'copilot', 'kodelet', 'claude'])
    expect(lines).toEqual(['AGENTS.md: kept kept kept kept kept kept same'])
  })

  it('see the same when none of them sees anything', async () => {
    const { lines } = await compared({ 'AGENTS.md': '' }, ['ambit', 'codex'])
    expect(lines).toEqual(['AGENTS.md: empty empty same'])
  })

  it('see more or less of one file', async () => {
    const { lines, files } = await compared({ 'AGENTS.md': 'x'.repeat(40_000) }, ['ambit', 'codex'])
    expect(lines).toEqual(['AGENTS.md: kept over-limit'])
    expect(files[0]?.seen).toMatchObject({
      ambit: { tokensAfter: 10_000 },
      codex: { decision: 'truncated', tokensAfter: 8192 },
    })
  })

  it('can be all there are, at a file too', async () => {
    const names = PROFILES.map(({ name }) => name)
    const { profiles, place, root } = await compared(SHAPE, names, { place: 'a/x.ts' })
    expect(place).toBe(`${root}/a`)
    expect(profiles.map(({ name }) => name)).toEqual(names)
    expect(profiles.find(({ name }) => name === 'gemini')).toEqual({ name: 'gemini', files: 0, tokens: 0 })
  })

  it('are listed by name, the user’s own last', async () => {
    const { files } = await compared(
      { 'b/AGENTS.md': 'b', 'AGENTS.md': 'r', 'B/AGENTS.md': 'B', '~/.ambit/AGENTS.md': 'h' },
      ['ambit'],
      { touched: ['b/x', 'B/x'] },
    )
    expect(files.map(({ title }) => title)).toEqual(['AGENTS.md', 'B/AGENTS.md', 'b/AGENTS.md', '~/.ambit/AGENTS.md'])
  })

  it('are compared once each, however often they are named', async () => {
    const { profiles } = await compared(SHAPE, ['claude', 'codex', 'claude'])
    expect(profiles.map(({ name }) => name)).toEqual(['claude', 'codex'])
  })

  it('have to be named', async () => {
    await expect(compared(SHAPE, [])).rejects.toMatchObject({ code: 'invalid-input', hint: expect.any(String) })
  })

  it('have to be known', async () => {
    await expect(compared({}, ['ambit', 'nobody'])).rejects.toMatchObject({ code: 'invalid-input', hint: /codex/ })
  })
})

describe('the verdict', () => {
  const verdictOn = async (shape: Shape, agent: string, place = '') => {
    using planted = project({ '.git/HEAD': 'ref: refs/heads/main', ...shape })
    const request = { place: planted.file(place), profiles: [agent], home: planted.home }
    const { agents } = await diffProfiles(request, SILENT)
    return agents[0]?.missing.map(({ title, reason, mend }) => [title, reason, mend.replaceAll(planted.root, '.')])
  }

  it.each<[string, Shape, string, string[][]]>([
    ['complete', { 'AGENTS.md': 'All.' }, 'codex', []],
    ['complete by an import', { 'AGENTS.md': 'All.', 'CLAUDE.md': '@AGENTS.md' }, 'claude', []],
    ['complete by a link', { 'AGENTS.md': 'All.', 'CLAUDE.md -> AGENTS.md': '' }, 'claude', []],
    ['complete for ignored files', { '.gitignore': 'out\n', 'AGENTS.md': 'All.', 'out/AGENTS.md': 'x' }, 'codex', []],
    [
      'missing what another file stands for',
      { 'AGENTS.md': 'All.', 'CLAUDE.md': 'Claude.' },
      'claude',
      [['AGENTS.md', 'Claude Code reads ./CLAUDE.md instead', 'echo @AGENTS.md >> CLAUDE.md']],
    ],
    [
      'missing nested files of a tool that reads none',
      { 'AGENTS.md': 'All.', 'a/AGENTS.md': 'A.' },
      'codex',
      [['a/AGENTS.md', 'Codex loads nothing from below its working directory', 'ambit init --agent codex --write']],
    ],
    [
      'missing nested files because of one at the root',
      { 'AGENTS.md': 'All.', 'CLAUDE.md': '@AGENTS.md', 'a/AGENTS.md': 'A.' },
      'claude',
      [['a/AGENTS.md', 'Claude Code reads ./CLAUDE.md instead', 'ln -s AGENTS.md a/CLAUDE.md']],
    ],
    [
      'missing a file by its name',
      { 'CLAUDE.md': 'All.' },
      'codex',
      [['CLAUDE.md', 'Codex does not read files called CLAUDE.md', 'ln -s CLAUDE.md AGENTS.md']],
    ],
    [
      'missing rules of another tool, for which sync writes files',
      { 'AGENTS.md': 'All.', 'a/AGENTS.md': 'A.' },
      'zed',
      [['a/AGENTS.md', 'Zed loads nothing from below its working directory', 'ambit sync --agent zed']],
    ],
    [
      'missing what the user keeps for another tool',
      { 'AGENTS.md': 'All.', '~/.ambit/AGENTS.md': 'Mine.' },
      'codex',
      [['~/.ambit/AGENTS.md', 'Codex does not look there', expect.stringContaining('~/.codex/AGENTS.md')]],
    ],
    [
      'missing what its settings exclude',
      { 'CLAUDE.md': 'All.', '.claude/settings.json': '{"claudeMdExcludes":["**/CLAUDE.md"]}' },
      'claude',
      [['CLAUDE.md', 'Claude Code: Excluded by a pattern.', expect.stringMatching(/^Delete the pattern/)]],
    ],
    [
      'complete by files above the project',
      { '../CLAUDE.md': 'Above.', '../.claude/CLAUDE.md -> no': '' },
      'claude',
      [],
    ],
    [
      'missing what the user keeps, for a tool without a file of its own',
      { '~/.ambit/AGENTS.md': 'Mine.' },
      'zed',
      [['~/.ambit/AGENTS.md', 'Zed does not look there', expect.stringMatching(/^Copy what matters into AGENTS\.md/)]],
    ],
    [
      'missing what the user keeps beside the file of the tool',
      { '~/.ambit/AGENTS.md': 'Mine.', '~/.gemini/GEMINI.md': 'Other.' },
      'gemini',
      [
        [
          '~/.ambit/AGENTS.md',
          'Gemini CLI does not look there',
          expect.stringMatching(/^cat .* >> ~\/\.gemini\/GEMINI\.md$/),
        ],
      ],
    ],
    [
      'missing words that the tool takes for imports',
      { 'GEMINI.md': 'Use @a.md and @acme/api.', 'a.md': 'A.' },
      'gemini',
      [['GEMINI.md', expect.stringContaining('reads @acme/api. as an import'), 'Write it in backticks.']],
    ],
    ['complete with them in backticks', { 'GEMINI.md': 'Use @a.md and `@acme/api`.', 'a.md': 'A.' }, 'gemini', []],
    [
      'missing what is cut',
      { 'AGENTS.md': 'x'.repeat(40_000) },
      'codex',
      [
        [
          'AGENTS.md',
          expect.stringContaining('Codex cuts it'),
          'Set project_doc_max_bytes = 131072 in ~/.codex/config.toml.',
        ],
      ],
    ],
  ])('is %s', async (_, shape, agent, missing) => {
    expect(await verdictOn(shape, agent)).toEqual(missing)
  })

  it('counts what waits for an approval', async () => {
    const shape: Shape = { 'AGENTS.md': 'All.', 'CLAUDE.md': '@AGENTS.md', 'a/x.ts': '' }
    expect(await verdictOn(shape, 'claude', 'a')).toEqual([
      ['AGENTS.md', expect.stringContaining('only after you approve it'), expect.stringContaining('Start it in')],
    ])
  })

  const linesOf = (count: number) => 'A.\n'.repeat(count)
  const six = linesOf(2000)
  const scoped = (name: string) => ({ [`.cursor/rules/${name}.mdc`]: `---\nglobs: "**/*.ts"\n---\n${name}\n${six}` })

  it.each<[string, 'claude' | 'codex' | 'gemini', Shape, readonly string[], Record<string, string>]>([
    ['each folder by itself', 'claude', { 'a/AGENTS.md': six, 'b/AGENTS.md': `B\n${six}` }, [], {}],
    ['one that is too long for it', 'claude', { 'a/AGENTS.md': linesOf(4000) }, [], { 'a/AGENTS.md': 'touches a' }],
    ['the same for a tool that takes more', 'codex', { 'a/AGENTS.md': linesOf(4000) }, [], {}],
    ['too long for that, too', 'codex', { 'a/AGENTS.md': linesOf(12_000) }, [], { 'a/AGENTS.md': 'touches a' }],
    [
      'rules that one touch brings together',
      'claude',
      { 'x.ts': '', ...scoped('first'), ...scoped('second') },
      [],
      { '.cursor/rules/second.mdc': 'touches x.ts' },
    ],
    [
      'of a session that enters the folder below first, the farther file',
      'claude',
      { 'a/AGENTS.md': six, 'a/b/AGENTS.md': `B\n${six}`, 'a/b/x.ts': '' },
      ['a/b/x.ts'],
      { 'a/AGENTS.md': 'touches a/b/x.ts' },
    ],
    ['none of one that comes from above', 'claude', { 'a/AGENTS.md': six, 'a/b/AGENTS.md': `B\n${six}` }, ['a/x'], {}],
    ['a file in which the tool drops a word', 'gemini', { 'AGENTS.md': 'Use @acme/api.' }, [], {}],
    [
      'what comes together at the start',
      'claude',
      { '.agents/rules/one.md': six, '.agents/rules/two.md': `2\n${six}` },
      [],
      { '.agents/rules/two.md': 'at the start' },
    ],
  ])('of a hook is %s', async (_, agent, shape, touched, missing) => {
    using planted = project({ '.git/HEAD': 'x', 'CLAUDE.md': '@AGENTS.md', 'AGENTS.md': 'All.', ...shape })
    await initPlace({ place: planted.root, agent, write: true, home: planted.home })
    const paths = touched.map((path) => planted.file(path))
    const request = { place: planted.root, profiles: [agent], touched: paths, home: planted.home }
    const { agents } = await diffProfiles(request, SILENT)
    const stated = Object.fromEntries(agents[0]?.missing.map(({ title, reason }) => [title, reason]) ?? [])
    expect(agents[0]?.hook).toBe(true)
    const reasons = Object.entries(missing).map(([title, end]) => [title, expect.stringMatching(`at once.*${end}$`)])
    expect(stated).toEqual(Object.fromEntries(reasons))
  })

  it('is on the tools that people work with here', async () => {
    using planted = project({ 'AGENTS.md': 'x', '.cursor/rules/a.mdc': 'x', '~/.gemini/GEMINI.md': 'x' })
    const { agents } = await diffProfiles({ place: planted.root, home: planted.home }, SILENT)
    expect(agents.map(({ agent }) => agent)).toEqual(['cursor', 'gemini'])
  })
})
