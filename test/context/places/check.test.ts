import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { contextFiles } from '../../../src/context/check/files.ts'
import { type CheckRequest, checkPlace } from '../../../src/context/check.ts'
import { OWN_PROFILE } from '../../../src/context/profiles.ts'
import { SILENT } from '../../../src/core/flow.ts'
import { type Planted, plant } from '../../drift/fixtures.ts'
import type { Shape } from '../../support/tree.ts'

const CONTEXT = {
  '.context/CONSTITUTION.md': '# Constitution\n',
  '.context/TASKS.md': '# Tasks\n',
  '.context/DECISIONS.md': '# Decisions\n',
}

async function look({ root }: Planted, request: CheckRequest = {}) {
  return checkPlace({ place: root, home: false, ...request }, SILENT)
}

/** As `severity rule path:line message`, with paths from the root. */
async function findings(planted: Planted, request: CheckRequest = {}): Promise<string[]> {
  const answer = await look(planted, request)
  return answer.findings.map(({ severity, rule, path, line, message }) => {
    const name = path.slice(planted.root.length + 1)
    return `${severity} ${rule} ${name}${line === undefined ? '' : `:${line}`} ${message}`
  })
}

/** A repository, so that the root is where it was planted. */
function project(files: Shape): Planted {
  return plant({ '.git/': '', ...files })
}

describe('check', () => {
  it('hints at the new name of a renamed top directory', async () => {
    using tree = plant({ 'AGENTS.md': 'see `srv/api/handlers.go`', 'srv/api/handlers.go': 'package api\n' })
    tree.git('init', '--quiet')
    tree.commit('first')
    tree.git('mv', 'srv', 'server')
    tree.commit('rename')
    expect((await look(tree)).findings).toMatchObject([
      {
        rule: 'stale-path',
        message: 'srv/api/handlers.go does not exist; it was renamed to server/api/handlers.go.',
        hint: 'Write server/api/handlers.go.',
      },
    ])
  })

  it.each([
    ...['AGENTS.md', 'AGENTS.override.md', 'KODELET.md', 'CLAUDE.md', 'CLAUDE.local.md', 'GEMINI.md', 'QWEN.md'],
    ...['.claude/CLAUDE.md', '.claude/rules/deep/a.md', '.cursor/rules/a.mdc', '.cursorrules', '.windsurfrules'],
    ...['.windsurf/rules/a.md', '.clinerules', '.clinerules/a.md', '.github/copilot-instructions.md'],
    ...['.github/instructions/a.instructions.md', '.roo/rules/a.md', '.kiro/steering/a.md', '.junie/guidelines.md'],
  ])('opens %s, also where others are beside it', async (name) => {
    using tree = project({ 'src/': '', 'a/AGENTS.md': 'a', [`a/${name}`]: 'see `src/gone.ts`' })
    expect(await findings(tree)).toEqual([`warning stale-path a/${name}:1 src/gone.ts does not exist.`])
  })

  it('looks at the context directory that the walk finds, from its own project', async () => {
    using tree = plant({
      ...CONTEXT,
      '.context/ARCHITECTURE.md': '`src/a.ts` `src/gone.ts`',
      'src/a.ts': '',
      'deep/er/': '',
    })
    const found = await look(tree, { place: join(tree.root, 'deep/er') })
    expect(found).toMatchObject({ root: tree.root, checked: 4, findings: [{ message: 'src/gone.ts does not exist.' }] })
  })

  it('finds what is not UTF-8, and where', async () => {
    using tree = project({ 'AGENTS.md': Buffer.from([0x61, 0x0a, 0xff, 0x0a]) })
    expect(await findings(tree)).toEqual([
      'warning invalid-utf8 AGENTS.md:2 1 byte sequence is not valid UTF-8, and read as U+FFFD.',
    ])
  })

  it.skipIf(process.getuid?.() === 0)('finds what may not be read (not as root, who may)', async () => {
    using tree = project({ 'AGENTS.md': 'a' })
    chmodSync(join(tree.root, 'AGENTS.md'), 0)
    expect((await look(tree)).findings).toMatchObject([{ rule: 'unreadable', severity: 'error' }])
  })

  it('looks into so many directories and no more, the shallow first, and says so', async () => {
    using tree = project({ 'a/AGENTS.md': 'a', 'b/c/AGENTS.md': 'b' })
    const below = (maxDirectories: number) =>
      contextFiles({ directory: tree.root, profile: OWN_PROFILE, home: false, maxDirectories }, SILENT)
    expect(await below(4)).toMatchObject({
      isComplete: true,
      paths: ['a', 'b/c'].map((at) => join(tree.root, at, 'AGENTS.md')),
    })
    expect(await below(3)).toMatchObject({ isComplete: false, paths: [join(tree.root, 'a/AGENTS.md')] })
  })

  it('stops when it is told to', async () => {
    using tree = project({})
    const run = { ...SILENT, signal: AbortSignal.abort() }
    await expect(checkPlace({ place: tree.root, home: false }, run)).rejects.toMatchObject({ code: 'cancelled' })
  })
})

it('names the files whose time was over before they were checked to their end', async () => {
  using planted = project({ 'AGENTS.md': 'See `src/gone.ts`.\n', 'CLAUDE.md': 'See `src/none.ts`.\n' })
  const since = performance.now()
  let calls = 0
  // A minute passes between two looks at the clock.
  using _ = vi.spyOn(performance, 'now').mockImplementation(() => since + 60_000 * calls++)
  const found = (await findings(planted)).filter((line) => line.includes('time limit'))
  expect(found).toEqual([expect.stringContaining('everything that it and 1 more cite was checked.')])
})
