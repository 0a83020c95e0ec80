import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { commands } from '../src/operations/index.ts'
import { commandWords } from '../src/operations/schema.ts'
import { help } from '../src/surfaces/cli/help.ts'
import { bareCode, readSources } from './source-files.ts'

/** What docs/style.md asks for, as far as a pattern can tell. */
const PATTERNS: Readonly<Record<string, RegExp>> = {
  'is no …': /(?<!there )(?<!There )\bis no (?!longer|more|less|reason|way|need|room|proof|help|trouble)[a-z]+/,
  'are no …': /(?<!there )(?<!There )\bare no (?!longer|more|less)[a-z]+/,
  anew: /\banew\b/,
  'all the same': /\ball the same\b/,
  'whoever, who asks': /\b[Ww]hoever\b|\bwho asks\b/,
  'of … none': /\bof what is not .* none\b|\bthere can be none\b|(?<!\b[Tt]here )\bis none\b|\bthere is none of\b/,
  'what was said of': /\bwhat (was|is) said of\b|\bsaid of it\b/,
  'as it should': /\bas (it|they) should\b/,
  'what there is': /\bwhat there is\b|\bwhat is there\b/,
  'held against': /\bheld against\b|\btaken home\b|\bborne out\b|\bbear out\b/,
  'and its kin': /\band (its|their) kin\b/,
  'go on behind': /\bgo(es)? on (behind|with after)\b/,
}

/** What comments must not have, either. */
const COMMENT_PATTERNS: Readonly<Record<string, RegExp>> = {
  ...PATTERNS,
  'Of a …, only': /(?:^|[.;] )Of (?!course)[a-z]/,
  'go on': /\b(?:go(?:es)?|went) on\b/,
  'can be had': /\bcan(?:not)? be had\b|\bon (?:its|their) way\b/,
  'but for': /\bbut for\b/,
  'also if': /\balso (?:if|when|where)\b/,
}

const ROOT = dirname(import.meta.dirname)
/** Pages for people: all guides and figures, and others by name. */
const PAGES = [
  'README.md',
  'examples/agent-loop/README.md',
  'examples/load/README.md',
  'AGENTS.md',
  'SECURITY.md',
  'CONTRIBUTING.md',
  'docs/DESIGN.md',
  ...globSync(['docs/guides/*.md', 'docs/figures/*.md', 'docs/configuration.md'], { cwd: ROOT }).sort(),
]

function riddlesIn(text: string, patterns = PATTERNS): readonly string[] {
  const prose = text.replace(/^```[\s\S]*?^```/gm, '').replace(/`[^`\n]*`/g, 'x')
  return Object.entries(patterns).flatMap(([name, pattern]) => {
    if (!pattern.test(prose)) return []
    const found = prose.match(new RegExp(`.{0,40}(?:${pattern.source}).{0,20}`))
    return found ? [`${name}: ${found[0]}`] : []
  })
}

/** The words of a comment on one line. */
function proseOf(comment: string): string {
  return comment.replace(/\s*\n\s*\*?\s*/g, ' ').replace(/^\/[/*]+\s*|\s*\*\/$/g, '')
}

describe('plain English', () => {
  it.each(commands.map((command) => commandWords(command).join(' ')))('is in the help of %s', (name) => {
    const display = { isTerminal: false, plain: true, columns: 1000 }
    expect(riddlesIn(help(name.split(' '), commands, display))).toEqual([])
  })

  it.each(PAGES)('is in %s', (page) => {
    expect(riddlesIn(readFileSync(join(ROOT, page), 'utf8'))).toEqual([])
  })

  it('is in the messages of the program', () => {
    const riddles = globSync('src/**/*.ts', { cwd: ROOT }).flatMap((path) => {
      const code = readFileSync(join(ROOT, path), 'utf8').replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '')
      const sentences = [...code.matchAll(/(['"`])((?:(?!\1)[^\\\n]|\\.){12,})\1/g)].map(([, , text = '']) => text)
      return sentences
        .filter((text) => /^[A-Z$"].* .*([.?!:]$|: ambit )/.test(text))
        .flatMap((text) => riddlesIn(text).map((riddle) => `${path}: ${riddle}`))
    })
    expect(riddles).toEqual([])
  })

  it.each(['src', 'web/src'])('is in the comments of %s', (folder) => {
    const riddles = readSources(folder).flatMap(({ file, text }) =>
      bareCode(text).comments.flatMap((comment) =>
        riddlesIn(proseOf(comment), COMMENT_PATTERNS).map((riddle) => `${file}: ${riddle}`),
      ),
    )
    expect(riddles).toEqual([])
  })

  it.each([
    ['/** Of a large file,\n * the first lines. */', 1],
    ['// The rest of it goes on.', 1],
    ['/** A part of a file. */', 0],
  ])('is judged by more patterns in comments: %s', (comment, count) => {
    expect(riddlesIn(proseOf(comment), COMMENT_PATTERNS)).toHaveLength(count)
  })

  it.each([
    ['It is no file.', 1],
    ['There is no file.', 0],
    ['It is no longer there.', 0],
    ['Ask whoever runs it.', 1],
    ['`is no file`', 0],
  ])('is judged by patterns: %s', (text, count) => {
    expect(riddlesIn(text)).toHaveLength(count)
  })
})
