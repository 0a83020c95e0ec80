import type { Refused } from '../../files/disk.ts'
import type { TextFile } from '../../files/text-file.ts'
import { withoutSpans } from '../../text/code.ts'
import { splitFrontMatter } from '../../text/front-matter.ts'
import { globs, patternsOf } from '../../text/globs.ts'
import { markdownSpans } from '../../text/markdown-spans.ts'
import { byCodeUnit, relativeTo } from '../../text/paths.ts'
import { trimEnd } from '../../text/trim.ts'
import { laterPattern } from '../../text/wildcards.ts'
import type { RuleModes, Scoping } from '../profiles/profile.ts'

/** An instruction file as read, with what its text says of itself. */
export interface InstructionFile extends TextFile {
  /** Its front matter, which says which paths it is for. */
  readonly matter: ReadonlyMap<string, unknown>
  /** `alwaysApply` of its front matter. */
  readonly always: boolean
  /** The `@path`s in its text, in order. */
  readonly imports: readonly string[]
  /** The files that it says to read, where it says little else. */
  readonly pointers: readonly string[]
}

/** The keys under which tools let a file say which paths it is for. */
const PATTERN_KEYS = ['paths', 'globs', 'applyTo', 'fileMatchPattern']

/** Reads what the text says. YAML is loaded only for a file that has front matter. */
export async function instructionFile(file: TextFile): Promise<InstructionFile> {
  const { matter, body } = splitFrontMatter(file.content)
  const imports = importsIn(file.content.slice(body))
  const read = matter === undefined ? NOTHING : await readMatter(matter)
  return {
    ...file,
    matter: read.values,
    always: read.always,
    imports: imports.slice(0, MOST_IMPORTS),
    pointers: pointersIn(file.content.slice(body)),
    warnings: [...file.warnings, ...read.warnings, ...importWarnings(imports.length)],
  }
}

const NOTHING: Awaited<ReturnType<typeof readMatter>> = { values: new Map(), always: false, warnings: [] }

async function readMatter(matter: string) {
  const { parseFrontMatter } = await import('../../text/metadata.ts')
  const { values, warnings } = parseFrontMatter(matter)
  const refused = PATTERN_KEYS.flatMap((key) => globs(patternsOf(values.get(key))).refused)
  const tooMuch = refused.length > 0 ? [`${refused.length} patterns ask for too much and match nothing.`] : []
  const always = values.get('alwaysApply')
  return { values, always: always === true || always === 'true', warnings: [...warnings, ...tooMuch] }
}

function importWarnings(imports: number): string[] {
  return imports > MOST_IMPORTS ? [`Of its ${imports} imports only the first ${MOST_IMPORTS} are read.`] : []
}

/** The patterns of a file where its tool looks for them; undefined when it is for all paths. */
export function patternsFor(file: InstructionFile, scoping: Scoping | undefined): readonly string[] | undefined {
  if (!scoping || isAlways(file, scoping)) return undefined
  const patterns = scoping.keys.flatMap((key) => patternsOf(file.matter.get(key)))
  return patterns.length > 0 ? patterns : undefined
}

/** Whether a file applies whatever its patterns say. */
export function isAlways(file: InstructionFile, { always, modes }: Scoping): boolean {
  return (always === true && file.always) || modes?.always.includes(modeOf(file, modes)) === true
}

/** Whether a file applies only on request. */
export function isOnRequest(file: InstructionFile, modes: Scoping['modes']): boolean {
  return modes?.never.includes(modeOf(file, modes)) === true
}

function modeOf({ matter }: InstructionFile, { key }: RuleModes): string {
  return String(matter.get(key) ?? '')
}

/** A file, or why it was not read. */
export type Reading = InstructionFile | Refused

/** How deep imports may nest. */
export const IMPORT_DEPTH = 5

/** Imports of one file that are followed. */
const MOST_IMPORTS = 256

/** A path after `@`, at the start of a word; a backslash keeps a space in it. */
const importPattern = laterPattern(String.raw`(?<=^|[\s(])@((?:\\ |[\p{L}\p{N}_.~/+-])+)`, 'gu')

