import { expect, it } from 'vitest'
import { filesBelow, type SearchedFile, searchFiles } from '../../../src/context/catalog/place-search.ts'
import { SILENT } from '../../../src/core/flow.ts'
import { openDirectory } from '../../../src/files/directory.ts'
import { statementsLine } from '../../../src/text/own-reports.ts'
import { tree } from '../../support/tree.ts'

function fileOf(path: string, text: string): SearchedFile {
  const bytes = Buffer.from(text)
  const open = async () => ({
    uri: `file:///${path}`,
    stream: async function* () {
      yield bytes
    },
  })
  return { path, size: bytes.length, open }
}

const WIND = fileOf('wind.md', '# Wind\n\nThe vane points at where the wind comes from.\n')
const others = (count: number) => fileOf('other.md', 'A pot of soup.\n\n'.repeat(count))

it.each([
  ['is found in other words', 10, ['file:///wind.md']],
  ['is found by its words alone among very many', 4000, []],
])('a passage %s', async (_, count, uris) => {
  const place = { files: [WIND, others(count)], isCut: false }
  const { hits } = await searchFiles(place, 'which direction do breezes blow', SILENT)
  expect(hits.slice(0, 1).map(({ uri }) => uri)).toEqual(uris)
})

const HANDBOOK = [
  fileOf('docs/remote.md', '# Remote\n\nStaff may work at home.\n\nA form for Telework.net is signed.\n'),
  fileOf('leave.md', '# Leave\n\nTele work and staff at home contain remarks.\n'),
  fileOf('setup.sh', '# Install\necho done\n'),
]

it.each([
  ['contains:"telework"', ['docs/remote.md:5']],
  ['contains:"telework" deadline', ['docs/remote.md:5']],
  ['contains:"work.net"', ['docs/remote.md:5']],
  ['contains:"remote"', ['docs/remote.md:3', 'docs/remote.md:5']],
  ['contains:"nowhere"', []],
  ['deadline', []],
  ['staff -contains:"telework"', ['leave.md:3']],
  ['home -form', ['leave.md:3']],
  ['home path:docs', ['docs/remote.md:3']],
  ['home -path:docs', ['leave.md:3']],
  ['title:leave home', ['leave.md:3']],
  ['title:install done', []],
  ['?!', []],
  ['-home', []],
  ['path:leave', ['leave.md:3']],
  ['"staff at home"', ['leave.md:3']],
  ['"home at staff"', ['docs/remote.md:3', 'leave.md:3']],
])('the query %s has the syntax of collections', async (query, expected) => {
  const { hits } = await searchFiles({ files: HANDBOOK, isCut: false }, query, SILENT)
  expect(hits.map(({ title, lines }) => `${title}:${lines.start}`).sort()).toEqual(expected)
})

it('at most three passages of a file are found, and eight of all', async () => {
  const files = ['a.md', 'b.md', 'c.md'].map((name) => fileOf(name, '# Wind\n\nThe wind blows.\n\n'.repeat(9)))
  const { hits } = await searchFiles({ files, isCut: false }, 'Where does the wind blow?', SILENT)
  expect([...Map.groupBy(hits, ({ uri }) => uri).values()].map(({ length }) => length)).toEqual([3, 3, 2])
})

it.each([
  ['', ['a/b/kept.md', 'a/b/root.md', 'top.md']],
  ['a/b', ['a/b/kept.md', 'a/b/root.md']],
  ['a/b/', ['a/b/kept.md', 'a/b/root.md']],
  ['a/c', []],
])('the files below "%s" are those that no .gitignore at or above it leaves out', async (directory, expected) => {
  const rules = { '.gitignore': '*.log.md\n/a/c/\n', 'a/.gitignore': 'left.md\n' }
  const files = { 'top.md': 'x', 'a/b/kept.md': 'x', 'a/b/root.md': 'x', 'a/b/left.md': 'x', 'a/b/x.log.md': 'x' }
  using planted = tree({ ...rules, ...files })
  const found = await filesBelow(openDirectory(planted.base), directory, SILENT)
  expect(found.files.map(({ key }) => key).sort()).toEqual(expected)
  expect(found.isCut).toBe(false)
})

it.each([
  ['.codex/hooks.json', []],
  ['a/.vscode/tasks.json', []],
  ['.claude/commands/wind.md', ['file:///.claude/commands/wind.md']],
  ['hooks.json', ['file:///hooks.json']],
  ['.pre-commit-config.yaml', ['file:///.pre-commit-config.yaml']],
  ['.husky/pre-commit', ['file:///.husky/pre-commit']],
])('settings that only start programs are no evidence: %s', async (path, uris) => {
  const settings = fileOf(path, '"Where does the wind come from?"')
  const { hits } = await searchFiles({ files: [settings], isCut: false }, 'Where does the wind come from?', SILENT)
  expect(hits.map(({ uri }) => uri)).toEqual(uris)
})

it('a report that Ambit wrote is found only if nothing else is', async () => {
  const line = statementsLine(() => 0)
  const report = fileOf(
    'research-1.md',
    `# Where does the wind come from?\n\n> The wind comes from the sea.\n\n${line}\n`,
  )
  const found = async (...files: SearchedFile[]) => {
    const { hits, notices } = await searchFiles({ files, isCut: false }, 'Where does the wind come from?', SILENT)
    return [...new Set(hits.map(({ uri }) => uri)), ...notices.filter((one) => one.startsWith('Reports'))]
  }
  expect(await found(report, WIND)).toEqual(['file:///wind.md', 'Reports that Ambit wrote were left out.'])
  expect(await found(report, others(1))).toEqual(['file:///research-1.md'])
})
