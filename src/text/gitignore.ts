import { coversPath, type Segments, STAR, segmentsOf, type Token, tokenAt } from './wildcards.ts'

/** Of a longer file the rest is not read, nor are longer lines: a verdict must stay cheap whatever a file says. */
const MOST_RULES = 10_000
const MOST_CHARACTERS = 1024

interface Rule {
  readonly negated: boolean
  readonly directories: boolean
  readonly pattern: Segments
}

/** What one `.gitignore` says of a path below its directory: ignored, not ignored after all, or nothing. */
export type Verdict = (path: string, isDirectory: boolean) => boolean | undefined

/** Reads a `.gitignore`: the last line that matches decides. Names are case-sensitive. */
export function gitignore(text: string): Verdict {
  const rules = text.split(/\r?\n/).slice(0, MOST_RULES).flatMap(ruleOf).reverse()
  return (path, isDirectory) => {
    const names = path.split('/').map((name) => [...name])
    const rule = rules.find(({ directories, pattern }) => (isDirectory || !directories) && coversPath(pattern, names))
    return rule && !rule.negated
  }
}

function ruleOf(line: string): Rule[] {
  if (line.startsWith('#') || line.length > MOST_CHARACTERS) return []
  const negated = line.startsWith('!')
  const written = withoutTrailingSpaces(negated ? line.slice(1) : line)
  const directories = written.endsWith('/')
  const pattern = directories ? written.slice(0, -1) : written
  if (pattern === '') return []
  return [{ negated, directories, pattern: anchored(pattern, segmentsOf(tokensOf(pattern))) }]
}

/** Spaces at the end count only after a backslash. */
function withoutTrailingSpaces(line: string): string {
  const end = line.replace(/ +$/, '').length
  return line.slice(0, line[end - 1] === '\\' ? end + 1 : end)
}

function tokensOf(pattern: string): Token[] {
  const chars = [...pattern]
  const tokens: Token[] = []
  for (let at = 0; at < chars.length; ) {
    const { token, next } = tokenAt(chars, at)
    tokens.push(token)
    at = next
  }
  return tokens
}

/** A pattern without a slash within is for names at any depth; one that ends with `**` is for what is below. */
function anchored(pattern: string, segments: Segments): Segments {
  const whole: Segments = pattern.includes('/') ? segments : [STAR, ...segments]
  return whole.at(-1) === STAR ? [...whole, [STAR]] : whole
}
