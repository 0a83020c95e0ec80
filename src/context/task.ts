import { dirname, join } from 'node:path'
import { parseCode } from '../code/definitions.ts'
import { isWithoutContent } from '../code/excerpts.ts'
import type { RankedFile, TaskRanking } from '../code/rank.ts'
import type { RelatedFile } from '../code/related.ts'
import { termCoverage } from '../code/task-query.ts'
import { type Assembled, assemble } from '../core/assemble.ts'
import { UsageError } from '../core/errors.ts'
import { EMPTY_SELECTION, type Fragment, type Left, type Run, SILENT } from '../core/flow.ts'
import { bytes4, validBudget } from '../core/tokens.ts'
import { realOf } from '../files/file-version.ts'
import { projectRootOf } from '../files/roots.ts'
import { isWithin } from '../text/paths.ts'
import type { ShownRange, TaskAnswer, TaskFile } from './answers.ts'
import { diskPlace } from './load/place.ts'
import { recipeFor } from './load/recipe.ts'
import { withoutComments } from './passes/budget/pieces.ts'
import { contextDir } from './sources/context-dir.ts'
import { listFragments, reasonFor, relativeScore, shownRanges, taskMarkdown, taskXml } from './task/code-fragments.ts'
import { findTaskCode, MAX_LISTED_FILES, type TaskCodeRequest, type TaskRequest } from './task/task-code.ts'
import { TaskLadder, taskBudget } from './task/task-ladder.ts'
import { Instructions } from './workspace/instructions.ts'

interface TaskOptions extends Partial<Pick<TaskCodeRequest, 'cache' | 'models'>> {
  /** Absolute real paths of directories. Nothing outside of them is read. Default: the whole project. */
  readonly within?: readonly string[] | undefined
  /** Whether passages of instruction files and of the context directory are included. Default: true. */
  readonly passages?: boolean | undefined
}

export type { TaskModels, TaskRequest } from './task/task-code.ts'

/**
 * Selects lines of code, and passages of instruction files and of the context directory, for a task, under one budget. The first call for a project
 * reads all its files; later calls read only changed files.
 *
 * @throws ContextError `invalid-input` for an empty task or a bad budget; `not-found` for a place that does not exist;
 * `denied` for a directory of the operating system; `cancelled`.
 */
export async function selectTaskContext(
  request: TaskRequest,
  { cache, within, passages: hasPassages = true, models }: TaskOptions = {},
  run: Run = SILENT,
): Promise<TaskAnswer> {
  const { task, format, signatures = false, precise: isPrecise = false } = request
  if (task.trim() === '') throw new UsageError('The task is empty.', 'Give the task: ambit task "fix the login".')
  const budget = validBudget(request.budget)
  const place = diskPlace(request.place)
  const root = rootOf(place.directory, within)
  const code = await findTaskCode({ ...request, root, place, cache, models }, run)
  const { index, ranking, related, tests, source, ms } = code
  const { fitting, rules, left } = hasPassages
    ? await passagesFor(place.directory, { root, ranking }, run)
    : NO_PASSAGES
  const lists = [...listFragments(root, 'related', related), ...listFragments(root, 'tests', tests)]
  const passages = [...fitting, ...lists, ...rules]
  const ladder = new TaskLadder(ranking.shown, {
    passages: fitting.length + lists.length,
    rules: rules.length,
    further: signatures ? ranking.further : undefined,
    isPrecise,
  })
  const recipe = recipeFor('task', budget, {
    sources: [source, { name: 'passages', gather: async () => ({ ...EMPTY_SELECTION, kept: passages, left }) }],
    fitTo: (tokens) => taskBudget(tokens, ladder),
    render: format === 'xml' ? taskXml : taskMarkdown,
  })
  const assembled = await assemble(recipe, { task, place: place.directory }, run)
  const shown = new Map(assembled.selection.kept.map((fragment) => [fragment.title, ladder.excerptOf(fragment)]))
  const files = listFiles(ranking, related, (file) => {
    const excerpt = shown.get(file.file.path)
    return excerpt ? shownRanges(file, excerpt) : []
  })
  return {
    place: place.directory,
    root,
    task,
    budget,
    tokenCount: assembled.tokens,
    files,
    tests,
    text: assembled.text,
    ledger: assembled.ledger,
    warnings: [...roomWarnings({ place: place.directory, budget, files }, assembled), ...assembled.selection.warnings],
    index: { files: index.files.length, changed: index.changed, ms },
  }
}

