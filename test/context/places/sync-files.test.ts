import { readFileSync, writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { syncPlace } from '../../../src/context/init.ts'
import type { Shape } from '../../support/tree.ts'
import { project } from '../../support/workspace.ts'

const GIT: Shape = { '.git/HEAD': 'ref: refs/heads/main' }

/** Runs `sync` in a project of these files, and reads them. */
async function synced(
  shape: Shape,
  agents: readonly string[],
  change: (file: (name: string) => string) => void = () => {},
) {
  const planted = project({ ...GIT, ...shape })
  const request = { place: planted.root, agents, home: planted.home }
  change(planted.file)
  const { files, notes } = await syncPlace({ ...request, gitignore: true })
  const read = (name: string) => readFileSync(planted.file(name), 'latin1')
  return { ...planted, request, files, notes, read, [Symbol.dispose]: () => planted[Symbol.dispose]() }
}

describe('sync changes nothing of a .gitignore but its block', () => {
  const block = (...names: string[]) =>
    `# Written by "ambit sync":\n${names.map((name) => `/${name}\n`).join('')}# End of "ambit sync"\n`
  const own = block('CLAUDE.md')

  it.each<[string, string, string]>([
    [
      'after a block without an end',
      `# Written by "ambit sync":\n/old\nmine\n${own}`,
      `# Written by "ambit sync":\n/old\nmine\n${own}`,
    ],
    ['in the block', own.replace('# End', 'mine\n# End'), `${own}mine\n`],
    ['around the block', `mine\n${block('old')}yours\n`, `mine\n${own}yours\n`],
    [
      'with carriage returns',
      `mine\r\n${block('old').replaceAll('\n', '\r\n')}`,
      `mine\r\n${own.replaceAll('\n', '\r\n')}`,
    ],
    ['below a byte order mark', '\u00ef\u00bb\u00bfmine\n', `\u00ef\u00bb\u00bfmine\n${own}`],
    [
      'around a first block below a byte order mark',
      `\u00ef\u00bb\u00bf${block('old')}mine\n`,
      `\u00ef\u00bb\u00bf${own}mine\n`,
    ],
    ['without a last line feed', 'mine', `mine\n${own}`],
    ['that are not UTF-8', 'caf\u00e9/\n', 'caf\u00e9/\n'],
    ['in UTF-16', '\u00ff\u00fem\0', '\u00ff\u00fem\0'],
  ])('keeps lines %s', async (_, before, after) => {
    const write = (file: (name: string) => string) => writeFileSync(file('.gitignore'), before, 'latin1')
    using project = await synced({ 'AGENTS.md': 'For all.\n' }, ['claude'], write)
    expect(project.read('.gitignore')).toBe(after)
    const isReported = project.files.some(({ name, state }) => name === '.gitignore' && state === 'kept')
    expect(isReported).toBe(before === after && !before.includes('#'))
  })
})

describe('a file that sync wrote', () => {
  it('is current when only its line ends were changed, and not a rule to import', async () => {
    using project = await synced({ 'AGENTS.md': 'For all.\r\n', '.agents/rules/a.md': 'One.\r\nTwo.\r\n' }, ['claude'])
    for (const name of ['CLAUDE.md', '.claude/rules/a.md']) {
      const text = readFileSync(project.file(name), 'utf8').replaceAll('\r\n', '\n')
      writeFileSync(project.file(name), text.replaceAll('\n', '\r\n'))
    }
    expect(await syncPlace({ ...project.request, dryRun: true })).toMatchObject({ isOutdated: false })
    expect(await syncPlace({ ...project.request, import: true, dryRun: true })).toMatchObject({ files: [], notes: [] })
    writeFileSync(project.file('.agents/rules/a.md'), 'Three.\r\n')
    const { files } = await syncPlace(project.request)
    expect(files.find(({ name }) => name === '.claude/rules/a.md')).toMatchObject({ state: 'update' })
  })

  it('is not a rule to import after another program put blank lines into it', async () => {
    const rule = '---\npaths: ["src/**"]\n---\n\nOne.\n'
    using project = await synced({ 'AGENTS.md': 'For all.\n', '.agents/rules/a.md': rule }, ['claude'])
    const name = project.file('.claude/rules/a.md')
    writeFileSync(name, readFileSync(name, 'utf8').replace('\n<!--', '\n\n<!--').replace('One.', 'One.\n'))
    expect(await syncPlace({ ...project.request, import: true, dryRun: true })).toMatchObject({ files: [], notes: [] })
  })

  it('is not one that quotes a mark', async () => {
    using first = await synced({ 'AGENTS.md': 'For all.\n' }, ['claude'])
    const text = `How files begin:\n\n${readFileSync(first.file('CLAUDE.md'), 'utf8')}`
    using project = await synced({ 'AGENTS.md': text }, ['claude'])
    expect(project.files).toMatchObject([{ name: 'CLAUDE.md', state: 'write' }, { name: '.gitignore' }])
  })
})

it.each([
  ['kilo', { '.agents/rules/a/b.md': 'One.', '.agents/rules/a-b.md': 'Two.' }],
  ['cursor', { 'a/b/AGENTS.md': 'One.', '.agents/rules/a-b.md': 'Two.' }],
  ['cursor', { '.github/AGENTS.md': 'One.', 'GitHub/AGENTS.md': 'Two.' }],
])('sync writes each rule for %s, also if two have one name there', async (agent, shape) => {
  using project = await synced(shape, [agent])
  const texts = project.files.map(({ after }) => after).join()
  expect(texts).toContain('One.')
  expect(texts).toContain('Two.')
})
