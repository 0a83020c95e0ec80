import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { diffProfiles } from '../../../src/context/diff.ts'
import { PROFILE_NAMES } from '../../../src/context/profiles.ts'
import { SILENT } from '../../../src/core/flow.ts'
import type { Shape } from '../../support/tree.ts'
import { type Project, project } from '../../support/workspace.ts'

/**
 * How a tool finds instruction files, from its documentation and source, and from its recorded requests where these differ: `known-rules.jsonl` has on
 * each line a tool, a rule, a tree in which it shows, all that the tool loads, sorted, and where the tool runs. A tree is a text with the names of
 * files that hold their own names; or an object, in which `$` names a tree of `TREES`. `$ROOT` is the root, `$MANAGED` the directory of an
 * organization's files, `$LONG` a text of 40,000 characters, and `NOTES` the folder of Claude Code's notes on the project.
 */
type KnownRule = readonly [
  tool: string,
  rule: string,
  shape: string | Record<string, string>,
  sees: string,
  at?: Situation,
]

interface Situation {
  /** The working directory. Default: the root. */
  readonly cwd?: string
  readonly touched?: readonly string[]
}

const MANAGED = process.platform === 'darwin' ? '/Library/Application Support/ClaudeCode' : '/etc/claude-code'
const LINES = readFileSync(join(import.meta.dirname, 'known-rules.jsonl'), 'utf8')
  .trimEnd()
  .split('\n')
const RULES = LINES.map((line): KnownRule => JSON.parse(line.replaceAll('$MANAGED', MANAGED)))
const BY_TOOL = Map.groupBy(RULES, ([tool]) => tool)

const FILES = { 'AGENTS.md': 'a', 'CLAUDE.md': 'c', 'GEMINI.md': 'g', 'QWEN.md': 'q' }
const NESTED = { 'a/AGENTS.md': 'a', 'a/CLAUDE.md': 'c', 'a/GEMINI.md': 'g', 'a/x.ts': '' }
const TREES: Readonly<Record<string, Shape>> = { FILES, NESTED, TREE: { ...FILES, ...NESTED } }
const NOTES = '.claude/projects/NOTES/memory'

/** What a tool shows of a tree, with its own settings. */
async function seenOf([tool, , shape, , { cwd = '', touched = [] } = {}]: KnownRule): Promise<string> {
  using planted = project({})
  planted.plant(plantable(shape, planted))
  const request = {
    place: planted.file(cwd),
    profiles: [tool],
    touched: touched.map((path) => planted.file(path)),
    home: planted.home,
    system: planted.at('system'),
  }
  const { files } = await diffProfiles(request, SILENT)
  const shown = files.filter(({ seen }) => seen[tool] && seen[tool].decision !== 'left')
  const named = shown.map(({ title }) => title.replace(planted.at('system'), '').replace(notesFolder(planted), NOTES))
  return named.sort().join(' ')
}

function plantable(shape: KnownRule[2], planted: Project): Shape {
  const { $: base = '', ...own } =
    typeof shape === 'string' ? Object.fromEntries(shape.split(' ').map((name) => [name, name])) : shape
  const entries = Object.entries(own).map(([path, text]) => {
    const content = text.replaceAll('$ROOT', planted.root).replace('$LONG', 'x'.repeat(40_000))
    return [path.replace(NOTES, notesFolder(planted)), content] as const
  })
  return { ...TREES[base], ...Object.fromEntries(entries) }
}

function notesFolder({ root }: Project): string {
  return `.claude/projects/${root.replace(/[^a-zA-Z0-9]/g, '-')}/memory`
}

describe('what is known of each tool', () => {
  it('is known of every profile but the default one', () => {
    expect([...BY_TOOL.keys()].sort()).toEqual(PROFILE_NAMES.filter((name) => name !== 'ambit').sort())
  })

  it.each([...BY_TOOL])('is right: %s', async (_, rules) => {
    expect(rules.length).toBeGreaterThan(1)
    for (const known of rules) expect([known[1], await seenOf(known)]).toEqual([known[1], known[3]])
  })
})
