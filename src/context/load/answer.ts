/** What is loaded of a place, wherever that is: its recipe runs, and this is the answer. */

import { type Assembled, assemble } from '../../core/assemble.ts'
import { type Count, type Focus, type Fragment, NOTHING, type Recipe, type Run, type Warning } from '../../core/flow.ts'
import { isTruncated } from '../../core/ledger.ts'
import { digestFiles } from '../../files/file-version.ts'
import { illegalIn } from '../../text/xml.ts'
import type { LoadAnswer, LoadedFile, ShownFragment } from '../answers.ts'
import type { unsentOnly } from '../passes/unsent.ts'
import { contextMarkdown, uniqueFiles } from '../recipes/context-dir.ts'
import type { ContextDirReading, ContextDirText } from '../sources/context-dir.ts'
import type { Marked } from './drift-marks.ts'

/** What differs between places. What is a function is asked once the sources were. */
export interface PlaceParts {
  readonly recipe: Recipe
  readonly focus: Focus
  readonly count: Count
  /** Undefined: as much as there is. */
  readonly budget: number | undefined
  readonly isXml: boolean
  /** Whether the answer has the content and the structure of the files. */
  readonly isFull: boolean
  readonly unsent: ReturnType<typeof unsentOnly>
  /** As `load` takes it. */
  place(): string
  readonly root: string
  /** Undefined where no context directory was looked for. */
  reading(): ContextDirReading | undefined
  contexts(assembled: Assembled): LoadAnswer['contexts']
  /** What a fragment counts as in the digest. */
  named(fragment: Fragment): { readonly name: string; readonly content: string }
  /** The ledger and the warnings, with what was looked up besides. */
  marked(assembled: Assembled): Marked | Promise<Marked>
}

const NO_CONTEXT_DIR: ContextDirReading = {
  dir: null,
  files: new Map(),
  missing: [],
  missingRequired: [],
  selection: NOTHING,
}

/** Runs the recipe of a place, and answers. @throws ContextError `cancelled`; what a source throws. */
export async function assembleAnswer(parts: PlaceParts, run: Run): Promise<LoadAnswer> {
  const { recipe, focus, count, budget, isXml, isFull, unsent, root } = parts
  const assembled = await assemble(recipe, focus, run)
  const { selection, ledger, text, tokens } = assembled
  const reading = parts.reading() ?? NO_CONTEXT_DIR
  const marked = await parts.marked(assembled)
  const { files, malformed } = await readFiles(uniqueFiles(reading, assembled), count, isFull)
  return {
    place: parts.place(),
    root,
    contextDir: reading.dir,
    files,
    contexts: parts.contexts(assembled),
    ...(isFull && { fragments: selection.kept.map(shownOf) }),
    summary: summaryMarkdown(assembled, reading),
    text,
    tokenCount: tokens,
    budget: budget ?? null,
    truncated: isTruncated(ledger),
    overBudget: budget !== undefined && tokens > budget,
    missing: reading.missing,
    missingRequired: reading.missingRequired,
    warnings: [...marked.warnings, ...malformed, ...(isXml ? illegalCharacters(assembled) : [])],
    ledger: marked.ledger,
    frameTokens: tokens - marked.ledger.reduce((sum, { tokensAfter }) => sum + tokensAfter, 0),
    get digest() {
      return digestFiles(assembled.considered.kept.map((fragment) => parts.named(fragment)))
    },
    get sent() {
      return unsent.sentIn(selection)
    },
  }
}

function shownOf({ origin, text, pinned }: Fragment): ShownFragment {
  return { uri: origin.uri, text, ...(pinned && { isPinned: true as const }) }
}

/** The files as a caller sees them, and what is malformed in them where that is asked for. */
async function readFiles(read: readonly ContextDirText[], count: Count, full: boolean) {
  if (!full) return { files: read.map((file) => outlineOf(file, count)), malformed: [] }
  // The Markdown parser is loaded only for those who want the structure.
  const { contextFile, parseWarnings: malformed } = await import('../context-dir/context-file.ts')
  return { files: read.map((file) => contextFile(file, count)), malformed: read.flatMap(malformed) }
}

function outlineOf({ fileName, path, content }: ContextDirText, count: Count): LoadedFile {
  return { name: fileName.replace(/\.md$/i, ''), path, tokenCount: count(content) }
}

/** What XML cannot hold, by file. */
function illegalCharacters({ selection }: Assembled): Warning[] {
  return selection.kept.flatMap(({ origin, title, text }) => {
    const message = `Control characters that XML cannot hold are shown as U+FFFD: ${illegalIn(text)}.`
    return illegalIn(text) === 0 ? [] : [{ path: origin.labels?.filename ?? title, message }]
  })
}

function summaryMarkdown({ selection }: Assembled, { files }: ContextDirReading): string {
  return contextMarkdown({ ...selection, kept: selection.kept.filter(({ origin }) => files.has(origin.uri)) })
}
