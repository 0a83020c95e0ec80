import { basename, dirname, join } from 'node:path'
import { throwIfAborted } from '../core/errors.ts'
import { type Run, SILENT } from '../core/flow.ts'
import { bytes4, validBudget } from '../core/tokens.ts'
import { type Drift, findDrift } from '../drift/drift.ts'
import { identityOf } from '../files/disk.ts'
import { countNoun } from '../text/counts.ts'
import { decode } from '../text/decode.ts'
import { neutralise } from '../text/invisible.ts'
import { lineAt, lineStarts } from '../text/lines.ts'
import { commentsIn } from '../text/markdown-spans.ts'
import { byCodeUnit, relativeTo } from '../text/paths.ts'
import { lazyPattern } from '../text/wildcards.ts'
import type { CheckAnswer, CheckFinding } from './answers.ts'
import { type ContextFiles, contextFiles, MAX_DIRECTORIES } from './check/files.ts'
import { findingOf, findMistakes } from './check/mistakes.ts'
import { timeLimitWarnings } from './load/drift-marks.ts'
import { diskPlace } from './load/place.ts'
import type { LoadRequest } from './load/recipe.ts'
import { profileFor } from './profiles/own-profile.ts'
import { EVERY_TOOL } from './profiles.ts'
import { PINNED_FILE } from './sources/context-dir.ts'

/** `budget`: maximum tokens of a file. `profile`: the tool whose instruction files are checked. Default: all tools. */
export type CheckRequest = Pick<LoadRequest, 'place' | 'budget' | 'profile' | 'home'>

/**
 * Checks the context directory and the instruction files at, above and below a place. Finds paths, commands and anchors that no longer exist, missing
 * required files, files over budget and hidden characters. Searches the history of git for the new names of moved files.
 *
 * @throws ContextError `not-found` for a place that does not exist; `invalid-input` for a bad request; `cancelled`.
 */
export async function checkPlace(request: CheckRequest, run: Run = SILENT): Promise<CheckAnswer> {
  const budget = validBudget(request.budget)
  const { directory } = diskPlace(request.place)
  throwIfAborted(run.signal)
  const profilePlace = { cwd: directory, home: request.home }
  const profile = request.profile === undefined ? EVERY_TOOL : (await profileFor(request.profile, profilePlace)).profile
  const files = await contextFiles({ directory, profile, home: request.home }, run)
  const texts = readContextTexts(files)
  const { drift, unfinished } = await findDrift({
    root: files.root,
    files: texts.map(({ path, content }) => ({ path, text: content })),
    history: true,
    signal: run.signal,
  })
  const findings = [
    ...files.missingRequired.map((path) =>
      findingOf('missing-required', path, {
        message: `${basename(path)} is missing from ${basename(dirname(path))}.`,
        hint: 'Write it, or run "ambit init", which writes a skeleton.',
      }),
    ),
    ...files.unreadable.map(unreadableFinding),
    ...[...texts.flatMap((text) => findProblems(text, budget, files.contextDir)), ...drift.map(toDriftFinding)].map(
      (finding) => (files.referencedPaths.has(finding.path) ? lowerToNote(finding) : finding),
    ),
    ...(await findMistakes(files, { texts, profile: request.profile === undefined ? undefined : profile }, run)),
    ...timeLimitWarnings(unfinished).map(({ path, message }) => incompleteFinding(path, message)),
    ...(files.isComplete ? [] : [incompleteFinding(directory, TOO_MANY_DIRECTORIES)]),
  ]
  return { place: directory, root: files.root, findings: sortFindings(findings, files.root), checked: texts.length }
}

const TOO_MANY_DIRECTORIES = `Only the first ${MAX_DIRECTORIES} directories at and below the place were searched.`

/** A context file. `content`: its text. `replaced`: number of invalid UTF-8 sequences in the file. */
type CheckedText = ReturnType<typeof readContextTexts>[number]

/** The texts of the files that can be read. A file with several names is listed once. */
function readContextTexts(files: ContextFiles) {
  const texts = files.paths.flatMap((path) => {
    const read = files.rootOf(path).read(path)
    const decoded = read.ok && decode(read.bytes)
    if (!decoded || 'binary' in decoded) return []
    return [[identityOf(read.version), { path, content: decoded.text, replaced: decoded.replaced }] as const]
  })
  return [...new Map(texts.toReversed()).values()].reverse()
}

function unreadableFinding({ path, detail }: ContextFiles['unreadable'][number]): CheckFinding {
  const message = `${basename(path)} cannot be read: ${detail}`
  return findingOf('unreadable', path, { message, hint: 'Make it a readable text file inside the project.' })
}

