/** Runs the recipe (sources, passes and a renderer) of a place, and builds the answer of `load`. */

import { type Assembled, assemble } from '../../core/assemble.ts'
import type { Count, Focus, Fragment, Run, Warning } from '../../core/flow.ts'
import { duplicateUris, isTruncated } from '../../core/ledger.ts'
import { bytes4, validBudget } from '../../core/tokens.ts'
import { digestFiles } from '../../files/file-version.ts'
import { oneLine } from '../../text/controls.ts'
import { clipMarked } from '../../text/truncate.ts'
import { lazyPattern } from '../../text/wildcards.ts'
import { countIllegal } from '../../text/xml.ts'
import type { LoadAnswer, LoadedFile, ShownFragment } from '../answers.ts'
import { filterUnsent } from '../session.ts'
import { absentReading, type ContextDirReading, type ContextDirText } from '../sources/context-dir.ts'
import type { MarkedLedger } from './drift-marks.ts'
import {
  type CounterName,
  contextMarkdown,
  type LoadRequest,
  type PlaceKind,
  type RecipeParts,
  recipeFor,
} from './recipe.ts'

/** Parts of a request that depend on the kind of place. The functions are called after the sources have gathered. */
export interface PlaceParts extends Omit<RecipeParts, 'count' | 'unsent'> {
  readonly kind: PlaceKind
  readonly focus: Focus
  place(): string
  readonly root: string
  /** A sentence that names the chosen place, if two places have this name. */
  readonly choice?: Promise<string | undefined> | string | undefined
  /** Undefined if no context directory was requested. */
  reading(): ContextDirReading | undefined
  contexts(assembled: Assembled): LoadAnswer['contexts']
  /** The name and the content by which a fragment counts in the digest of the answer. */
  digestEntry(fragment: Fragment): { readonly name: string; readonly content: string }
  /** The ledger and the warnings, with marks at stale references. Default: without marks. */
  markDrift?(assembled: Assembled): Promise<MarkedLedger>
}

/** @throws ContextError `invalid-input` for a bad budget; `cancelled`; the errors of sources. */
export async function assembleAnswer(request: LoadRequest, parts: PlaceParts, run: Run): Promise<LoadAnswer> {
  const { kind, focus, root } = parts
  const isXml = (request.format ?? (kind === 'disk' ? 'markdown' : 'xml')) === 'xml'
  const isFull = request.full ?? true
  const unsent = filterUnsent(request.known ?? [])
  const count = await counter(request.tokens)
  const budget = kind === 'disk' || request.budget !== undefined ? validBudget(request.budget) : undefined
  const assembled = await assemble(recipeFor(kind, budget, { ...parts, count, unsent: unsent.pass }), focus, run)
  const { selection, ledger, text, tokens } = assembled
  const reading = parts.reading() ?? absentReading([])
  const markedLedger = (await parts.markDrift?.(assembled)) ?? { ledger, warnings: selection.warnings }
  const choice = await parts.choice
  const kept = selection.kept.filter(({ origin }) => reading.files.has(origin.uri))
  const { files, malformed } = await readFiles(uniqueFiles(reading, assembled), count, isFull)
  return {
    place: parts.place(),
    root,
    contextDir: reading.dir,
    files,
    contexts: parts.contexts(assembled),
    ...(isFull && { fragments: selection.kept.map(toShownFragment) }),
    summary: contextMarkdown({ ...selection, kept }),
    text,
    tokenCount: tokens,
    budget: budget ?? null,
    truncated: isTruncated(ledger),
    overBudget: budget !== undefined && tokens > budget,
    missing: reading.missing,
    missingRequired: reading.missingRequired,
    warnings: [
      ...(text === '' ? roomWarnings(parts.place(), ledger) : []),
      ...markedLedger.warnings,
      ...malformed,
      ...(isXml ? illegalCharacters(assembled) : []),
    ],
    ledger: markedLedger.ledger,
    frameTokens: tokens - markedLedger.ledger.reduce((sum, { tokensAfter }) => sum + tokensAfter, 0),
    get digest() {
      return digestFiles(assembled.considered.kept.map((fragment) => parts.digestEntry(fragment)))
    },
    get sent() {
      return unsent.listSent(selection)
    },
    ...(choice !== undefined && { choice }),
  }
}

