import { coversPath, isSearched, type Segments, STAR, segmentsOf, tokensOf } from './wildcards.ts'

/** Maximum rules, and maximum characters of a line. The rest is ignored, so that a verdict is cheap for any file. */
const MAX_RULES = 10_000
const MAX_CHARACTERS = 1024
/** Maximum characters of all lines, and of lines with text between two stars, each of which needs a search. */
const MAX_TOGETHER = 1024 * 1024
const MAX_SEARCHED = 2048

interface Rule {
  readonly negated: boolean
  readonly directories: boolean
  readonly pattern: Segments
}

/** Verdict of one `.gitignore` on a path below its directory: ignored (true), included again (false), or none (undefined). */
export interface IgnoreVerdict {
  (path: string, isDirectory: boolean): boolean | undefined
  /** Number of rules that were ignored, because they are too long or too many. */
  readonly unread: number
}

/**
 * Reads a `.gitignore`: the last line that matches decides. Names are case-sensitive. It ignores lines of more than 1,024 characters, rules after
 * 10,000 rules or 1,048,576 characters, and lines with text between two stars (`*a*`) after 2,048 characters of such lines.
 */
export function gitignore(text: string): IgnoreVerdict {
  const { rules, unread } = rulesOf(text)
  const says = (path: string, isDirectory: boolean) => {
    const names = path.split('/').map((name) => [...name])
    const rule = rules.findLast(
      ({ directories, pattern }) => (isDirectory || !directories) && coversPath(pattern, names),
    )
    return rule && !rule.negated
  }
  return Object.assign(says, { unread })
}

function rulesOf(text: string): { readonly rules: readonly Rule[]; readonly unread: number } {
  const rules: Rule[] = []
  let [unread, together, searched] = [0, 0, 0]
  for (const line of text.split(/\r?\n/)) {
    const negated = line.startsWith('!')
    const written = line.startsWith('#') ? '' : withoutTrailingSpaces(negated ? line.slice(1) : line)
    if (written === '' || written === '/') continue
    together += line.length
    const fits = line.length <= MAX_CHARACTERS && rules.length < MAX_RULES && together <= MAX_TOGETHER
    const rule = fits ? ruleOf(written, negated) : undefined
    if (rule && isSearched(rule.pattern)) searched += line.length
    if (rule && !(isSearched(rule.pattern) && searched > MAX_SEARCHED)) rules.push(rule)
    else unread++
  }
  return { rules, unread }
}

function ruleOf(written: string, negated: boolean): Rule {
  const directories = written.endsWith('/')
  const pattern = directories ? written.slice(0, -1) : written
  return { negated, directories, pattern: anchorPattern(pattern, segmentsOf(tokensOf([...pattern]))) }
}

/** Spaces at the end count only after a backslash. */
function withoutTrailingSpaces(line: string): string {
  let end = line.length
  while (line[end - 1] === ' ') end--
  return line.slice(0, line[end - 1] === '\\' ? end + 1 : end)
}

/** A pattern without a slash matches names at any depth; one that ends with `**` matches everything below. */
function anchorPattern(pattern: string, segments: Segments): Segments {
  const whole: Segments = pattern.includes('/') ? segments : [STAR, ...segments]
  return whole.at(-1) === STAR ? [...whole, [STAR]] : whole
}

/** The rules of the `.gitignore` of a directory. */
export interface IgnoreRules {
  readonly path: string
  readonly verdict: IgnoreVerdict | undefined
}

/** The nearest file with a verdict on the path decides. `rules`: rules of the directories above it, the nearest last. */
export function isIgnored(path: string, isDirectory: boolean, rules: readonly IgnoreRules[]): boolean {
  for (const { path: at, verdict } of rules.toReversed()) {
    const ignored = verdict?.(at === '' ? path : path.slice(at.length + 1), isDirectory)
    if (typeof ignored === 'boolean') return ignored
  }
  return false
}
