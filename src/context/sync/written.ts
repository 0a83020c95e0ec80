/** Files that `sync` writes for a tool, as plain data. */

import { withMark, withYamlMark } from './mark.ts'
import { RULES_FOLDER, type SourceFile, type SourceRule, type SyncSources } from './sources.ts'

/** A file that a tool reads. */
export interface WrittenFile {
  /** From the root. */
  readonly name: string
  readonly content: string
  /** An import that does the same in a file that a person wrote. */
  readonly line?: string
}

/** The files of a tool, by name; and whether it gets everything by them. */
export function writtenFiles(target: SyncTarget, sources: SyncSources): readonly WrittenFile[] {
  const { bridge, rules, combined, list, nestedAsRules } = target
  const nested = nestedAsRules ? sources.files.filter(({ directory }) => directory !== '') : []
  return [
    ...(bridge === undefined ? [] : bridgesFor(bridge, sources, rules === undefined)),
    ...(rules ? [...nested.map(ruleFor), ...sources.rules.map(withSource)].map((rule) => ruleFile(rules, rule)) : []),
    ...(combined ? combinedFile(combined, sources) : []),
    ...(list === undefined ? [] : listFile(list, sources)),
  ]
}

/** Whether a tool that reads AGENTS.md itself lacks a place for rules. */
export function lacksRules(target: SyncTarget, { rules }: SyncSources): boolean {
  const { bridge, combined, list } = target
  return rules.length > 0 && !target.rules && bridge === undefined && !combined && list === undefined
}

interface PlacedRule extends SourceRule {
  /** From the root. */
  readonly source: string
}

function withSource(rule: SourceRule): PlacedRule {
  return { ...rule, source: `${RULES_FOLDER}/${rule.name}.md` }
}

/** An AGENTS.md below the root, as a rule for its directory. */
function ruleFor({ directory, text }: SourceFile): PlacedRule {
  const name = directory.replaceAll('/', '-').replace(/^\./, '')
  const description = `Rules for files below ${directory}/`
  return { name, globs: [`${directory}/**`], description, body: text.trim(), source: `${directory}/AGENTS.md` }
}

function ruleFile({ folder, suffix, matter }: RuleFormat, rule: PlacedRule): WrittenFile {
  const lines = matter(rule.globs, rule.description)
  const isSaid = rule.globs === undefined || lines.length > 0
  const body = isSaid ? rule.body : `${scopeLine(rule)}\n\n${rule.body}`
  return { name: `${folder}/${rule.name}${suffix}`, content: withMark(rule.source, lines, `\n${body}\n`) }
}

function scopeLine({ globs = [] }: Pick<SourceRule, 'globs'>): string {
  return globs.length === 0 ? 'For all files:' : `For files that match ${globs.join(', ')}:`
}

function bridgesFor(bridge: string, { files, rules }: SyncSources, withRules: boolean): readonly WrittenFile[] {
  return files.map(({ directory }) => {
    const at = directory === '' ? '' : `${directory}/`
    const imports =
      withRules && directory === '' ? rules.map((rule) => `${scopeLine(rule)} @${RULES_FOLDER}/${rule.name}.md\n`) : []
    const body = ['@AGENTS.md\n', ...imports].join('\n')
    return { name: `${at}${bridge}`, content: withMark(`${at}AGENTS.md`, [], body), line: '@AGENTS.md' }
  })
}

