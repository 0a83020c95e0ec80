import { describe, expect, it } from 'vitest'
import { checkPlace } from '../../../src/context/check.ts'
import { diffProfiles } from '../../../src/context/diff.ts'
import { explainPlace } from '../../../src/context/explain.ts'
import { load } from '../../../src/context/load.ts'
import { SILENT } from '../../../src/core/flow.ts'
import { project } from '../../support/workspace.ts'

const TREE = { 'TEAM.md': 'For the team.', 'AGENTS.md': 'For all.', 'a/TEAM.md': 'For a.', 'a/x.ts': '' }

async function loaded(profile: string, more: Record<string, string> = {}) {
  using planted = project({ ...TREE, 'team.yaml': profile, ...more })
  const request = { place: planted.root, home: planted.home, profile: planted.file('team.yaml') }
  const { contexts } = await load({ ...request, touched: [planted.file('a/x.ts')] }, SILENT)
  return contexts.map(({ path }) => planted.name(path)).sort()
}

describe('a profile from a file', () => {
  it.each<[string, string, readonly string[]]>([
    ['has its own names', 'names: [TEAM.md]', ['TEAM.md', 'a/TEAM.md']],
    ['of which the first of a group counts', 'names: [[TEAM.md, AGENTS.md]]', ['TEAM.md', 'a/TEAM.md']],
    ['has names for where there are none of these', 'names: [NO.md]\nfallback: [TEAM.md]', ['TEAM.md', 'a/TEAM.md']],
    ['has its own reach', 'names: [TEAM.md]\nreach: working-directory', ['TEAM.md']],
    ['is like another where it says nothing else', 'like: codex\nnames: [TEAM.md]', ['TEAM.md', '~/.codex/AGENTS.md']],
    ['takes the home folders of the one that it is like', 'like: codex', ['AGENTS.md', '~/.codex/AGENTS.md']],
    ['has rules', 'names: []\nrules: [{ folder: rules, keys: [for], unscoped: never }]', ['rules/ts.md']],
    ['has rules everywhere', 'names: []\nrules: { folder: own, at: every-directory }', ['a/own/x.md', 'own/x.md']],
    ['has rules of a name anywhere', 'names: []\nrules: { folder: sub, keys: for, bare: anywhere }', ['sub/x.md']],
    ['has none of these rules for a bare name here', 'names: []\nrules: { folder: sub, keys: for, bare: here }', []],
    ['has imports', 'names: [IN.md]\nimports: true', ['AGENTS.md', 'IN.md']],
    ['has no imports below a depth', 'names: [IN.md]\nimports: true\nimportDepth: 0', ['IN.md']],
    ['has no imports by default', 'names: [IN.md]', ['IN.md']],
    ['has a name of its own', 'name: Our team\nnames: TEAM.md\ncap: 100000', ['TEAM.md', 'a/TEAM.md']],
    ['may be JSON', '{"names": ["TEAM.md"], "reach": "ancestors"}', ['TEAM.md']],
  ])('%s', async (_, profile, expected) => {
    const more = {
      'rules/ts.md': '---\nfor: "**/*.ts"\n---\nx',
      'rules/py.md': '---\nfor: "**/*.py"\n---\nx',
      '~/.codex/AGENTS.md': 'Mine.',
      'own/x.md': 'x',
      'a/own/x.md': 'x',
      'sub/x.md': '---\nfor: x.ts\n---\nx',
      'IN.md': '@AGENTS.md\n',
    }
    expect(await loaded(profile, more)).toEqual(expected)
  })

  it.each([
    ['an unknown key', 'color: red'],
    ['folders of the home directory', 'home: [{ folder: .ssh, names: [config] }]'],
    ['a name that leads out', 'names: [../x.md]'],
    ['an absolute name', 'names: [/etc/passwd]'],
    ['a name of a secret', 'names: [.env]'],
    ['rules of any ending', 'rules: [{ folder: src, suffix: "" }]'],
    ['a list that is none', 'names: { a: 1 }'],
    ['an unknown word', 'reach: everywhere'],
    ['an unknown order', 'order: random'],
    ['a flag that is none', 'imports: "yes"'],
    ['a number that is none', 'cap: -1'],
    ['a name with signs', 'name: "<b>"'],
    ['rules without a folder', 'rules: [{ keys: [for] }]'],
    ['rules of an unknown key', 'rules: [{ folder: rules, deep: true }]'],
    ['rules at an unknown place', 'rules: [{ folder: rules, at: here }]'],
    ['rules that apply at an unknown time', 'rules: [{ folder: rules, unscoped: often }]'],
    ['rules with keys that are none', 'rules: [{ folder: rules, keys: [1] }]'],
    ['rules whose bare names are nowhere', 'rules: [{ folder: rules, bare: nowhere }]'],
    ['YAML that is broken', 'names: [a, b'],
    ['an unknown profile to be like', 'like: nobody'],
  ])('is refused with %s', async (_, profile) => {
    await expect(loaded(profile)).rejects.toMatchObject({ code: 'invalid-input' })
  })

  it('that is not there is not found', async () => {
    using planted = project(TREE)
    const request = { place: planted.root, home: planted.home, profile: planted.file('none.yaml') }
    await expect(load(request, SILENT)).rejects.toMatchObject({ code: 'not-found' })
  })

  it('is taken by diff, explain and check, too', async () => {
    using planted = project({ ...TREE, 'team.yaml': 'names: [TEAM.md]' })
    const [place, profile, home] = [planted.root, planted.file('team.yaml'), planted.home]
    const { files, profiles } = await diffProfiles({ place, profiles: [profile, 'codex'], home }, SILENT)
    expect(files.map(({ title }) => title)).toEqual(['AGENTS.md', 'TEAM.md'])
    expect(profiles.map(({ files: count }) => count)).toEqual([1, 1])
    const explained = await explainPlace({ place, profile, home, whyNot: planted.file('AGENTS.md') }, SILENT)
    expect(explained.whyNot?.answer).toContain('It is not one of TEAM.md')
    expect(await checkPlace({ place, profile, home })).toMatchObject({ checked: 2 })
  })
})

it('diff shows what a tool shows though git ignores it, and what Ambit loads for it when asked', async () => {
  using planted = project({ '.gitignore': 'CLAUDE.md\n', 'CLAUDE.md': 'Mine.' })
  const request = { place: planted.root, profiles: ['claude', 'ambit'], home: planted.home }
  const verdicts = async (strict: boolean) => {
    const { files } = await diffProfiles({ ...request, strict }, SILENT)
    return files.map(({ seen }) => [seen.claude?.decision, seen.ambit?.why])
  }
  expect(await verdicts(false)).toEqual([['kept', 'excluded']])
  expect(await verdicts(true)).toEqual([['left', 'excluded']])
})
