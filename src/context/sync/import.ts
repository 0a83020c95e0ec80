/** Converts the instruction files of tools in a project to AGENTS.md files and rules in `.agents/rules`. */

import { dirname } from 'node:path'
import type { LocalRoot } from '../../files/disk.ts'
import { isHeadingLine, sectionsOf } from '../../text/fences.ts'
import { splitFrontMatter } from '../../text/front-matter.ts'
import { RULES_FOLDER } from '../profiles.ts'
import { readMarked } from './mark.ts'
import { notesOnWithheld, readRule, type SourceRule, type SyncSources, sourceTextAt } from './sources.ts'
import { descriptionLine, globList, SYNC_TARGETS, type WrittenFile } from './written.ts'

/** Files for the whole project, the most common first. */
const FILES = ['CLAUDE.md', 'GEMINI.md', '.github/copilot-instructions.md', '.cursorrules', '.windsurfrules', '.rules']

/** Returns a rule for each text that no source has, and an AGENTS.md for each directory that lacks this file. */
export async function importedFiles(root: LocalRoot, sources: SyncSources) {
  const paths = rulePaths(root)
  const names = [...new Set([...FILES, ...sources.otherPaths])].filter((name) => !paths.has(name))
  const { files, rules: sectionRules } = importWholeFiles(root, names, sources)
  const texts = [...sources.files.map(({ text }) => text), ...files.map(({ content }) => content)]
  const textBodies = texts.map((text) => text.slice(splitFrontMatter(text).body).trim())
  const bodies = new Set([...sources.rules.map(({ body }) => body), ...textBodies])
  const usedNames = new Set(sources.rules.map(({ name }) => name))
  const notes = [...notesOnWithheld(root, [...paths.keys(), ...names])]
  const importedRules = new Map<string, SourceRule>()
  const reads = [...paths].map(async ([path, folder]) => ({ path, rule: await readRule(root, path, folder) }))
  const rules = await Promise.all(reads)
  for (const { path, rule } of [...rules, ...sectionRules]) {
    if (rule?.note !== undefined) notes.push(rule.note)
    if (!rule || rule.note !== undefined || bodies.has(rule.body)) continue
    const twin = importedRules.get(rule.body)
    if (!twin && usedNames.has(rule.name))
      notes.push(`${path} is not imported: it differs from ${RULES_FOLDER}/${rule.name}.md.`)
    // Copies of one rule for several tools become one rule. Some tools have no descriptions.
    else importedRules.set(rule.body, { ...rule, ...twin, description: twin?.description ?? rule.description })
    usedNames.add(rule.name)
  }
  for (const { path, rule } of sectionRules)
    if (importedRules.has(rule.body))
      notes.push(`${RULES_FOLDER}/${rule.name}.md gets what ${path} adds to AGENTS.md: delete ${path}, and run sync.`)
  const ruleFiles = [...importedRules.values()].map((rule) => {
    return { name: `${RULES_FOLDER}/${rule.name}.md`, content: sourceText(rule) }
  })
  return { files: [...files, ...ruleFiles], notes }
}

/** In a directory without an AGENTS.md, the first file becomes the AGENTS.md. Sections that only other files have become rules. */
function importWholeFiles(root: LocalRoot, names: readonly string[], sources: SyncSources) {
  const agentsTexts = new Map(sources.files.map(({ directory, text }) => [directory, text]))
  const files: WrittenFile[] = []
  const rules: { readonly path: string; readonly rule: SourceRule }[] = []
  for (const path of names) {
    const text = sourceTextAt(root, path)
    if (text === undefined || text.trim() === '' || readMarked(text)) continue
    // `.claude/CLAUDE.md` is for the directory that contains `.claude`.
    const directory = dirname(path).replace(/(^|\/)\.[^/]*$/, '')
    const agentsText = agentsTexts.get(directory)
    const prefix = directory === '' ? '' : `${directory}/`
    if (agentsText === undefined) {
      agentsTexts.set(directory, text)
      files.push({ name: `${prefix}AGENTS.md`, content: text })
      continue
    }
    const body = sectionsMissingFrom(text, agentsText)
    const plainPath = path.replace(/\.md$/, '').replaceAll(/(^|\/)\./g, '$1')
    const name = plainPath.replaceAll('/', '-').toLowerCase()
    const globs = directory === '' ? undefined : [`${directory}/**`]
    if (body !== '') rules.push({ path, rule: { name, globs, description: undefined, body } })
  }
  return { files, rules }
}

/** The sections of a text with lines that `other` lacks, and new headings without a body; no imports of AGENTS.md. */
function sectionsMissingFrom(text: string, other: string): string {
  const imports = ['@AGENTS.md', '@./AGENTS.md']
  const knownLines = new Set(['', ...imports, ...other.split('\n').map((line) => line.trim())])
  const isNew = (line: string) => !knownLines.has(line.trim())
  const hasNews = (section: string) => section.split('\n').some((line) => isNew(line) && !isHeadingLine(line))
  const isTitle = (section: string) => !section.trim().includes('\n') && isNew(section)
  const sections = sectionsOf(text.slice(splitFrontMatter(text).body))
  if (!sections.some(hasNews)) return ''
  const kept = sections.filter((section) => hasNews(section) || isTitle(section)).join('')
  const lines = kept.split('\n').filter((line) => !imports.includes(line.trim()))
  return lines.join('\n').trim()
}

/** The paths of the tools' rules, each with its folder, both from the root. */
function rulePaths(root: LocalRoot): ReadonlyMap<string, string> {
  const folders = Object.values(SYNC_TARGETS).flatMap(({ rules }) => rules ?? [])
  return new Map(
    folders.flatMap(({ folder, suffix }) => pathsBelow(root, folder, suffix).map((path) => [path, folder] as const)),
  )
}

/** Paths of the files in a folder and below it, from the root. */
export function pathsBelow(root: LocalRoot, folder: string, suffix = ''): readonly string[] {
  const listed = root.list(folder)
  const entries = listed.ok ? listed.entries : []
  return entries.flatMap(({ name, kind }) => {
    if (kind === 'directory') return pathsBelow(root, `${folder}/${name}`, suffix)
    return kind === 'file' && name.endsWith(suffix) ? [`${folder}/${name}`] : []
  })
}

function sourceText({ globs, description, body }: SourceRule): string {
  const lines = [...descriptionLine(description), ...globList('globs', globs)]
  return lines.length === 0 ? `${body}\n` : `---\n${lines.join('\n')}\n---\n\n${body}\n`
}
