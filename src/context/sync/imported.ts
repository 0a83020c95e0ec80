/** Rules that tools have in the project, as sources of `sync`. */

import type { LocalRoot } from '../../files/disk.ts'
import { readMarked } from './mark.ts'
import { RULES_FOLDER, readRule, type SourceRule, type SyncSources, sourceTextAt } from './sources.ts'
import { SYNC_TARGETS, type SyncTarget } from './targets.ts'
import type { WrittenFile } from './written.ts'

/** Files for the whole project, the most common first. */
const WHOLE = ['CLAUDE.md', 'GEMINI.md', '.github/copilot-instructions.md', '.cursorrules', '.windsurfrules', '.rules']

/** A rule for each body that is not among the sources; and an AGENTS.md where there is none. */
export async function importedFiles(root: LocalRoot, sources: SyncSources): Promise<readonly WrittenFile[]> {
  const bodies = new Set([...sources.rules.map(({ body }) => body), ...sources.files.map(({ text }) => text.trim())])
  const names = new Set(sources.rules.map(({ name }) => name))
  const files: WrittenFile[] = []
  if (!sources.files.some(({ directory }) => directory === '')) files.push(...wholeProject(root))
  for (const path of rulePaths(root)) {
    const rule = await readRule(root, path)
    if (!rule || bodies.has(rule.body) || names.has(rule.name)) continue
    bodies.add(rule.body)
    names.add(rule.name)
    files.push({ name: `${RULES_FOLDER}/${rule.name}.md`, content: sourceText(rule) })
  }
  return files
}

function wholeProject(root: LocalRoot): readonly WrittenFile[] {
  const texts = WHOLE.flatMap((name) => sourceTextAt(root, name) ?? [])
  const [text] = texts.filter((one) => one.trim() !== '' && !readMarked(one))
  return text === undefined ? [] : [{ name: 'AGENTS.md', content: text }]
}

/** Paths of the rules that tools have, from the root. */
export function rulePaths(root: LocalRoot): readonly string[] {
  const targets: readonly SyncTarget[] = Object.values(SYNC_TARGETS)
  return [...new Map(targets.flatMap(({ rules }) => (rules ? [[rules.folder, rules.suffix] as const] : [])))].flatMap(
    ([folder, suffix]) => {
      const listed = root.list(folder, ({ name, kind }) => kind === 'file' && name.endsWith(suffix))
      return listed.ok ? listed.entries.map(({ name }) => `${folder}/${name}`) : []
    },
  )
}

function sourceText({ globs, description, body }: SourceRule): string {
  const lines = [
    ...(description === undefined ? [] : [`description: ${JSON.stringify(description)}`]),
    ...(globs === undefined ? [] : ['globs:', ...globs.map((glob) => `  - ${JSON.stringify(glob)}`)]),
  ]
  return lines.length === 0 ? `${body}\n` : `---\n${lines.join('\n')}\n---\n\n${body}\n`
}