function toShownFragment({ origin, text, pinned }: Fragment): ShownFragment {
  return { uri: origin.uri, text, ...(pinned && { isPinned: true as const }) }
}

/** The files of a context directory, without files that are other names of a listed file. */
export function uniqueFiles({ files }: ContextDirReading, { ledger }: Assembled): ContextDirText[] {
  const duplicates = duplicateUris(ledger)
  return [...files].flatMap(([uri, file]) => (duplicates.has(uri) ? [] : [file]))
}

/** The files of the answer. With `isFull`, also their structure, and warnings about malformed Markdown. */
async function readFiles(texts: readonly ContextDirText[], count: Count, isFull: boolean) {
  const toListedFile = ({ fileName, path, content }: ContextDirText): LoadedFile => {
    return { name: fileName.replace(/\.md$/i, ''), path, tokenCount: count(content) }
  }
  if (!isFull) return { files: texts.map(toListedFile), malformed: [] }
  // The Markdown parser is loaded only for the structure.
  const { contextFile, parseWarnings: malformed } = await import('../context-dir/context-file.ts')
  return { files: texts.map((file) => contextFile(file, count)), malformed: texts.flatMap(malformed) }
}

/** Maximum bytes of the names in a warning. */
const MAX_NAMES_BYTES = 200

/** Tokens of a heading, without the name of its file. */
const HEADING_TOKENS = 8

/** The warning for an empty text under a budget that is too small. Without it, no file would seem to apply. */
function roomWarnings(path: string, ledger: Assembled['ledger']): Warning[] {
  const omitted = ledger.filter(({ why }) => why === 'over-budget')
  if (omitted.length === 0) return []
  const sizes = omitted.map(({ tokensBefore, title }) => tokensBefore + bytes4(title) + HEADING_TOKENS)
  const tokens = sizes.reduce((sum, size) => sum + size, HEADING_TOKENS)
  const names = clipMarked(omitted.map(({ title }) => oneLine(title)).join(', '), MAX_NAMES_BYTES)
  return [{ path, message: `The budget has no room for ${names}: ask with ${2 * tokens} tokens.` }]
}

/** Warnings about characters that XML cannot contain, by file. */
function illegalCharacters({ selection }: Assembled): Warning[] {
  return selection.kept.flatMap(({ origin, title, text }) => {
    const message = `Control characters that XML cannot hold are shown as U+FFFD: ${countIllegal(text)}.`
    return countIllegal(text) === 0 ? [] : [{ path: origin.labels?.filename ?? title, message }]
  })
}

/** The token counter called `name`. `o200k` takes about 190 ms and 100 MB to load, and is loaded on demand. */
export async function counter(name: CounterName = 'bytes4'): Promise<Count> {
  if (name !== 'o200k') return bytes4
  const { countTokens } = await import('gpt-tokenizer/encoding/o200k_base')
  const options = { disallowedSpecial: new Set<string>() }
  return (text) => splitRuns(text).reduce((sum, part) => sum + countTokens(part, options), 0)
}

/** Maximum UTF-16 units of a run of letters, signs or white space: the tokenizer takes quadratic time. */
const MAX_RUN_LENGTH = 256

/** Matches runs of letters, digits, white space or other signs, without gaps. */
const runPattern = lazyPattern(String.raw`[\p{L}\p{M}]+|\p{N}+|\s+|[^\p{L}\p{M}\p{N}\s]+`, 'gu')

/** Splits a text within runs that are longer than `MAX_RUN_LENGTH`, but not within a character. */
function splitRuns(text: string): readonly string[] {
  const parts: string[] = []
  let from = 0
  const run = runPattern()
  run.lastIndex = 0
  for (let start = 0; run.test(text); start = run.lastIndex) {
    for (let end = start + MAX_RUN_LENGTH; end < run.lastIndex; end += MAX_RUN_LENGTH) {
      if (/[\udc00-\udfff]/.test(text.charAt(end))) end--
      parts.push(text.slice(from, end))
      from = end
    }
  }
  return from === 0 ? [text] : [...parts, text.slice(from)]
}