/** The warning about a budget that has no room for a single line of code. */
function roomWarnings({ place, budget, files }: Pick<TaskAnswer, 'place' | 'budget' | 'files'>, { ledger }: Assembled) {
  const isCut = ledger.some(({ why }) => why === 'over-budget')
  if (!isCut || files.length === 0 || files.some(({ ranges }) => ranges.length > 0)) return []
  return [{ path: place, message: `A budget of ${budget} tokens has no room for lines of code: give a larger one.` }]
}

const NO_PASSAGES: Awaited<ReturnType<typeof passagesFor>> = { fitting: [], rules: [], left: [] }

/** The project's root; if it is outside of the permitted directories, the permitted directory that contains the place. */
function rootOf(directory: string, within: readonly string[] | undefined): string {
  const root = projectRootOf(directory)
  if (within === undefined || within.some((each) => isWithin(each, realOf(root)))) return root
  return within.find((each) => isWithin(each, realOf(directory))) ?? directory
}

/** The first files of the ranking; if they are fewer than the limit, then files that change with them. */
function listFiles(
  { files, shown, further }: TaskRanking,
  related: readonly RelatedFile[],
  rangesOf: (file: RankedFile) => readonly ShownRange[],
): readonly TaskFile[] {
  const byPath = new Map([...shown, ...further].map((file) => [file.file.path, file]))
  const bestScore = files[0]?.score ?? 1
  const listed = files.slice(0, MAX_LISTED_FILES)
  const listedPaths = new Set(listed.map(({ file }) => file.path))
  const reasons = new Map(related.map(({ path, why }) => [path, why]))
  const ranked = listed.map((scored) => {
    const { path } = scored.file
    const file = byPath.get(path)
    const why = (scored.words.length === 0 ? reasons.get(path) : undefined) ?? reasonFor(scored)
    return { path, score: relativeScore(scored, bestScore), why, ranges: file ? rangesOf(file) : [] }
  })
  const others = related.filter(({ path }) => !listedPaths.has(path))
  return [...ranked, ...others.map(({ path, why }) => ({ path, score: 0, why, ranges: [] }))].slice(0, MAX_LISTED_FILES)
}

/** Minimum share of the important terms in a passage, and minimum share relative to the best passage. */
const MIN_COVERAGE = 0.3
const RELATIVE_COVERAGE = 0.7
const MAX_PASSAGES = 4
const PASSAGE_LINES = 16

/** Maximum tokens of an instruction file that is one passage, and of all rules without a word of the task. */
const MAX_WHOLE_TOKENS = 300
const MAX_RULE_TOKENS = 600

type Passage = ReturnType<typeof passagesOf>[number]

/**
 * Chooses passages for a task.
 *
 * @returns `fitting`: passages of instruction files and of the context directory with words of the task, the best
 * first. `rules`: passages of instruction files beside shown code, which apply without a word of the task. `left`:
 * files without a chosen passage.
 */
