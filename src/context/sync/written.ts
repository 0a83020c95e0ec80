/** What `sync` writes for a tool, as plain data. */

import { withMark, withYamlMark } from './mark.ts'
import { RULES_FOLDER, type SourceFile, type SourceRule, type SyncSources } from './sources.ts'
import type { RuleFormat, SyncTarget } from './targets.ts'

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
