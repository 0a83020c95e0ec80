import type { FileRefusal } from '../../files/disk.ts'
import type { TextFile } from '../../files/text-file.ts'
import { withoutSpans } from '../../text/code.ts'
import { splitFrontMatter } from '../../text/front-matter.ts'
import { globs, patternsOf } from '../../text/globs.ts'
import { markdownSpans } from '../../text/markdown-spans.ts'
import { byCodeUnit, relativeTo } from '../../text/paths.ts'
import { trimEnd } from '../../text/trim.ts'
import { lazyPattern } from '../../text/wildcards.ts'
import type { Scoping } from '../profiles/profile.ts'

/** An instruction file, with the parsed parts of its text. */
export interface InstructionFile extends TextFile {
  /** The values of the front matter, by key. */
  readonly frontMatter: ReadonlyMap<string, unknown>
  /** Whether the front matter has `alwaysApply: true`. */
  readonly alwaysApplies: boolean
  /** The paths after `@` in the text, in order, at most `MAX_IMPORTS`. */
  readonly imports: readonly string[]
  /** Paths in the text, if the text is short and mostly points to other files. */
  readonly pointers: readonly string[]
}

/** The keys of front matter under which tools list the paths of a rule. */
export const PATTERN_KEYS = ['paths', 'globs', 'applyTo', 'fileMatchPattern']

/** Parses a file. YAML is loaded only for front matter. */
export async function instructionFile(file: TextFile): Promise<InstructionFile> {
  const { matter, body } = splitFrontMatter(file.content)
  const text = file.content.slice(body)
  const imports = importsIn(text)
  const isCut = imports.length > MAX_IMPORTS
  const excess = isCut ? [`It has ${imports.length} imports; only the first ${MAX_IMPORTS} are read.`] : []
  const parsed = matter === undefined ? NO_MATTER : await readMatter(matter)
  return {
    ...file,
    frontMatter: parsed.values,
    alwaysApplies: parsed.alwaysApplies,
    imports: imports.slice(0, MAX_IMPORTS),
    pointers: pointersIn(text),
    warnings: [...file.warnings, ...parsed.warnings, ...excess],
  }
}

const NO_MATTER: Awaited<ReturnType<typeof readMatter>> = { values: new Map(), alwaysApplies: false, warnings: [] }

async function readMatter(matter: string) {
  const { parseFrontMatter } = await import('../../text/metadata.ts')
  const { values, warnings } = parseFrontMatter(matter)
  const refused = PATTERN_KEYS.flatMap((key) => globs(patternsOf(values.get(key))).refused)
  const refusedPatterns = refused.length > 0 ? [`${refused.length} patterns are too complex and match nothing.`] : []
  const always = values.get('alwaysApply')
  return { values, alwaysApplies: always === true || always === 'true', warnings: [...warnings, ...refusedPatterns] }
}

/** The patterns of a file under the keys of its tool; undefined for a file that applies to all paths. */
export function patternsFor(file: InstructionFile, scoping: Scoping | undefined): readonly string[] | undefined {
  if (!scoping || isAlways(file, scoping)) return undefined
  const patterns = scoping.keys.flatMap((key) => patternsOf(file.frontMatter.get(key)))
  return patterns.length > 0 ? patterns : undefined
}

/** Whether a file applies regardless of its patterns. */
export function isAlways({ alwaysApplies, frontMatter }: InstructionFile, { always, modes }: Scoping): boolean {
  return (always === true && alwaysApplies) || modes?.always.includes(String(frontMatter.get(modes.key))) === true
}

/** Whether a file applies only on request. */
export function isOnRequest({ frontMatter }: InstructionFile, modes: Scoping['modes']): boolean {
  return modes?.never.includes(String(frontMatter.get(modes.key))) === true
}

/** A file, or why it was not read. */
export type InstructionReading = InstructionFile | FileRefusal

/** Maximum number of imports that may lead to a file. */
export const IMPORT_DEPTH = 5

/** Maximum imports of a file. */
export const MAX_IMPORTS = 256

/** Matches a path after `@` at the start of a word; a backslash escapes a space. */
const importPattern = lazyPattern(String.raw`(?<=^|[\s(])@((?:\\ |[\p{L}\p{N}_.~/+-])+)`, 'gu')

