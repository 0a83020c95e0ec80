/** Ranks the files of a tree, and their units (functions, heads of classes, lines between them), for a task. */

import { type Run, SILENT } from '../core/flow.ts'
import type { LocalRoot } from '../files/disk.ts'
import { readText } from '../files/text-file.ts'
import { isWithin } from '../text/paths.ts'
import type { CodeIndex } from './code-index.ts'
import { type CommitHistory, changedTogether, scoreByMessages } from './commit-history.ts'
import { type ParsedFile, parseCode, type Unit } from './definitions.ts'
import type { IndexedFile } from './index/index-file.ts'
import { isTest } from './languages.ts'
import { byScore, type FileScore, scoreFiles, scoreOf, type TermGains, zeroScore } from './ranking/file-scores.ts'
import { fuseByMeaning, MAX_JUDGED, orderByJudge, type RankModels } from './ranking/models.ts'
import { scoreOfUnit, unitSignals } from './ranking/unit-scores.ts'
import type { TaskQuery } from './task-query.ts'

export type { FileScore } from './ranking/file-scores.ts'
export type { RankModels } from './ranking/models.ts'

/** A unit with its score for a task. */
export interface RankedUnit extends Unit {
  readonly score: number
}

export interface RankedFile extends FileScore {
  readonly parsed: ParsedFile
  /** The units in the order of the file. */
  readonly ranked: readonly RankedUnit[]
}

/** The files and definitions for a task. */
export interface TaskRanking {
  /** All matching files, best first. */
  readonly files: readonly FileScore[]
  /** The best files, which an answer shows, best first. */
  readonly shown: readonly RankedFile[]
  /** The files among the first `outlinedFiles` that are not shown. */
  readonly further: readonly RankedFile[]
  /** The weight of each term of the task times its rarity in the tree. */
  readonly gains: TermGains
  /** Notices about the models, for the person. */
  readonly notices: readonly string[]
}

/** How many files to show, and what changes their order. */
export interface RankOptions {
  /** Maximum shown files. Default: `MAX_SHOWN`, or `MAX_PRECISE` for a precise answer. */
  readonly maxShown?: number | undefined
  /** Shows only files within `RELATIVE_CUT` of the best. Default: false. */
  readonly isPrecise?: boolean | undefined
  /** Paths in the tree. Files at or below them count more, and so do files that changed with them. Default: none. */
  readonly near?: readonly string[] | undefined
  /** The commits of the tree. They change the order of files, and not which files are shown, except with a judge. */
  readonly history?: CommitHistory | undefined
  /** Number of first files to parse besides the shown files. Files among them that are not shown are `further`. Default: 0. */
  readonly outlinedFiles?: number | undefined
  readonly models?: RankModels | undefined
  readonly run?: Run | undefined
}

/** Minimum score of a file in a precise answer, relative to the best. */
export const RELATIVE_CUT = 0.75
const MAX_SHOWN = 10
const MAX_PRECISE = 6
/** Factor of the units of tests. */
const TEST_FACTOR = 0.3
/** Factor of files at or below the paths in `near`. */
const NEAR_FACTOR = 1.3
/** Weight of commit messages, relative to the best score. */
const MESSAGE_WEIGHT = 0.4
/** Weight of common changes with the best files, relative to the best score. */
const TOGETHER_WEIGHT = 0.2
/** Number of first files, the leaders. Common changes do not affect their order. */
const LEADER_COUNT = MAX_SHOWN
/** Number of best files by text. The files that changed with them score higher. */
const SEEDS = 10
/** Number of best files whose texts are searched for quotations. */
const PHRASE_CANDIDATES = 150

/**
 * Ranks the files of an index for a task. Reads the texts of some of the best files. A model that fails is skipped, with a notice.
 *
 * @throws ContextError `cancelled`.
 */
