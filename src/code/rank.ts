/** Ranks the files of a tree and their units for a task. */

import { type Run, SILENT } from '../core/flow.ts'
import type { LocalRoot } from '../files/disk.ts'
import { readText } from '../files/text-file.ts'
import { isWithin } from '../text/paths.ts'
import type { CodeIndex } from './code-index.ts'
import { type CommitHistory, changedTogether, scoreByMessages } from './commit-history.ts'
import { type ParsedFile, parseCode, type Unit } from './definitions.ts'
import type { IndexedFile } from './index/index-file.ts'
import { isTest } from './languages.ts'
import { byScore, type FileScore, scoreFiles, scoreOf, type TermGains, unfoundFile } from './ranking/file-scores.ts'
import { type RankModels, rankByModels } from './ranking/models.ts'
import { scoreOfUnit, unitSignals } from './ranking/unit-scores.ts'
import type { TaskQuery } from './task-query.ts'

export type { FileScore } from './ranking/file-scores.ts'
export type { RankModels } from './ranking/models.ts'

/** A unit with its score for a task. */
export interface RankedUnit extends Unit {
  readonly score: number
}

/** A ranked file. */
export interface RankedFile extends FileScore {
  readonly parsed: ParsedFile
  /** The units in the order of the file. */
  readonly ranked: readonly RankedUnit[]
}

/** The files and definitions for a task. */
export interface TaskRanking {
  /** All matching files, best first. */
  readonly files: readonly FileScore[]
  /** The files worth showing, best first. */
  readonly shown: readonly RankedFile[]
  /** The best of the others, up to the requested number. */
  readonly further: readonly RankedFile[]
  readonly gains: TermGains
  /** Notices about the models, for the person. */
  readonly notices: readonly string[]
}

/** The requested amount and places. */
export interface RankOptions {
  /** Maximum shown files. Default: `MAX_SHOWN`, or `MAX_PRECISE` for a precise answer. */
  readonly most?: number | undefined
  /** Shows only files within `RELATIVE_CUT` of the best. Default: false. */
  readonly isPrecise?: boolean | undefined
  /** Paths in the tree. Files at or below them count more, and so do files that changed with them. Default: none. */
  readonly near?: readonly string[] | undefined
  /** The commits of the tree. They reorder files, and do not choose what to show. */
  readonly history?: CommitHistory | undefined
  /** Number of parsed files. Those that are not shown are `further`. Default: the shown ones. */
  readonly outlined?: number | undefined
  readonly models?: RankModels | undefined
  readonly run?: Run | undefined
}

/** Minimum score of a file in a precise answer, relative to the best. */
export const RELATIVE_CUT = 0.75
const MAX_SHOWN = 10
const MAX_PRECISE = 6
/** Factor of the units of tests. */
const TEST_FACTOR = 0.3
/** Factor of files near the reader. */
const NEAR = 1.3
/** Weight of commit messages, relative to the best score. */
const MESSAGE_WEIGHT = 0.4
/** Weight of files that changed with the files that fit. */
const TOGETHER_WEIGHT = 0.2
/** Common changes do not affect the shown places. */
const LEADERS = MAX_SHOWN
/** Number of best files by text whose common changes count. */
const SEEDS = 10
/** Number of best files whose texts are searched for quotations. */
const PHRASE_CANDIDATES = 150

/**
 * Ranks the files of an index for a task. Reads the texts of some of the best files. It skips a failing model, with a notice.
 *
 * @throws ContextError `cancelled`.
 */
export async function rankForTask(index: CodeIndex, query: TaskQuery, options: RankOptions = {}): Promise<TaskRanking> {
  const { isPrecise = false, most = isPrecise ? MAX_PRECISE : MAX_SHOWN } = options
  const { near = [], history, outlined = 0, models = {}, run = SILENT } = options
  const { root, files } = index
  const { scores, gains } = scoreFiles(files, query)
  const byWords = nearFirst(withPhrases(root, scores, { query, all: files.length }), near)
  const { files: byText, notices } = await rankByModels(byWords, {
    models,
    wanted: query.wanted,
    passageOf: (file) => bestPassage(root, file),
    run,
  })
  const best = byText[0]?.score ?? 0
  const { said, ranked } = history
    ? withCommits(byText, { files, query, history, near })
    : { said: byText, ranked: byText }
  const fitting = byText.filter(({ score }) => score > 0 && (!isPrecise || score >= best * RELATIVE_CUT))
  // Texts choose the shown files, and commit messages order them. Common changes count after the first places.
  const worth = new Set(fitting.slice(0, most).map(({ file }) => file.path))
  const first = said.filter(({ file }) => worth.has(file.path))
  const parts = new Map(byText.map(({ file, score }) => [file.path, best === 0 ? 0 : score / best]))
  const open = (scored: FileScore) => {
    const { path } = scored.file
    return rankedFile(root, scored, { query, part: parts.get(path) ?? 0 }) ?? []
  }
  const all = behindLeaders(said.filter(({ score }) => score > 0).slice(0, LEADERS), ranked)
  const others = all.slice(0, outlined).filter(({ file }) => !worth.has(file.path))
  return { files: all, shown: first.flatMap(open), further: others.flatMap(open), gains, notices }
}

