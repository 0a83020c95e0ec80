/** Builds the files that `sync` writes for each tool, and declares how each tool gets its texts. */

import { type ProfileName, RULES_FOLDER } from '../profiles.ts'
import { withMark, withYamlMark } from './mark.ts'
import type { SourceRule, SyncSources } from './sources.ts'

/** A file that a tool reads. */
export interface WrittenFile {
  /** Path from the root. */
  readonly name: string
  readonly content: string
  /** The line with which a file that a person wrote can import the same text. */
  readonly importLine?: string
}

export function writtenFiles(target: SyncTarget, sources: SyncSources): readonly WrittenFile[] {
  const { bridge, rules, combined, list, nestedAsRules = false } = target
  const nestedFiles = sources.files.filter(({ directory }) => nestedAsRules && directory !== '')
  // An AGENTS.md below the root becomes a rule for its directory.
  const nestedRules = nestedFiles.map(({ directory, text }) => {
    const name = directory.replaceAll('/', '-').replace(/^\./, '')
    const description = `Rules for files below ${directory}/`
    return { name, globs: [`${directory}/**`], description, body: text.trim(), source: `${directory}/AGENTS.md` }
  })
  const ownRules = sources.rules.map((rule) => {
    const name = rules?.isFlat ? rule.name.replaceAll('/', '-') : rule.name
    return { ...rule, name, source: `${RULES_FOLDER}/${rule.name}.md` }
  })
  // Nested rules get names last, so that other rules have the same names for tools without nested rules.
  const namedRules = withOwnNames([...ownRules, ...nestedRules])
  const placedRules = [...namedRules.slice(ownRules.length), ...namedRules.slice(0, ownRules.length)]
  return [
    ...(bridge === undefined ? [] : bridgesFor(bridge, sources, rules === undefined)),
    ...(rules ? placedRules.map((rule) => ruleFile(rules, rule)) : []),
    ...(combined ? combinedFile(combined, sources) : []),
    ...(list === undefined ? [] : listFile(list, sources)),
  ]
}

/** The rules with unique names: a later rule of the same name gets a number. Some file systems ignore case. */
function withOwnNames<Rule extends { readonly name: string }>(rules: readonly Rule[]): readonly Rule[] {
  const usedNames = new Set<string>()
  return rules.map((rule) => {
    let { name } = rule
    for (let number = 2; usedNames.has(name.toLowerCase()); number++) name = `${rule.name}-${number}`
    usedNames.add(name.toLowerCase())
    return { ...rule, name }
  })
}

/** The file of a rule in the format of a tool. `source`: path of the rule's source, from the root. */
function ruleFile({ folder, suffix, matter }: RuleFormat, rule: SourceRule & { source: string }): WrittenFile {
  const lines = matter(rule.globs, rule.description)
  const hasScope = rule.globs === undefined || lines.length > 0
  const body = hasScope ? rule.body : `${scopeLine(rule)}\n\n${rule.body}`
  return { name: `${folder}/${rule.name}${suffix}`, content: withMark(rule.source, lines, `\n${body}\n`) }
}

function scopeLine({ globs = [] }: Pick<SourceRule, 'globs'>): string {
  return globs.length === 0 ? 'For all files:' : `For files that match ${globs.join(', ')}:`
}

/** Files that import the AGENTS.md beside them. `withRules`: whether the file in the root imports the rules, too. */
function bridgesFor(bridge: string, { files, rules }: SyncSources, withRules: boolean): readonly WrittenFile[] {
  return files.map(({ directory }) => {
    const prefix = directory === '' ? '' : `${directory}/`
    const imports =
      withRules && directory === '' ? rules.map((rule) => `${scopeLine(rule)} @${RULES_FOLDER}/${rule.name}.md\n`) : []
    const body = ['@AGENTS.md\n', ...imports].join('\n')
    return { name: `${prefix}${bridge}`, content: withMark(`${prefix}AGENTS.md`, [], body), importLine: '@AGENTS.md' }
  })
}

/** A file with all texts that a tool does not find itself; empty if the tool finds all texts. */
function combinedFile({ name, holdsRoot }: NonNullable<SyncTarget['combined']>, { files, rules }: SyncSources) {
  const nested = files.filter(({ directory }) => directory !== '')
  if (nested.length + rules.length === 0) return []
  const rootTexts = holdsRoot ? files.filter(({ directory }) => directory === '').map(({ text }) => text.trim()) : []
  const parts = [
    ...rootTexts,
    ...rules.map((rule) => `${scopeLine(rule)}\n\n${rule.body}`),
    ...nested.map(({ directory, text }) => `For files below ${directory}/:\n\n${text.trim()}`),
  ]
  return [{ name, content: withMark(`AGENTS.md files and ${RULES_FOLDER}`, [], `\n${parts.join('\n\n')}\n`) }]
}