export async function rankForTask(index: CodeIndex, query: TaskQuery, options: RankOptions = {}): Promise<TaskRanking> {
  const { isPrecise = false, maxShown: limit = isPrecise ? MAX_PRECISE : MAX_SHOWN } = options
  const { near = [], history, outlinedFiles: outlinedCount = 0, models = {}, run = SILENT } = options
  const { root, files } = index
  const { scores, gains } = scoreFiles(files, query)
  const byWords = boostNearFiles(addPhraseScores(root, scores, { query, fileCount: files.length }), near)
  const request = { models, task: query.request, passageOf: (file: FileScore) => bestPassage(root, file), run }
  const { files: byText = byWords, notices } = await fuseByMeaning(byWords, request)
  const bestByText = byText[0]?.score ?? 0
  const { byMessages, byCommits } =
    history && bestByText !== 0
      ? addCommitScores(byText, { files, query, history, near, best: bestByText })
      : { byMessages: byText, byCommits: byText }
  // Texts choose the shown files, and commit messages order the shown files. A judge does both. Common changes order only
  // the files after the leaders.
  const judged = await orderByJudge(byMessages, request)
  const [toChoose, toOrder] = judged.files ? [judged.files, judged.files] : [byText, byMessages]
  const leaderCount = judged.files ? MAX_JUDGED : LEADER_COUNT
  const bestScore = toChoose[0]?.score ?? 0
  const matches = toChoose.filter(({ score }) => score > 0 && (!isPrecise || score >= bestScore * RELATIVE_CUT))
  const shownPaths = new Set(matches.slice(0, limit).map(({ file }) => file.path))
  const shownFiles = toOrder.filter(({ file }) => shownPaths.has(file.path))
  const shares = new Map(toChoose.map(({ file, score }) => [file.path, bestScore === 0 ? 0 : score / bestScore]))
  const rankUnits = (one: FileScore) => rankFile(root, one, { query, fileShare: shares.get(one.file.path) ?? 0 }) ?? []
  const orderedFiles = putBehindLeaders(toOrder.filter(({ score }) => score > 0).slice(0, leaderCount), byCommits)
  const shown = shownFiles.flatMap(rankUnits)
  const furtherFiles = orderedFiles.slice(0, outlinedCount).filter(({ file }) => !shownPaths.has(file.path))
  return {
    files: orderedFiles,
    shown,
    further: furtherFiles.flatMap(rankUnits),
    gains,
    notices: [...notices, ...judged.notices],
  }
}

/** The leaders, then the other files. The score of each other file is cut to the score of the last leader. */
function putBehindLeaders(leaders: readonly FileScore[], ranked: readonly FileScore[]): readonly FileScore[] {
  const leaderPaths = new Set(leaders.map(({ file }) => file.path))
  const lowestScore = leaders.at(-1)?.score ?? Number.POSITIVE_INFINITY
  const otherFiles = ranked.filter(({ file }) => !leaderPaths.has(file.path))
  return [...leaders, ...otherFiles.map((scored) => ({ ...scored, score: Math.min(scored.score, lowestScore) }))]
}

/** The text that a model judges: the path of a file, and the lines of its best unit. */
function bestPassage(root: LocalRoot, { file, units: scores }: FileScore): string {
  const read = readText(root, file.path)
  if (!read.ok) return file.path
  const { lines, units } = parseCode(file.path, read.text)
  const unitScores = units.map((_, at) => scores[at] ?? 0)
  const bestUnit = units[unitScores.indexOf(Math.max(...unitScores))]
  return `${file.path}\n${lines.slice(bestUnit?.start, bestUnit?.end).join('\n')}`
}

interface CommitContext {
  readonly files: readonly IndexedFile[]
  readonly query: TaskQuery
  readonly history: CommitHistory
  readonly near: readonly string[]
  /** The best score by text. */
  readonly best: number
}

/**
 * Adds scores by commits to files scored by text.
 *
 * @returns `byMessages`: files scored by text and commit messages. `byCommits`: the same files, scored also by common
 * changes with the best files and with files in `near`.
 */