function incompleteFinding(path: string, message: string): CheckFinding {
  return findingOf('unreadable', path, { severity: 'warning', message, hint: 'Check a part of it: ambit check PATH.' })
}

function findProblems({ path, content, replaced }: CheckedText, budget: number, contextDir?: string): CheckFinding[] {
  const { removed, codePoints, lines: hiddenLines, text: visibleText } = neutralise(content)
  const lineOffsets = lineStarts(content)
  const lineOf = (index: number) => lineAt(lineOffsets, index) + 1
  const comments = [...commentsIn(content)].filter(({ start, end }) => isStatement(content.slice(start, end)))
  const commentLines = [...new Set(comments.map(({ start }) => lineOf(start)))]
  const tokens = bytes4(visibleText)
  const isPinned = contextDir !== undefined && path === join(contextDir, PINNED_FILE)
  const findings: (CheckFinding | false)[] = [
    replaced > 0 &&
      findingOf('invalid-utf8', path, {
        line: lineOf(content.indexOf('\uFFFD')),
        message: `${countNoun(replaced, 'byte sequence')} ${replaced === 1 ? 'is' : 'are'} not valid UTF-8, and read as U+FFFD.`,
        hint: 'Save the file as UTF-8.',
      }),
    removed > 0 &&
      findingOf('hidden-unicode', path, {
        ...(hiddenLines[0] !== undefined && { line: hiddenLines[0] }),
        message: `${countNoun(removed, 'invisible character')} (${codePoints.join(', ')}) on ${formatLines(hiddenLines)}: an agent reads what a person does not see.`,
        hint: 'Delete them, and find out how they got there. Ambit removes them from what it loads.',
      }),
    // One finding for each file, because most comments are notes for maintainers.
    comments.length > 0 &&
      findingOf('html-comment', path, {
        line: commentLines[0] ?? 1,
        message: `${comments.length === 1 ? 'An HTML comment' : `${comments.length} HTML comments`} on ${formatLines(commentLines)}: an agent reads what a rendered page does not show.`,
        hint: 'Read them. Move what an agent should know into the text, and the rest elsewhere.',
      }),
    tokens > budget &&
      findingOf('over-budget', path, {
        ...(isPinned && { severity: 'error' }),
        message: `${basename(path)} takes ${tokens} tokens, more than the budget of ${budget}.`,
        hint: isPinned
          ? 'Shorten it: it is shown whole under any budget, and leaves no room for anything else.'
          : 'Split it, or shorten it: only a part of it can be shown.',
      }),
  ]
  return findings.filter((finding) => finding !== false)
}

/** Maximum number of line numbers in a message. */
const MAX_SHOWN_LINES = 10

function formatLines(lines: readonly number[]): string {
  const ellipsis = lines.length > MAX_SHOWN_LINES ? ' …' : ''
  return `${lines.length === 1 ? 'line' : 'lines'} ${lines.slice(0, MAX_SHOWN_LINES).join(', ')}${ellipsis}`
}

const wordPattern = lazyPattern(String.raw`\p{L}{2}`, 'u')

/** Whether a comment has at least three words, as a statement has. Marks of tools have fewer words. */
function isStatement(comment: string): boolean {
  const parts = comment.slice(0, 10_000).split(/\s+/)
  return parts.filter((part) => wordPattern().test(part)).length > 2
}

const FIX_HINTS: Readonly<Record<Drift['kind'], string>> = {
  path: 'Correct the path, or delete the reference.',
  command: 'Correct the command, or delete it.',
  anchor: 'Cite a heading that exists, or leave out what follows the #.',
}

function toDriftFinding({ kind: about, state, path, line, message, proposal }: Drift): CheckFinding {
  const severity = state === 'dead' ? 'warning' : 'note'
  const fix = proposal === undefined ? state === 'dead' && FIX_HINTS[about] : `Write ${proposal}.`
  return { rule: `stale-${about}`, severity, kind: state, path, line, message, ...(fix && { hint: fix }) }
}

/** Lowers a warning about a file that no tool loads by itself: it may be a plan or record that agents read in part. */
function lowerToNote(finding: CheckFinding): CheckFinding {
  return finding.severity === 'warning' ? { ...finding, severity: 'note' } : finding
}

/** Sorts by relative path, line, rule and message, so that two checkouts give the same order. */
function sortFindings(findings: readonly CheckFinding[], root: string): CheckFinding[] {
  const relativeName = ({ path }: CheckFinding) => relativeTo(root, path) ?? `~${path}`
  return [...findings].sort(
    (a, b) =>
      byCodeUnit(relativeName(a), relativeName(b)) ||
      (a.line ?? 0) - (b.line ?? 0) ||
      byCodeUnit(a.rule, b.rule) ||
      byCodeUnit(a.message, b.message),
  )
}
