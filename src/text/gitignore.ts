import { coversPath, needsSearch, type PatternSegments, STAR, segmentsOf, tokensOf } from './wildcards.ts'

/** Maximum rules, and maximum characters of a line. Further rules and longer lines are ignored, to bound the time. */
const MAX_RULES = 10_000
const MAX_CHARACTERS = 1024
/** Maximum characters of all lines, and of lines with text between two stars, because each such line needs a search. */
const MAX_TOTAL = 1024 * 1024
const MAX_SEARCHED_TOTAL = 2048

/** Verdict of one `.gitignore` on a path below its directory: ignored (true), included again (false), or none (undefined). */
export type IgnoreVerdict = ReturnType<typeof gitignore>

/**
 * Returns a judge of paths for the text of a `.gitignore`: the last line that matches decides. Names are
 * case-sensitive. Ignores lines of more than 1,024 characters, rules after 10,000 rules or 1,048,576 characters, and
 * lines with text between two stars (`*a*`) after 2,048 characters of such lines.
 *
 * @returns the judge, with `unread`: number of ignored rules.
 */
export function gitignore(text: string) {
  const { rules, unread } = rulesOf(text)
  const judge = (path: string, isDirectory: boolean) => {
    const names = path.split('/').map((name) => [...name])
    const rule = rules.findLast(
      ({ isDirectoryOnly, pattern }) => (isDirectory || !isDirectoryOnly) && coversPath(pattern, names),
    )
    return rule && !rule.isNegated
  }
  return Object.assign(judge, { unread })
}

function rulesOf(text: string) {
  const rules: ReturnType<typeof ruleOf>[] = []
  let [unread, totalLength, searchedLength] = [0, 0, 0]
  for (const line of text.split(/\r?\n/)) {
    const isNegated = line.startsWith('!')
    const body = line.startsWith('#') ? '' : withoutTrailingSpaces(isNegated ? line.slice(1) : line)
    if (body === '' || body === '/') continue
    totalLength += line.length
    const fits = line.length <= MAX_CHARACTERS && rules.length < MAX_RULES && totalLength <= MAX_TOTAL
    const rule = fits ? ruleOf(body, isNegated) : undefined
    if (rule && needsSearch(rule.pattern)) searchedLength += line.length
    if (rule && !(needsSearch(rule.pattern) && searchedLength > MAX_SEARCHED_TOTAL)) rules.push(rule)
    else unread++
  }
  return { rules, unread }
}

function ruleOf(body: string, isNegated: boolean) {
  const isDirectoryOnly = body.endsWith('/')
  const pattern = isDirectoryOnly ? body.slice(0, -1) : body
  const segments = segmentsOf(tokensOf([...pattern]))
  // A pattern without a slash matches names at any depth; a pattern that ends with `**` matches everything below.
  const whole: PatternSegments = pattern.includes('/') ? segments : [STAR, ...segments]
  const fullPattern: PatternSegments = whole.at(-1) === STAR ? [...whole, [STAR]] : whole
  return { isNegated, isDirectoryOnly, pattern: fullPattern }
}

/** Removes the spaces at the end of a line, except a space after a backslash. */
function withoutTrailingSpaces(line: string): string {
  let end = line.length
  while (line[end - 1] === ' ') end--
  return line.slice(0, line[end - 1] === '\\' ? end + 1 : end)
}

/** The verdict of the `.gitignore` in the directory `path`, which is relative to the same root as judged paths. */
export interface IgnoreRules {
  readonly path: string
  readonly verdict: IgnoreVerdict | undefined
}

/** Whether a path is ignored: the nearest `.gitignore` with a verdict decides. `rules`: the nearest last. */
export function isIgnored(path: string, isDirectory: boolean, rules: readonly IgnoreRules[]): boolean {
  for (const { path: directory, verdict } of rules.toReversed()) {
    const ignored = verdict?.(directory === '' ? path : path.slice(directory.length + 1), isDirectory)
    if (typeof ignored === 'boolean') return ignored
  }
  return false
}
