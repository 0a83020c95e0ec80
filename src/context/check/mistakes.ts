/** Finds mistakes that keep a tool from reading an instruction file, or a part of it. */

import { basename, dirname, join } from 'node:path'
import type { Run } from '../../core/flow.ts'
import { utf8Length } from '../../core/tokens.ts'
import { statOf } from '../../files/file-version.ts'
import { ancestors, isWithin, relativeTo } from '../../text/paths.ts'
import { type CheckFinding, RULES } from '../answers.ts'
import { patternsFor, ruleMatcher } from '../discovery/instruction-file.ts'
import type { Profile } from '../profiles/profile.ts'
import { PROFILES } from '../profiles.ts'
import { type ContextFiles, listTree, MAX_DIRECTORIES } from './files.ts'

type InstructionText = Pick<CheckFinding, 'path'> & { readonly content: string }

/** Makes a finding. `about` may set its severity. Default: the severity of the rule. */
export function findingOf(
  rule: keyof typeof RULES,
  path: string,
  about: Pick<CheckFinding, 'message'> & Partial<CheckFinding>,
): CheckFinding {
  return { rule, severity: RULES[rule].severity, path, ...about }
}

/** Finds mistakes in the files of a tree. `profile`: profile of the checked tool. Default: all tools. */
export async function findMistakes(
  files: ContextFiles,
  { texts, profile }: { readonly texts: readonly InstructionText[]; readonly profile: Profile | undefined },
  run: Run,
): Promise<CheckFinding[]> {
  const profiles = profile ? [profile] : PROFILES
  // People do not start a tool in a hidden directory (.x/skills/y), so its files are not loaded together.
  const visibleTexts = texts.filter(({ path }) => !/(^|\/)\.[^/]+\//.test(relativeTo(files.root, path) ?? ''))
  return [
    ...findMisnamed(files),
    ...texts.flatMap(findBareReferences),
    ...findContradictions(visibleTexts, files.root),
    ...profiles.flatMap((one) => findOverLimit(one, visibleTexts)),
    ...(await findUnusedRules(files, run)),
  ]
}

/** Names that mean an instruction file if they have a capital letter, as in docs/Agents.md; docs/agents.md may be an ordinary page. */
const UNAMBIGUOUS_NAMES = ['AGENTS.md', 'CLAUDE.md']

function findMisnamed({ misnamedFiles, root }: ContextFiles): CheckFinding[] {
  return misnamedFiles.flatMap(({ path, expectedName }) => {
    const isUnambiguous = UNAMBIGUOUS_NAMES.includes(expectedName) && /[A-Z]/.test(basename(path))
    if (dirname(path) !== root && !isUnambiguous) return []
    const message = `No tool reads ${basename(path)}: the name must be ${expectedName}.`
    return [findingOf('file-name', path, { message, hint: `Rename it to ${expectedName}.` })]
  })
}

/** Finds files that hold only the name of another file: Claude Code imports `@AGENTS.md`, but treats the bare name as text. */
function findBareReferences({ path, content }: InstructionText): CheckFinding[] {
  const text = content.trim()
  const isName = /^(?:\.\/)?[\w.-]+\.md$/.test(text)
  if (basename(path) !== 'CLAUDE.md' || !isName || !statOf(join(dirname(path), text))) return []
  const message = `CLAUDE.md holds only the name ${text}, which Claude Code does not import.`
  return [findingOf('not-imported', path, { line: 1, message, hint: `Write @${text}.` })]
}

/** Matches a package manager that runs a script: at the start of a line, after a prompt, or in a code span. */
const SCRIPT_RUN = /(?:^[ \t>]*(?:\$ )?|`)(npm|pnpm|yarn|bun) (?:run )?(\w[\w:.-]*)/gm

/** Finds files of one package that run the same script with different package managers. An agent that reads both files must guess. */
function findContradictions(texts: readonly InstructionText[], root: string): CheckFinding[] {
  /** The first file that runs a script, by package and script. */
  const firstRuns = new Map<string, { readonly path: string; readonly manager: string }>()
  return texts.flatMap(({ path, content }) => {
    const runs = [...content.matchAll(SCRIPT_RUN)]
    const [manager = '', ...otherManagers] = new Set(runs.map(([, name = '']) => name))
    if (runs.length === 0 || otherManagers.length > 0) return []
    const directory = packageDirectory(path, root)
    const keyOf = ([, , script]: RegExpExecArray) => `${directory}\0${script}`
    const conflict = runs.find((run) => (firstRuns.get(keyOf(run))?.manager ?? manager) !== manager)
    const firstRun = conflict && firstRuns.get(keyOf(conflict))
    for (const run of runs) if (!firstRuns.has(keyOf(run))) firstRuns.set(keyOf(run), { path, manager })
    if (!conflict || !firstRun) return []
    const line = content.slice(0, conflict.index).split('\n').length
    const message = `It runs ${conflict[2]} with ${manager}, and ${basename(firstRun.path)} runs it with ${firstRun.manager}.`
    return [findingOf('contradicting-commands', path, { line, message, hint: 'Use the same manager in both files.' })]
  })
}

/** The nearest directory above a file that has a package.json, else the root. */
function packageDirectory(path: string, root: string): string {
  const isPackage = (at: string) => isWithin(root, at) && statOf(join(at, 'package.json'))
  return ancestors(dirname(path), root).find(isPackage) ?? root
}

/** Finds files that exceed the limit of a tool together with the files above them. Reports only the uppermost files. */
function findOverLimit({ name, names, cap }: Profile, texts: readonly InstructionText[]): CheckFinding[] {
  if (cap === undefined) return []
  const textPaths = new Set(texts.map(({ path }) => path))
  const isFirst = (path: string, group: readonly string[]) =>
    group.find((one) => textPaths.has(join(dirname(path), one))) === basename(path)
  const loaded = texts.filter(({ path }) => names.some((group) => isFirst(path, group)))
  const bytesOf = ({ path }: InstructionText) =>
    loaded.filter((one) => isWithin(dirname(one.path), path)).reduce((sum, { content }) => sum + utf8Length(content), 0)
  const overCap = loaded.filter((text) => bytesOf(text) > cap)
  return overCap.flatMap((text) => {
    const { path } = text
    if (overCap.some((other) => other !== text && isWithin(dirname(other.path), path))) return []
    const message = `With the files above it, ${basename(path)} takes ${bytesOf(text)} bytes: ${name} reads ${cap}.`
    const hint = 'Shorten them, or raise the limit in the settings of the tool.'
    return [findingOf('over-limit', path, { message, hint })]
  })
}

/** Finds rules whose patterns match no file of the tree. */
async function findUnusedRules({ tree }: ContextFiles, run: Run): Promise<CheckFinding[]> {
  const { root, profile } = tree.options
  const rules = []
  for (const directory of tree.directories.keys()) {
    for (const folder of profile.rules ?? []) {
      for (const path of tree.rulesIn(directory, folder)) {
        const file = await tree.files.get(path)
        const patterns = file.ok ? patternsFor(file, folder) : undefined
        if (patterns) rules.push({ path, patterns, base: relativeTo(root, directory) ?? '', bare: folder.bare })
      }
    }
  }
  const files = rules.length === 0 ? undefined : await listTree(tree, MAX_DIRECTORIES, run)
  if (files === undefined) return []
  const match = ruleMatcher(files)
  return rules.flatMap((rule) => {
    if (match(rule) !== undefined) return []
    const message = `No file matches ${rule.patterns.join(', ')}, so the rule never applies.`
    return [findingOf('unused-rule', rule.path, { message, hint: 'Correct the pattern, or delete the rule.' })]
  })
}