/** The leaders, then the other files, none with a higher score. */
function behindLeaders(leaders: readonly FileScore[], ranked: readonly FileScore[]): readonly FileScore[] {
  const known = new Set(leaders.map(({ file }) => file.path))
  const least = leaders.at(-1)?.score ?? Number.POSITIVE_INFINITY
  const others = ranked.filter(({ file }) => !known.has(file.path))
  return [...leaders, ...others.map((scored) => ({ ...scored, score: Math.min(scored.score, least) }))]
}

/** The path of a file and its best unit, for a ranking model. */
function bestPassage(root: LocalRoot, { file, units: scores }: FileScore): string {
  const read = readText(root, file.path)
  if (!read.ok) return file.path
  const { lines, units } = parseCode(file.path, read.text)
  const own = units.map((_, at) => scores[at] ?? 0)
  const best = units[own.indexOf(Math.max(...own))]
  return `${file.path}\n${lines.slice(best?.start ?? 0, best?.end ?? 0).join('\n')}`
}

interface CommitsAround {
  readonly files: readonly IndexedFile[]
  readonly query: TaskQuery
  readonly history: CommitHistory
  readonly near: readonly string[]
}

/** Adds the scores of commit messages, and in `ranked` those of changes together with fitting files or files worked on. */
function withCommits(byText: readonly FileScore[], around: CommitsAround) {
  const { files, query, history, near } = around
  const best = byText[0]?.score ?? 0
  if (best === 0) return { said: byText, ranked: byText }
  const messages = scoreByMessages(history, query.terms)
  const fitting = byText.slice(0, SEEDS).map(({ file, score }) => ({ path: file.path, weight: score / best }))
  const seeds = new Map([...fitting, ...near.map((path) => ({ path, weight: 1 }))].map((seed) => [seed.path, seed]))
  const together = changedTogether(history, [...seeds.values()])
  const mostTogether = Math.max(...[...together.values()].map(({ score }) => score))
  const known = new Set(byText.map(({ file }) => file.path))
  const others = files.filter(({ path }) => !known.has(path) && (messages.has(path) || together.has(path)))
  const said = [...byText, ...others.map(unfoundFile)].map((scored) => {
    const message = messages.get(scored.file.path) ?? 0
    const changes = together.get(scored.file.path)
    if (message === 0 && !changes) return scored
    const commits = { messages: message, together: changes?.commits ?? 0 }
    return { ...scored, commits, score: scored.score + best * MESSAGE_WEIGHT * message * scored.file.factor }
  })
  const ranked = said.map((scored) => {
    const share = (together.get(scored.file.path)?.score ?? 0) / mostTogether
    return share > 0 ? { ...scored, score: scored.score + best * TOGETHER_WEIGHT * share * scored.file.factor } : scored
  })
  return { said: said.sort(byScore), ranked: ranked.sort(byScore) }
}

function nearFirst(scored: readonly FileScore[], near: readonly string[]): readonly FileScore[] {
  if (near.length === 0) return scored
  const isNear = ({ file }: FileScore) => near.some((path) => isWithin(path, file.path))
  const weighed = scored.map((file) => (isNear(file) ? { ...file, score: file.score * NEAR } : file))
  return weighed.sort(byScore)
}

/** Adds the scores of quotations, and sorts again. A quotation in many files does not count. */
function withPhrases(
  root: LocalRoot,
  scored: readonly FileScore[],
  { query, all }: { readonly query: TaskQuery; readonly all: number },
): readonly FileScore[] {
  if (query.phrases.length === 0) return scored
  const texts = scored.slice(0, PHRASE_CANDIDATES).map(({ file }) => {
    const read = readText(root, file.path)
    return read.ok ? read.text.toLowerCase() : ''
  })
  const most = Math.max(3, all / 20)
  const rare = query.phrases.filter((phrase) => texts.filter((text) => text.includes(phrase)).length <= most)
  const found = scored.map((file, index) => {
    const hits = rare.filter((phrase) => texts[index]?.includes(phrase)).length
    if (hits === 0) return file
    const signals = { ...file.signals, phrases: Math.min(1, hits / Math.min(3, rare.length)) }
    return { ...file, signals, score: scoreOf(signals, file.file.factor) }
  })
  return found.sort(byScore)
}

/** Undefined for a vanished file. */
function rankedFile(
  root: LocalRoot,
  scored: FileScore,
  { query, part }: { readonly query: TaskQuery; readonly part: number },
): RankedFile | undefined {
  const { path } = scored.file
  const read = readText(root, path)
  if (!read.ok) return undefined
  const parsed = parseCode(path, read.text)
  const factor = isTest(path) ? TEST_FACTOR : 1
  const signals = unitSignals(parsed, { ...scored, part }, query)
  const ranked = parsed.units.flatMap((unit, index) => {
    const found = signals[index]
    return found ? [{ ...unit, score: scoreOfUnit(found, unit) * factor }] : []
  })
  return { ...scored, parsed, ranked }
}