/** Characters of the longest path that is followed. */
const LONGEST = 1024

const letterOrDigit = laterPattern(String.raw`[\p{L}\p{N}]`, 'u')

/**
 * The paths that a Markdown text imports, in order, each once. What stands in code or in HTML comments is not an import: a
 * person who reads the file would not see it.
 */
export function importsIn(markdown: string): string[] {
  if (!markdown.includes('@')) return []
  const found = new Set<string>()
  for (const { kind, start, end } of markdownSpans(markdown)) {
    const stretch = kind === 'code' ? '' : markdown.slice(start, end)
    if (!stretch.includes('@')) continue
    for (const [, path] of withoutSpans(stretch).matchAll(importPattern())) {
      const trimmed = trimEnd(path ?? '', '.').replaceAll('\\ ', ' ')
      if (trimmed.length <= LONGEST && letterOrDigit().test(trimmed)) found.add(trimmed)
    }
  }
  return [...found]
}

/** Whether a path that does not exist was meant as one: `@types/node` and `@someone` are not. */
export function looksLikeFile(path: string): boolean {
  return /^[.~/]/.test(path) || /\.[A-Za-z][A-Za-z0-9]{0,4}$/.test(path)
}

/** Characters of the longest text that is taken for a pointer. */
const LONGEST_POINTER = 600

/** Files of one pointer that are followed. */
const MOST_POINTED = 8

const SENTENCE_END = /(?<=[.!?])\s+|[\r\n]+/
const PATH =
  /(?<![\w/.-])((?:\.{1,2}\/)?(?:[\w.-]{1,100}\/){0,20}(?:[\w-]{1,100}\.mdc?|\.(?:cline|cursor|roo|windsurf)rules))(?![\w/-])/g
const POINTS =
  /\b(?:check|consult|defer|documented|follow|found|guidance|guidelines?|identical|in|instructions?|live|load|look|maintained|open|read|refer|rules|same|see|source of truth|use)\b/i
const REFUSES = /\b(?:never|not|ignore|instead of)\b|n['\u2019]t\b/i
/** Texts for people. */
const FOR_PEOPLE = /(?:^|\/)(?:changelog|code_of_conduct|license|readme|security)\.md$/i

/**
 * The files that a short text says to read, as it names them, each once; none of a text that says more. A text that is
 * the name of a file alone, as links become where there are none, points to it.
 */
export function pointersIn(text: string): string[] {
  const trimmed = text.trim()
  if (trimmed.length > LONGEST_POINTER) return []
  const found = trimmed.split(SENTENCE_END).flatMap((sentence) => {
    const paths = [...sentence.matchAll(PATH)].map(([, path = '']) => path)
    const isAlone = paths[0] !== undefined && sentence.trim() === paths[0]
    return isAlone || (POINTS.test(sentence) && !REFUSES.test(sentence)) ? paths : []
  })
  return [...new Set(found)].filter((path) => !FOR_PEOPLE.test(path)).slice(0, MOST_POINTED)
}

/** Path patterns of a rule, and the directory they start from. */
interface RulePatterns {
  readonly patterns: readonly string[]
  /** A directory relative to the root; `''` for the root itself. */
  readonly base: string
  readonly bare: Scoping['bare']
}

/** The first touched path, by code unit, that the patterns match; undefined for none. */
export type RuleMatcher = (rule: RulePatterns) => string | undefined

/** Matches rules against what was touched, given relative to the root. */
export function ruleMatcher(touched: readonly string[]): RuleMatcher {
  const sorted = [...touched].sort(byCodeUnit)
  return ({ patterns, base, bare }) => {
    const { matches } = globs(bare === 'anywhere' ? patterns.map(anywhere) : patterns)
    return sorted.find((path) => {
      const below = base === '' ? path : relativeTo(base, path)
      return below !== undefined && below !== '' && matches(below)
    })
  }
}

/** A pattern without a slash, such as `*.ts`, for names in any directory; `/*.ts` is left alone. */
function anywhere(pattern: string): string {
  if (pattern.includes('/')) return pattern
  return pattern.startsWith('!') ? `!**/${pattern.slice(1)}` : `**/${pattern}`
}