/** Nothing where the tool finds all by itself. */
function combinedFile(
  { name, holdsRoot }: NonNullable<SyncTarget['combined']>,
  { files, rules }: SyncSources,
): readonly WrittenFile[] {
  const nested = files.filter(({ directory }) => directory !== '')
  if (nested.length + rules.length === 0) return []
  const root = holdsRoot ? files.filter(({ directory }) => directory === '').map(({ text }) => text.trim()) : []
  const parts = [
    ...root,
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

/** How the folder of rules of a tool is filled. */
interface RuleFormat {
  readonly folder: string
  readonly suffix: string
  /** The front matter of a rule for these paths; undefined for all paths. No lines: the tool reads none. */
  readonly matter: (globs: readonly string[] | undefined, description: string | undefined) => readonly string[]
}

/** How one tool gets what is in AGENTS.md files and in `.agents/rules`. */
export interface SyncTarget {
  /** A file beside each AGENTS.md that imports it; in the root also the rules, without a folder for them. Absent where the tool reads AGENTS.md itself. */
  readonly bridge?: string
  /** Whether an AGENTS.md below the root becomes a rule for its directory. */
  readonly nestedAsRules?: true
  readonly rules?: RuleFormat
  /** One file in the root, which holds what the tool finds nowhere else. */
  readonly combined?: { readonly name: string; readonly holdsRoot: boolean }
  /** The file with settings that name each file to read. */
  readonly list?: string
}

const quoteGlobs = (globs: readonly string[]) => JSON.stringify(globs.join(','))
/** A list under a key, in YAML; nothing of an empty one. */
export const globList = (key: string, globs: readonly string[] = []) =>
  globs.length === 0 ? [] : [`${key}:`, ...globs.map((glob) => `  - ${JSON.stringify(glob)}`)]
/** The description of a rule, in YAML. */
export const descriptionLine = (description: string | undefined) =>
  description === undefined ? [] : [`description: ${JSON.stringify(description)}`]

const claudeRules: RuleFormat = { folder: '.claude/rules', suffix: '.md', matter: (globs) => globList('paths', globs) }

const copilotRules: RuleFormat = {
  folder: '.github/instructions',
  suffix: '.instructions.md',
  matter: (globs, description) => [...descriptionLine(description), `applyTo: ${quoteGlobs(globs ?? ['**'])}`],
}

const noMatter = () => []

/** By the name of the tool's profile. */
export const SYNC_TARGETS = {
  claude: { bridge: 'CLAUDE.md', rules: claudeRules },
  gemini: { bridge: 'GEMINI.md' },
  cursor: {
    nestedAsRules: true,
    rules: {
      folder: '.cursor/rules',
      suffix: '.mdc',
      matter: (globs, description) => [
        ...descriptionLine(description),
        ...(globs ? [`globs: ${quoteGlobs(globs)}`] : []),
        `alwaysApply: ${globs === undefined}`,
      ],
    },
  },
  copilot: { nestedAsRules: true, rules: copilotRules },
  'copilot-cli': { rules: copilotRules },
  vscode: { nestedAsRules: true, rules: copilotRules },
  windsurf: {
    nestedAsRules: true,
    rules: {
      folder: '.windsurf/rules',
      suffix: '.md',
      matter: (globs, description) => [
        `trigger: ${globs ? 'glob' : 'always_on'}`,
        ...descriptionLine(description),
        ...(globs ? [`globs: ${quoteGlobs(globs)}`] : []),
      ],
    },
  },
  cline: {
    nestedAsRules: true,
    rules: { folder: '.clinerules', suffix: '.md', matter: (globs) => globList('paths', globs) },
  },
  kiro: {
    nestedAsRules: true,
    rules: {
      folder: '.kiro/steering',
      suffix: '.md',
      matter: (globs) =>
        globs ? ['inclusion: fileMatch', ...globList('fileMatchPattern', globs)] : ['inclusion: always'],
    },
  },
  roo: { nestedAsRules: true, rules: { folder: '.roo/rules', suffix: '.md', matter: noMatter } },
  kilo: { rules: { folder: '.kilo/rules', suffix: '.md', matter: noMatter } },
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
} as const satisfies Readonly<Record<string, SyncTarget>>

/** Tools that `sync` writes for. */
export type SyncTool = keyof typeof SYNC_TARGETS

export function isSyncTool(name: string): name is SyncTool {
  return Object.hasOwn(SYNC_TARGETS, name)
}

export function syncTarget(tool: SyncTool): SyncTarget {
  return SYNC_TARGETS[tool]
}