async function passagesFor(directory: string, { root, ranking }: { root: string; ranking: TaskRanking }, run: Run) {
  const { shown, gains } = ranking
  // Instruction files beside shown files apply, too.
  const touched = shown.map(({ file }) => join(root, file.path))
  const files = await instructionTexts(directory, touched, run)
  const allPassages = files.flatMap((file) => passagesOf(file, gains))
  const candidates = allPassages.filter(({ fragment }) => !isWithoutContent(fragment.text.split('\n')))
  const passages = candidates.sort((a, b) => b.coverage - a.coverage)
  // A list of tasks repeats the task, so its score is not a measure for other passages.
  const bestCoverage = passages.find(({ file }) => !isTaskList(file))?.coverage ?? 0
  const minCoverage = Math.max(MIN_COVERAGE, bestCoverage * RELATIVE_COVERAGE)
  const fitting = passages.filter(({ coverage }) => coverage >= minCoverage).slice(0, MAX_PASSAGES)
  const rules = chooseRules(passages.filter((passage) => !fitting.includes(passage)))
  const chosen = new Set([...fitting, ...rules].map(({ file }) => file))
  return {
    fitting: fitting.map(({ fragment }) => fragment),
    rules: rules.map(({ fragment }) => fragment),
    left: files.flatMap((file): Left[] => {
      const { origin, title, kind, scope } = file
      const detail = 'None of its passages has enough words of the task.'
      return chosen.has(file) ? [] : [{ origin, title, kind, ...(scope && { scope }), why: 'irrelevant', detail }]
    }),
  }
}

const isTaskList = ({ scope, origin }: Fragment) => scope === 'context-dir' && /\bTASKS\.md$/.test(origin.uri)

/** As many rules as fit, the rules with the most words of the task first. */
function chooseRules(passages: readonly Passage[]): readonly Passage[] {
  let remainingTokens = MAX_RULE_TOKENS
  return passages.filter(({ file, fragment }) => {
    const cost = bytes4(fragment.text)
    const isRule = file.scope === 'nested' && cost <= remainingTokens
    if (isRule) remainingTokens -= cost
    return isRule
  })
}

async function instructionTexts(directory: string, touched: readonly string[], run: Run): Promise<readonly Fragment[]> {
  const instructions = new Instructions({ cwd: directory, home: false, filenames: 'relative' })
  const context = contextDir({ start: directory })
  const gathered = [await instructions.project.gather({ touched }, run), await context.gather({}, run)]
  const kept = gathered.flatMap((selection) => selection.kept)
  return [...new Map(kept.map((fragment) => [fragment.origin.uri, fragment])).values()]
}

/** The passages of a file: paragraphs of its sections, each with the heading of its section. */
function passagesOf(file: Fragment, gains: ReadonlyMap<number, number>) {
  const { origin, title, text, scope = 'context-dir' } = file
  const { lines, units } = parseCode('passages.md', withoutComments(text))
  const path = origin.labels?.source ?? origin.labels?.filename ?? title
  const isSinglePassage = scope === 'nested' && bytes4(text) <= MAX_WHOLE_TOKENS
  const parts = isSinglePassage ? [{ start: 0, end: lines.length, names: units[0]?.names ?? [] }] : units
  const scopeNote = scope === 'nested' ? `for ${dirname(path)}/` : ''
  return parts.flatMap(({ start, end, names }) =>
    (isSinglePassage ? [[start, end] as const] : splitParagraphs(lines, start, end)).map(([from, to]) => {
      const passageText = lines.slice(from, to).join('\n').trim()
      const heading = names[0] ?? ''
      const uri = `${origin.uri}#L${from + 1}-L${to}`
      const place = to - from === lines.length ? '' : `lines ${from + 1}-${to} of ${lines.length}`
      const labels = { path, heading: [heading, scopeNote, place].filter(Boolean).join(', ') }
      const coverage = termCoverage(`${heading}\n${passageText}`, gains)
      const rank = { scope, score: Math.round(coverage * 1000) / 1000 }
      const text = { kind: 'passage', title: `${title}: ${heading}`, text: passageText }
      return { fragment: { origin: { uri, labels }, ...text, ...rank }, coverage, file }
    }),
  )
}

/** Divides lines into parts of at most `PASSAGE_LINES`, at blank lines if possible. */
function splitParagraphs(lines: readonly string[], start: number, end: number): (readonly [number, number])[] {
  const parts: (readonly [number, number])[] = []
  let from = start
  let lastBlank = start
  for (let at = start; at < end; at++) {
    if ((lines[at] ?? '').trim() === '') lastBlank = at
    if (at - from < PASSAGE_LINES) continue
    const to = lastBlank > from ? lastBlank : at
    parts.push([from, to])
    from = to
  }
  if (end > from) parts.push([from, end])
  return parts
}
