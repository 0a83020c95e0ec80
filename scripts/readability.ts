/** Prints a table of how readable each page is: `npm run readability [-- REVISION]` compares it with a revision of git. */

import { execFileSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

const ROOT = dirname(import.meta.dirname)
const PAGES = ['README.md', 'docs/guides/*.md', 'docs/figures/*.md', 'docs/configuration.md']

interface Readability {
  readonly words: number
  readonly wordsPerSentence: number
  /** Flesch reading ease: 60 and more is plain English. */
  readonly flesch: number
}

/** Measures prose: no code blocks, tables, headings or generated parts; code within a line is one word. */
function measureProse(markdown: string): Readability {
  const prose = markdown
    .replace(/^<!-- results: [\s\S]*?^<!-- end of results -->$/gm, '')
    .replace(/^(`{3,})[\s\S]*?^\1$/gm, '')
    .replace(/^(\||#|<|!\[).*$/gm, '')
    .replace(/`[^`]+`/g, 'code')
    .replace(/\]\([^)]*\)/g, ']')
  const sentences = prose.split(/[.!?:;](?=\s|$)|\n\s*\n|^\s*(?:-|\d+\.) /m).filter((text) => /[a-z]/i.test(text))
  const words = prose.match(/[\p{L}\p{N}][\p{L}\p{N}'’.,-]*/gu) ?? []
  const syllables = words.reduce((sum, word) => sum + syllablesOf(word), 0)
  const wordsPerSentence = words.length / Math.max(1, sentences.length)
  const flesch = 206.835 - 1.015 * wordsPerSentence - 84.6 * (syllables / Math.max(1, words.length))
  return { words: words.length, wordsPerSentence, flesch }
}

function syllablesOf(word: string): number {
  const stem = word.toLowerCase().replace(/(?:[^l]e|ed|es)$/, '')
  return Math.max(1, stem.match(/[aeiouy]+/g)?.length ?? 0)
}

/** A page at a revision, wherever in docs/ it was then. Empty if it did not exist. */
function pageAt(revision: string, path: string): string {
  const git = (...args: readonly string[]) => execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' })
  const paths = git('ls-tree', '-r', '--name-only', revision, 'README.md', 'docs').split('\n')
  const old = paths.find((each) => each === path) ?? paths.find((each) => basename(each) === basename(path))
  return old === undefined ? '' : git('show', `${revision}:${old}`)
}

const cells = ({ words, wordsPerSentence, flesch }: Readability) =>
  words === 0 ? ['–', '–', '–'] : [words.toLocaleString('en'), wordsPerSentence.toFixed(1), flesch.toFixed(0)]
const revision = process.argv[2] ?? 'HEAD'
const rows = PAGES.flatMap((pages) => globSync(pages, { cwd: ROOT }).sort()).map((path) => {
  const [before, after] = [pageAt(revision, path), readFileSync(join(ROOT, path), 'utf8')].map(measureProse)
  if (before === undefined || after === undefined) return ''
  const change = before.words === 0 ? '' : `${Math.round((after.words / before.words - 1) * 100)} %`
  const [old, now] = [cells(before), cells(after)]
  return `| ${[path, old[0], now[0], change, old[1], now[1], old[2], now[2]].join(' | ')} |\n`
})
process.stdout.write('| page | words before | after | | words per sentence before | after | Flesch before | after |\n')
process.stdout.write(`| --- |${' --: |'.repeat(7)}\n${rows.join('')}`)
