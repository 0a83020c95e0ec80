import { dirname } from 'node:path'
import { parseCode } from '../../code/definitions.ts'
import { isBare } from '../../code/excerpts.ts'
import { termCoverage } from '../../code/task-query.ts'
import type { Fragment, Left, Run } from '../../core/flow.ts'
import { bytes4 } from '../../core/tokens.ts'
import { blocksOf } from '../../text/blocks.ts'
import { isMaintainersComment } from '../passes/budget/pieces.ts'
import { contextDir, PRIORITY_ORDER } from '../sources/context-dir.ts'
import { CONTEXT_DIR } from '../sources/context-dir-walk.ts'
import { Instructions } from '../workspace/instructions.ts'

/** Where passages are looked for, and for what. */
export interface PassageRequest {
  /** Absolute path of a directory. */
  readonly directory: string
  /** Absolute paths of the files that are shown: instruction files beside them apply, too. */
  readonly touched: readonly string[]
  /** What each term of the task counts. */
  readonly gains: ReadonlyMap<number, number>
  readonly run: Run
}

/** Of the terms that matter, a passage holds at least this share, and this share of what the best one holds. */
const LEAST_COVERAGE = 0.3
const RELATIVE_COVERAGE = 0.7
const MOST_PASSAGES = 4
const PASSAGE_LINES = 16

/** Tokens of an instruction file beside the code that is one passage, and of all such that come without a word of the task. */
const WHOLE_FILE = 300
const MOST_RULES = 600

interface Passage {
  readonly fragment: Fragment
  readonly coverage: number
  /** The file that it is of. */
  readonly file: Fragment
}

export interface TaskPassages {
  /** Those that bear on the task by their words, the best first. */
  readonly fitting: readonly Fragment[]
  /** Of instruction files in directories below that contain shown code: they apply to it without a word of the task. */
  readonly rules: readonly Fragment[]
  /** Files of which no passage is chosen. */
  readonly left: readonly Left[]
}

/** The passages of instruction files and of the context directory that bear on a task. */
export async function passagesFor({ directory, touched, gains, run }: PassageRequest): Promise<TaskPassages> {
  const files = await instructionTexts(directory, touched, run)
  const filled = files
    .flatMap((file) => passagesOf(file, gains))
    .filter(({ fragment }) => !isBare(fragment.text.split('\n')))
  const passages = filled.sort((a, b) => b.coverage - a.coverage)
  // A list of tasks repeats the task: that says nothing of how well others fit.
  const best = passages.find(({ file }) => !isTaskList(file))?.coverage ?? 0
  const fitting = passages
    .filter(({ coverage }) => coverage >= LEAST_COVERAGE && coverage >= best * RELATIVE_COVERAGE)
    .slice(0, MOST_PASSAGES)
  const rules = rulesAmong(passages.filter((passage) => !fitting.includes(passage)))
  const chosen = new Set([...fitting, ...rules].map(({ file }) => file))
  return {
    fitting: fitting.map(withCoverage),
    rules: rules.map(withCoverage),
    left: files.filter((file) => !chosen.has(file)).map(notFitting),
  }
}

const isTaskList = ({ scope, origin }: Fragment) => scope === 'context-dir' && /\bTASKS\.md$/.test(origin.uri)

/** As many as there is room for, those first that have most words of the task. */
function rulesAmong(passages: readonly Passage[]): readonly Passage[] {
  let left = MOST_RULES
  return passages.filter(({ file, fragment }) => {
    const cost = bytes4(fragment.text)
    const isRule = file.scope === 'nested' && cost <= left
    if (isRule) left -= cost
    return isRule
  })
}

function withCoverage({ fragment, coverage }: Passage): Fragment {
  return { ...fragment, score: Math.round(coverage * 1000) / 1000 }
}

function notFitting({ origin, title, kind, scope }: Fragment): Left {
  const detail = 'None of its passages has enough words of the task.'
  return { origin, title, kind, ...(scope !== undefined && { scope }), why: 'irrelevant', detail }
}

async function instructionTexts(directory: string, touched: readonly string[], run: Run): Promise<readonly Fragment[]> {
  const instructions = new Instructions({ cwd: directory, home: false, filenames: 'relative' })
  const context = contextDir({ start: directory, name: CONTEXT_DIR, priorityOrder: PRIORITY_ORDER })
  const gathered = [await instructions.project.gather({ touched }, run), await context.gather({}, run)]
  const byUri = new Map(
    gathered.flatMap(({ kept }) => kept.map((fragment) => [fragment.origin.uri, fragment] as const)),
  )
  return [...byUri.values()]
}

/** The parts of a file, each with the heading that it stands under. */
function passagesOf(file: Fragment, gains: ReadonlyMap<number, number>): Passage[] {
  const { origin, title, text, scope = 'context-dir' } = file
  const { lines, units } = parseCode('passages.md', withoutComments(text))
  const path = origin.labels?.source ?? origin.labels?.filename ?? title
  const isOne = scope === 'nested' && bytes4(text) <= WHOLE_FILE
  const parts = isOne ? [{ start: 0, end: lines.length, names: units[0]?.names ?? [] }] : units
  const holds = scope === 'nested' ? `for ${dirname(path)}/` : ''
  return parts.flatMap(({ start, end, names }) =>
    (isOne ? [[start, end] as const] : paragraphs(lines, start, end)).map(([from, to]) => {
      const part = lines.slice(from, to).join('\n').trim()
      const heading = names[0] ?? ''
      const uri = `${origin.uri}#L${from + 1}-L${to}`
      const isWhole = to - from === lines.length
      const place = isWhole ? '' : `lines ${from + 1}-${to} of ${lines.length}`
      return {
        fragment: {
          origin: { uri, labels: { path, heading: [heading, holds, place].filter(Boolean).join(', ') } },
          kind: 'passage',
          title: `${title}: ${heading}`,
          text: part,
          scope,
        },
        coverage: termCoverage(`${heading}\n${part}`, gains),
        file,
      }
    }),
  )
}

/** A block that is one comment is for those who maintain the file. Lines stay where they are. */
function withoutComments(text: string): string {
  if (!text.includes('<!--')) return text
  const parts = blocksOf(text).map((block) => {
    const part = text.slice(block.start, block.end)
    return isMaintainersComment(block, text) ? part.replace(/[^\r\n]+/g, '') : part
  })
  return parts.join('')
}

/** Lines parted at blank ones, as many together as make no more than `PASSAGE_LINES`. */
function paragraphs(lines: readonly string[], start: number, end: number): (readonly [number, number])[] {
  const parts: (readonly [number, number])[] = []
  let from = start
  let blank = start
  for (let at = start; at < end; at++) {
    if ((lines[at] ?? '').trim() === '') blank = at
    if (at - from < PASSAGE_LINES) continue
    const to = blank > from ? blank : at
    parts.push([from, to])
    from = to
  }
  if (end > from) parts.push([from, end])
  return parts
}