/** Maximum characters of an imported path. */
const MAX_PATH_LENGTH = 1024

const letterOrDigit = lazyPattern(String.raw`[\p{L}\p{N}]`, 'u')

/**
 * The paths that a Markdown text imports, in order, each once. Paths in code and HTML comments are not imports, because a reader of the rendered file
 * would not see them.
 */
export function importsIn(markdown: string): string[] {
  if (!markdown.includes('@')) return []
  const targets = new Set<string>()
  for (const { kind, start, end } of markdownSpans(markdown)) {
    const span = kind === 'code' ? '' : markdown.slice(start, end)
    if (!span.includes('@')) continue
    for (const [, path] of withoutSpans(span).matchAll(importPattern())) {
      const trimmed = trimEnd(path ?? '', '.').replaceAll('\\ ', ' ')
      if (trimmed.length <= MAX_PATH_LENGTH && letterOrDigit().test(trimmed)) targets.add(trimmed)
    }
  }
  return [...targets]
}

/** The words that begin with `@` outside of backticks, without the `@`, each once. Gemini CLI reads imports this way. */
export function importWordsIn(text: string): string[] {
  const words = withoutSpans(text).matchAll(/(?<!\S)@([./A-Za-z]\S*)/g)
  return [...new Set([...words].map(({ 0: { length }, index }) => text.slice(index + 1, index + length)))]
}

/** Whether a missing path was meant as a file, unlike `@types/node` and `@someone`. */
export function looksLikeFile(path: string): boolean {
  return /^[.~/]/.test(path) || /\.[A-Za-z][A-Za-z0-9]{0,4}$/.test(path)
}

/** Maximum characters of a text that counts as a pointer to other files. */
const MAX_POINTER_LENGTH = 600

/** Maximum files to which one text points. */
const MAX_POINTERS = 8

const SENTENCE_END = /(?<=[.!?])\s+|[\r\n]+/
const POINTED_PATH =
  /(?<![\w/.-])((?:\.{1,2}\/)?(?:[\w.-]{1,100}\/){0,20}(?:[\w-]{1,100}\.mdc?|\.(?:cline|cursor|roo|windsurf)rules))(?![\w/-])/g
const NEGATION = /\b(?:never|not|ignore|instead of)\b|n['\u2019]t\b/i
/** Files for people, not for agents. */
const FOR_PEOPLE = /(?:^|\/)(?:changelog|code_of_conduct|license|readme|security)\.md$/i

/** The files to which a short text points, each once. Sentences with a negation are ignored. Empty for a longer text. */
export function pointersIn(text: string): string[] {
  const trimmed = text.trim()
  if (trimmed.length > MAX_POINTER_LENGTH) return []
  const sentences = trimmed.split(SENTENCE_END).filter((sentence) => !NEGATION.test(sentence))
  const found = sentences.flatMap((sentence) => [...sentence.matchAll(POINTED_PATH)].map(([, path = '']) => path))
  return [...new Set(found)].filter((path) => !FOR_PEOPLE.test(path)).slice(0, MAX_POINTERS)
}

/** The patterns of a rule. `base`: path from the root of the directory to which they are relative; `''` is the root. */
type RulePatterns = Pick<Scoping, 'bare'> & { readonly patterns: readonly string[]; readonly base: string }

/** The result finds the first touched path (by code unit) that matches a rule. `touched`: from the root. */
export function ruleMatcher(touched: Iterable<string>) {
  const sorted = [...touched].sort(byCodeUnit)
  return ({ patterns, base, bare }: RulePatterns): string | undefined => {
    const { matches } = globs(bare === 'anywhere' ? patterns.map(matchAnywhere) : patterns)
    return sorted.find((path) => {
      const below = base === '' ? path : relativeTo(base, path)
      return below !== undefined && below !== '' && matches(below)
    })
  }
}

/** Makes a pattern without a slash, such as `*.ts`, match names in any directory; `/*.ts` is unchanged. */
function matchAnywhere(pattern: string): string {
  if (pattern.includes('/')) return pattern
  return pattern.startsWith('!') ? `!**/${pattern.slice(1)}` : `**/${pattern}`
}
