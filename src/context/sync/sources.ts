/** Sources of `sync`: the AGENTS.md files of a project, and the rules in `.agents/rules`. */

import { basename, dirname } from 'node:path'
import type { Run } from '../../core/flow.ts'
import type { LocalRoot } from '../../files/disk.ts'
import { splitFrontMatter } from '../../text/front-matter.ts'
import { patternsOf } from '../../text/globs.ts'
import { byCodeUnit, relativeTo } from '../../text/paths.ts'
import { readSafeText } from '../../text/readable.ts'
import { contextFiles } from '../check/files.ts'
import { PATTERN_KEYS } from '../discovery/instruction-file.ts'
import type { Profile } from '../profiles/profile.ts'
import { BASE_PROFILE, RULES_FOLDER } from '../profiles.ts'
import { readMarked } from './mark.ts'

export type SourceRule = NonNullable<Awaited<ReturnType<typeof readRule>>>

/** All sources of a project, sorted by path. */
export type SyncSources = Awaited<ReturnType<typeof syncSources>>

/** Finds the sources of a project. `names`: names of files beside AGENTS.md that `sync` may have written. */
export async function syncSources(root: LocalRoot, names: readonly string[], run: Run) {
  const profile: Profile = {
    ...BASE_PROFILE,
    name: 'sync',
    names: ['AGENTS.md', ...names].map((name) => [name]),
    rules: [{ folder: RULES_FOLDER, suffix: '.md', at: 'root', keys: [], bare: 'here', unscoped: 'always' }],
  }
  const { paths, unreadable } = await contextFiles({ directory: root.path, profile, home: false }, run)
  const sourcePaths = paths.flatMap((path) => relativeTo(root.path, path) ?? []).sort(byCodeUnit)
  const files = sourcePaths.filter((name) => basename(name) === 'AGENTS.md')
  const rules = sourcePaths.filter((name) => name.startsWith(`${RULES_FOLDER}/`))
  const ruleTexts = await Promise.all(rules.map((name) => readRule(root, name, RULES_FOLDER)))
  return {
    /** AGENTS.md files. `directory`: path from the root; `''` for the root itself. */
    files: files.flatMap((name) => {
      const text = sourceTextAt(root, name)
      if (text === undefined || text.trim() === '' || readMarked(text)) return []
      return [{ directory: name === 'AGENTS.md' ? '' : dirname(name), text }]
    }),
    rules: ruleTexts.flatMap((rule) => (rule && rule.note === undefined ? [rule] : [])),
    /** Paths, from the root, of other files that tools read. An earlier `sync` may have written some of them. */
    otherPaths: sourcePaths.filter((name) => names.includes(basename(name))),
    /** A sentence about each source that is not used. */
    notes: [
      ...unreadable.flatMap(({ path, detail }) => {
        const name = relativeTo(root.path, path)
        return name === undefined ? [] : [notCopiedNote(name, detail)]
      }),
      ...ruleTexts.flatMap((rule) => rule?.note ?? []),
    ],
  }
}

/** The text of a file; undefined if it cannot be read, or contains a secret, which must not be copied. */
export function sourceTextAt(root: LocalRoot, name: string): string | undefined {
  const source = sourceAt(root, name)
  return source?.ok ? source.content : undefined
}

function sourceAt(root: LocalRoot, name: string) {
  const read = root.read(name)
  return read.ok ? readSafeText(read.bytes) : undefined
}

function notCopiedNote(name: string, detail: string): string {
  return `${name} is not copied. ${detail}`
}

/** Matches a key with patterns in front matter that is not valid YAML: the parser loses such patterns. */
const LOST_PATTERNS = new RegExp(`^(?:${PATTERN_KEYS.join('|')})[ \\t]*:\\s*(?:#.*[\\r\\n]\\s*)*[^\\s\\w#]`, 'm')
const UNREADABLE_PATTERNS = 'The patterns of its front matter cannot be read: write each in quotes.'

/** A note about each file that is not used because it contains a secret or is not text. */
export function notesOnWithheld(root: LocalRoot, names: readonly string[]): readonly string[] {
  return names.flatMap((name) => {
    const source = sourceAt(root, name)
    return source?.ok === false ? [notCopiedNote(name, source.detail)] : []
  })
}

/**
 * Reads a rule in a folder of any tool; undefined for an empty rule, and for a rule that `sync` wrote.
 *
 * @returns `name`: the path of the rule in the folder, without extension. `globs`: its patterns; undefined if it
 * applies to all paths. `note`: why the rule is not used; absent if it is used.
 */
export async function readRule(root: LocalRoot, path: string, folder: string) {
  const text = sourceTextAt(root, path)
  if (text === undefined || readMarked(text)) return undefined
  const { matter, body } = splitFrontMatter(text)
  // Files that `sync` writes import a source by its name, so only `.md` is removed from the name of a source.
  const extension = folder === RULES_FOLDER ? /\.md$/ : /(\.instructions)?\.mdc?$/
  const name = path.slice(folder.length + 1).replace(extension, '')
  const rule = { name, body: text.slice(body).trim() }
  if (rule.body === '') return undefined
  if (matter === undefined) return { ...rule, globs: undefined, description: undefined }
  const { parseFrontMatter } = await import('../../text/metadata.ts')
  const { values, warnings } = parseFrontMatter(matter)
  const patternValues = PATTERN_KEYS.flatMap((key) => values.get(key) || [])
  const patterns = patternValues.flatMap(patternsOf)
  const globs = patterns.filter((glob) => glob !== '**')
  const isForAll = String(values.get('alwaysApply')) === 'true'
  const hasLostPatterns =
    patternValues.length > 0 || (warnings.length > 0 && (values.size === 0 || LOST_PATTERNS.test(matter)))
  const isUnreadable = !isForAll && patterns.length === 0 && hasLostPatterns
  const description = values.get('description')
  return {
    ...rule,
    ...(isUnreadable && { note: notCopiedNote(path, UNREADABLE_PATTERNS) }),
    globs: isForAll || globs.length === 0 ? undefined : globs,
    // Values of invalid YAML, such as `globs: **/*.ts`, keep their quotes.
    description: (typeof description === 'string' && description.replace(/^(["'])(.*)\1$/s, '$2')) || undefined,
  }
}
