/** Selects the files of a tree that belong to a collection. */

import { BucketTrouble, ContextError } from '../core/errors.ts'
import type { RootAccess } from '../files/bucket-root.ts'
import type { Objects } from '../files/objects.ts'
import { decode } from '../text/decode.ts'
import { gitignore, type IgnoreRules } from '../text/gitignore.ts'
import { globs } from '../text/globs.ts'
import { lastPathSegment } from '../text/paths.ts'
import { looksSecret } from '../text/secrets.ts'

export interface WalkOptions {
  /** Absolute path of a directory. */
  readonly root: string
  readonly access?: RootAccess | undefined
  /** Globs relative to the root; empty for all files. A pattern without a slash matches names at any depth. */
  readonly patterns: readonly string[]
  readonly exclude: readonly string[]
  readonly signal?: AbortSignal | undefined
}

/**
 * Directories of version control, package managers and package registries. Each is left out unless a pattern names it.
 */
export const SKIPPED_DIRECTORIES = '.git .hg .svn .jj node_modules .venv __pycache__ .quilt'.split(' ')

/**
 * Names that begin with a dot, but are not hidden, because people and agents read these files. Files with other such
 * names are hidden: left out unless a pattern names them.
 */
const VISIBLE_DOT_NAMES: ReadonlySet<string> = new Set(
  (
    '.agents .aiassistant .amazonq .claude .clinerules .codex .context .continue .copilot .cursor .cursorrules .factory .gemini ' +
    '.github .gitlab .goosehints .hermes .junie .kilo .kilocode .kilocoderules .kiro .kodelet .opencode .qwen .roo .roorules .rules .trae .vibe .windsurf .windsurfrules'
  ).split(' '),
)

/** Special entries of `exclude` that include hidden files, and files that a `.gitignore` leaves out. */
export const INCLUDE_HIDDEN = '!.*'
export const INCLUDE_IGNORED = '!.gitignore'

/** Tests of paths by the patterns of a collection. */
export interface FileFilter {
  /** Whether a file belongs to the collection. */
  readonly file: (path: string) => boolean
  /** Whether a directory is left out with its content. */
  readonly excludesDirectory: (path: string) => boolean
  /** Whether a path is left out because its name begins with a dot. */
  readonly isHidden: (path: string) => boolean
  /** Whether files that a `.gitignore` leaves out belong to the collection. */
  readonly includesIgnored: boolean
}

export function fileFilter({ patterns, exclude }: Pick<WalkOptions, 'patterns' | 'exclude'>): FileFilter {
  const isWanted = patterns.length === 0 ? () => true : globs(patterns.flatMap(addContentPattern)).matches
  const excludedPatterns = exclude.filter((pattern) => pattern !== INCLUDE_HIDDEN && pattern !== INCLUDE_IGNORED)
  const isExcluded = globs(excludedPatterns.map(matchAtAnyDepth)).matches
  const includesHidden = exclude.includes(INCLUDE_HIDDEN)
  const patternSegments = new Set(patterns.flatMap((pattern) => pattern.split('/')))
  const skippedNames = new Set(SKIPPED_DIRECTORIES.filter((name) => !patternSegments.has(name)))
  const isHidden = (path: string) => {
    const name = lastPathSegment(path)
    return !includesHidden && name.startsWith('.') && !VISIBLE_DOT_NAMES.has(name) && !patternSegments.has(name)
  }
  return {
    // A secret is reported even in a hidden file.
    file: (path) => isWanted(path) && !isExcluded(path) && (!isHidden(path) || looksSecret(path)),
    isHidden,
    includesIgnored: exclude.includes(INCLUDE_IGNORED),
    // `drafts` also means the directory `drafts/`.
    excludesDirectory: (path) =>
      skippedNames.has(lastPathSegment(path)) || isHidden(path) || isExcluded(path) || isExcluded(`${path}/`),
  }
}

/** The globs of a pattern. A pattern without wildcards may name a directory, so one glob matches the content of the directory. */
function addContentPattern(pattern: string): string[] {
  const anywhere = matchAtAnyDepth(pattern)
  return /[*?[\]{}!]/.test(pattern) ? [anywhere] : [anywhere, `${anywhere.replace(/\/$/, '')}/**`]
}

/** Makes a pattern without a slash, such as `*.md`, match names at any depth. */
function matchAtAnyDepth(pattern: string): string {
  return pattern.replace(/\/$/, '').includes('/') ? pattern : `**/${pattern}`
}

/** Maximum bytes of a `.gitignore`. A larger file is ignored. */
const MAX_RULE_BYTES = 1024 * 1024

/** Rules of a directory's `.gitignore`; `''` is the root. An unreadable file has no rules. */
export async function readRulesAt(objects: Objects, path: string, signal?: AbortSignal): Promise<IgnoreRules> {
  const key = path === '' ? '.gitignore' : `${path}/.gitignore`
  try {
    const object = await objects.read(key, { maxBytes: MAX_RULE_BYTES, signal })
    const decoded = object === 'unchanged' ? undefined : decode(object.bytes)
    return { path, verdict: decoded === undefined || 'binary' in decoded ? undefined : gitignore(decoded.text) }
  } catch (error) {
    if (!(error instanceof ContextError) || error instanceof BucketTrouble) throw error
    if (!['not-found', 'denied', 'over-limit'].includes(error.code)) throw error
    return { path, verdict: undefined }
  }
}
