import { join } from 'node:path'
import type { RankedFile, TaskRanking } from '../code/rank.ts'
import type { RelatedFile } from '../code/related.ts'
import { assemble } from '../core/assemble.ts'
import { UsageError } from '../core/errors.ts'
import { NOTHING, type Run, SILENT } from '../core/flow.ts'
import { validBudget } from '../core/tokens.ts'
import { realOf } from '../files/file-version.ts'
import { projectRootOf } from '../files/roots.ts'
import { isWithin } from '../text/paths.ts'
import type { ShownRange, TaskAnswer, TaskFile } from './answers.ts'
import { diskPlace } from './load/place.ts'
import { recipeFor } from './load/recipe.ts'
import { relatedFragment, relativeScore } from './task/code-fragments.ts'
import { passagesFor, type TaskPassages } from './task/passages.ts'
import { shownRanges } from './task/ranges.ts'
import { taskMarkdown, taskXml } from './task/renderers.ts'
import { findTaskCode, MOST_LISTED, type TaskModels } from './task/task-code.ts'
import { TaskLadder, taskBudget } from './task/task-ladder.ts'
import { reasonFor } from './task/why.ts'

/** What is asked for a task. */
export interface TaskRequest {
  /** What is to be done: a sentence, an issue, a log, a stack trace, a diff. At most some 64 kB of it are looked at. */
  readonly task: string
  /** A path on disk; what is at or below it comes before the rest of its project. Default: the current directory. */
  readonly place?: string | undefined
  /** Most tokens of `text`. A whole number ≥ 1. Default: 8000. */
  readonly budget?: number | undefined
  /** Most files whose lines are shown. A whole number ≥ 1. Default: 10; of a precise answer 6. */
  readonly files?: number | undefined
  /** Whether only the definitions that fit best are shown, and little of the budget is used. Default: false. */
  readonly precise?: boolean | undefined
  /**
   * Whether heads of definitions come, too, with their lines, behind the lines that are shown: of the rest of these files, and
   * of further files. Default: false.
   */
  readonly signatures?: boolean | undefined
  /** Whether the language model is asked once for identifiers that the task is about. Default: as the configuration has it. */
  readonly rewrite?: boolean | undefined
  /** How `text` is written. Default: `markdown`. */
  readonly format?: 'markdown' | 'xml' | undefined
}

/** Where what is known of trees is kept from one call to the next. */
export interface TaskOptions {
  /** A directory, absolute. Undefined: nowhere, so each call reads the whole tree. */
  readonly cache?: string | undefined
  /** Directories, absolute and real: nothing outside of them is looked at. Default: all of the project. */
  readonly within?: readonly string[] | undefined
  /** Whether passages of instruction files and of the context directory come, too. Default: true. */
  readonly passages?: boolean | undefined
  /** Models that rank beside the words, where the user has set some. */
  readonly models?: TaskModels | undefined
}

export type { TaskModels } from './task/task-code.ts'

/**
 * Chooses what to read for a task: lines of code, and passages of instruction files and of the context directory, under one
 * budget. The first call for a project reads all of it; later ones look at the stats of its files.
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
  const place = diskPlace(request.place ?? '.')
  const root = rootOf(place.directory, within)
  const { index, ranking, related, source, ms } = await findTaskCode({ ...request, root, place, cache, models }, run)
  const touched = ranking.shown.map(({ file }) => join(root, file.path))
  const asked = { directory: place.directory, touched, gains: ranking.gains, run }
  const { fitting, rules, left } = hasPassages ? await passagesFor(asked) : NO_PASSAGES
  const ahead = related.length > 0 ? [...fitting, relatedFragment(root, related)] : fitting
  const further = signatures ? ranking.further : undefined
  const ladder = new TaskLadder(ranking.shown, { passages: ahead.length, rules: rules.length, further, isPrecise })
  const recipe = recipeFor('task', budget, {
    sources: [source, { name: 'passages', gather: async () => ({ ...NOTHING, kept: [...ahead, ...rules], left }) }],
    fitTo: (tokens) => taskBudget(tokens, ladder),
    render: format === 'xml' ? taskXml : taskMarkdown,
  })
  const assembled = await assemble(recipe, { task, place: place.directory }, run)
  const shown = new Map(assembled.selection.kept.map((fragment) => [fragment.title, ladder.excerptOf(fragment)]))
  return {
    place: place.directory,
    root,
    task,
    budget,
    tokenCount: assembled.tokens,
    files: listFiles(ranking, related, (file) => {
      const excerpt = shown.get(file.file.path)
      return excerpt ? shownRanges(file, excerpt) : []
    }),
    text: assembled.text,
    ledger: assembled.ledger,
    warnings: [...assembled.selection.warnings],
    index: { files: index.files.length, changed: index.changed, ms },
  }
}

const NO_PASSAGES: TaskPassages = { fitting: [], rules: [], left: [] }

/** The project's root; where that is outside of what may be looked at, the directory that may. */
function rootOf(directory: string, within: readonly string[] | undefined): string {
  const root = projectRootOf(directory)
  if (within === undefined || within.some((each) => isWithin(each, realOf(root)))) return root
  return within.find((each) => isWithin(each, realOf(directory))) ?? directory
}

/** The first files of the ranking, and behind them those that change with them. */
function listFiles(
  { files, shown, further }: TaskRanking,
  related: readonly RelatedFile[],
  rangesOf: (file: RankedFile) => readonly ShownRange[],
): readonly TaskFile[] {
  const byPath = new Map([...shown, ...further].map((file) => [file.file.path, file]))
  const best = files[0]?.score ?? 1
  const first = files.slice(0, MOST_LISTED)
  const known = new Set(first.map(({ file }) => file.path))
  const reasons = new Map(related.map(({ path, why }) => [path, why]))
  const ranked = first.map((scored) => {
    const { path } = scored.file
    const file = byPath.get(path)
    const why = (scored.words.length === 0 ? reasons.get(path) : undefined) ?? reasonFor(scored)
    return { path, score: relativeScore(scored, best), why, ranges: file ? rangesOf(file) : [] }
  })
  const others = related.filter(({ path }) => !known.has(path))
  return [...ranked, ...others.map(({ path, why }) => ({ path, score: 0, why, ranges: [] }))].slice(0, MOST_LISTED)
}