function addCommitScores(byText: readonly FileScore[], { files, query, history, near, best }: CommitContext) {
  const messages = scoreByMessages(history, query.terms)
  const textSeeds = byText.slice(0, SEEDS).map(({ file, score }) => ({ path: file.path, weight: score / best }))
  const seeds = new Map([...textSeeds, ...near.map((path) => ({ path, weight: 1 }))].map((seed) => [seed.path, seed]))
  const companions = changedTogether(history, [...seeds.values()])
  const highestTogether = Math.max(...[...companions.values()].map(({ score }) => score))
  const knownPaths = new Set(byText.map(({ file }) => file.path))
  const otherFiles = files.filter(({ path }) => !knownPaths.has(path) && (messages.has(path) || companions.has(path)))
  const byMessages = [...byText, ...otherFiles.map(zeroScore)].map((scored) => {
    const messageScore = messages.get(scored.file.path) ?? 0
    const companion = companions.get(scored.file.path)
    if (messageScore === 0 && !companion) return scored
    const commits = { messages: messageScore, together: companion?.commits ?? 0 }
    return { ...scored, commits, score: scored.score + best * MESSAGE_WEIGHT * messageScore * scored.file.factor }
  })
  const byCommits = byMessages.map((scored) => {
    const share = (companions.get(scored.file.path)?.score ?? 0) / highestTogether
    return share > 0 ? { ...scored, score: scored.score + best * TOGETHER_WEIGHT * share * scored.file.factor } : scored
  })
  return { byMessages: byMessages.sort(byScore), byCommits: byCommits.sort(byScore) }
}

function boostNearFiles(files: readonly FileScore[], near: readonly string[]): readonly FileScore[] {
  if (near.length === 0) return files
  const isNear = ({ file }: FileScore) => near.some((path) => isWithin(path, file.path))
  const boostedFiles = files.map((file) => (isNear(file) ? { ...file, score: file.score * NEAR_FACTOR } : file))
  return boostedFiles.sort(byScore)
}

/** Adds the scores of quotations, and sorts the files again. A quotation that many files contain does not count. */
function addPhraseScores(
  root: LocalRoot,
  files: readonly FileScore[],
  { query, fileCount }: { readonly query: TaskQuery; readonly fileCount: number },
): readonly FileScore[] {
  if (query.phrases.length === 0) return files
  const texts = files.slice(0, PHRASE_CANDIDATES).map(({ file }) => {
    const read = readText(root, file.path)
    return read.ok ? read.text.toLowerCase() : ''
  })
  const limit = Math.max(3, fileCount / 20)
  const rarePhrases = query.phrases.filter((phrase) => texts.filter((text) => text.includes(phrase)).length <= limit)
  const scoredFiles = files.map((file, index) => {
    const hits = rarePhrases.filter((phrase) => texts[index]?.includes(phrase)).length
    if (hits === 0) return file
    const signals = { ...file.signals, phrases: Math.min(1, hits / Math.min(3, rarePhrases.length)) }
    return { ...file, signals, score: scoreOf(signals, file.file.factor) }
  })
  return scoredFiles.sort(byScore)
}

/** A file with the scores of its units; undefined for a file that cannot be read any more. */
function rankFile(
  root: LocalRoot,
  scored: FileScore,
  { query, fileShare }: { readonly query: TaskQuery; readonly fileShare: number },
): RankedFile | undefined {
  const { path } = scored.file
  const read = readText(root, path)
  if (!read.ok) return undefined
  const parsed = parseCode(path, read.text)
  const factor = isTest(path) ? TEST_FACTOR : 1
  const signals = unitSignals(parsed, { ...scored, fileShare }, query)
  const ranked = parsed.units.flatMap((unit, index) => {
    const unitSignal = signals[index]
    return unitSignal ? [{ ...unit, score: scoreOfUnit(unitSignal, unit) * factor }] : []
  })
  return { ...scored, parsed, ranked }
}