function listFile(name: string, { files, rules }: SyncSources): readonly WrittenFile[] {
  const paths = [
    ...files.map(({ directory }) => (directory === '' ? 'AGENTS.md' : `${directory}/AGENTS.md`)),
    ...rules.map((rule) => `${RULES_FOLDER}/${rule.name}.md`),
  ]
  if (paths.length === 0) return []
  const body = `read:\n${paths.map((path) => `  - ${JSON.stringify(path)}\n`).join('')}`
  return [{ name, content: withYamlMark(`AGENTS.md files and ${RULES_FOLDER}`, body) }]
}

/** The format of a tool's folder of rules. */
interface RuleFormat {
  readonly folder: string
  readonly suffix: string
  /** Whether the tool reads only files directly in the folder. Default: it also reads folders below. */
  readonly isFlat?: true
  /** The lines of front matter of a rule for these paths (undefined: all paths); none if the tool reads no front matter. */
  readonly matter: (globs: readonly string[] | undefined, description: string | undefined) => readonly string[]
}

/** How a tool gets AGENTS.md files and the rules in `.agents/rules`. */
export interface SyncTarget {
  /**
   * Name of a file beside each AGENTS.md that imports it. The file in the root imports the rules, too, if the tool has no folder for rules. Absent if the
   * tool reads AGENTS.md itself.
   */
  readonly bridge?: string
  /** Whether an AGENTS.md below the root becomes a rule for its directory. */
  readonly nestedAsRules?: true
  readonly rules?: RuleFormat
  /** A file in the root with the texts that the tool does not find itself. `holdsRoot`: with AGENTS.md of the root. */
  readonly combined?: { readonly name: string; readonly holdsRoot: boolean }
  /** The settings file that names each file to read. */
  readonly list?: string
}

const quoteGlobs = (globs: readonly string[]) => JSON.stringify(globs.join(','))
/** A list under a key in YAML; no lines for an empty list. */
export const globList = (key: string, globs: readonly string[] = []) =>
  globs.length === 0 ? [] : [`${key}:`, ...globs.map((glob) => `  - ${JSON.stringify(glob)}`)]
/** The description of a rule, in YAML. */
export const descriptionLine = (description: string | undefined) =>
  description === undefined ? [] : [`description: ${JSON.stringify(description)}`]

function rulesIn(folder: string, matter: RuleFormat['matter'] = () => [], suffix = '.md'): RuleFormat {
  return { folder, suffix, matter }
}

const COPILOT = rulesIn(
  '.github/instructions',
  (globs, description) => [...descriptionLine(description), `applyTo: ${quoteGlobs(globs ?? ['**'])}`],
  '.instructions.md',
)

const CURSOR = rulesIn(
  '.cursor/rules',
  (globs, description) => [
    ...descriptionLine(description),
    ...(globs ? [`globs: ${quoteGlobs(globs)}`] : []),
    `alwaysApply: ${globs === undefined}`,
  ],
  '.mdc',
)

const WINDSURF = rulesIn('.windsurf/rules', (globs, description) => [
  `trigger: ${globs ? 'glob' : 'always_on'}`,
  ...descriptionLine(description),
  ...(globs ? [`globs: ${quoteGlobs(globs)}`] : []),
])

const KIRO = rulesIn('.kiro/steering', (globs) =>
  globs ? ['inclusion: fileMatch', ...globList('fileMatchPattern', globs)] : ['inclusion: always'],
)

const pathsMatter: RuleFormat['matter'] = (globs) => globList('paths', globs)

/** The tools that `sync` writes for, by the names of their profiles. */
export const SYNC_TARGETS: Readonly<Record<string, SyncTarget>> = {
  claude: { bridge: 'CLAUDE.md', rules: rulesIn('.claude/rules', pathsMatter) },
  gemini: { bridge: 'GEMINI.md' },
  cursor: { nestedAsRules: true, rules: CURSOR },
  copilot: { nestedAsRules: true, rules: COPILOT },
  'copilot-cli': { rules: COPILOT },
  vscode: { nestedAsRules: true, rules: COPILOT },
  windsurf: { nestedAsRules: true, rules: WINDSURF },
  cline: { nestedAsRules: true, rules: rulesIn('.clinerules', pathsMatter) },
  kiro: { nestedAsRules: true, rules: KIRO },
  roo: { nestedAsRules: true, rules: rulesIn('.roo/rules') },
  kilo: { rules: { ...rulesIn('.kilo/rules'), isFlat: true } },
  junie: { combined: { name: '.junie/AGENTS.md', holdsRoot: true } },
  zed: { combined: { name: '.rules', holdsRoot: true } },
  codex: { combined: { name: 'AGENTS.override.md', holdsRoot: true } },
  qwen: { combined: { name: 'QWEN.md', holdsRoot: false } },
  crush: { combined: { name: 'CRUSH.md', holdsRoot: false } },
  goose: { combined: { name: '.goosehints', holdsRoot: false } },
  aider: { list: '.aider.conf.yml' },
  amp: {},
  opencode: {},
  factory: {},
} satisfies Readonly<Record<Exclude<ProfileName, 'ambit' | 'kodelet'>, SyncTarget>>
