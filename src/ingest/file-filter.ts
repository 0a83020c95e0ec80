/** Selects the files of a tree that belong to a collection. */

import { BucketTrouble, ContextError } from '../core/errors.ts'
import type { RootAccess } from '../files/bucket-root.ts'
import type { Objects } from '../files/objects.ts'
import { decode } from '../text/decode.ts'
import { gitignore, type IgnoreRules } from '../text/gitignore.ts'
import { globs } from '../text/globs.ts'
import { looksSecret } from '../text/secrets.ts'

/** Options of a walk. */
export interface WalkOptions {
  /** Absolute path of a directory. */
  readonly root: string
  readonly access?: RootAccess | undefined
  /** Globs, seen from the root; none: all. A pattern without a slash is one of names. */
  readonly patterns: readonly string[]
  readonly exclude: readonly string[]
  readonly signal?: AbortSignal | undefined
}

/**
 * Left out unless a pattern names them: what version control, package managers and registries of packages keep for
 * themselves.
 */
export const PASSED_OVER: readonly string[] = [
  '.git',
  '.hg',
  '.svn',
  '.jj',
  'node_modules',
  '.venv',
  '__pycache__',
  '.quilt',
]

/**
 * Names with a dot before them that are no settings of a tool: people and agents read what is in them. All others are hidden, and
 * left out unless a pattern names them.
 */
const SHOWN: ReadonlySet<string> = new Set(
  (
    '.agents .aiassistant .amazonq .claude .clinerules .codex .context .continue .copilot .cursor .cursorrules .factory .gemini ' +
    '.github .gitlab .goosehints .hermes .junie .kilo .kilocode .kilocoderules .kiro .kodelet .opencode .qwen .roo .roorules .rules .trae .vibe .windsurf .windsurfrules'
  ).split(' '),
)

/** Excludes that take something back: hidden files, and what a `.gitignore` leaves out, belong to the collection then. */
export const TAKE_HIDDEN = '!.*'
export const TAKE_IGNORED = '!.gitignore'

/** Patterns of a collection, applied to paths. */
export interface Belonging {
  /** Whether it belongs as a file. */
  readonly file: (path: string) => boolean
  /** Whether a directory is left out with all that is in it. */
  readonly isLeftOut: (path: string) => boolean
  /** Whether its own name begins with a dot, and nobody asked for it. */
  readonly isHidden: (path: string) => boolean
  /** Whether what a `.gitignore` leaves out belongs to it all the same. */
  readonly takesIgnored: boolean
}

export function fileFilter({ patterns, exclude }: Pick<WalkOptions, 'patterns' | 'exclude'>): Belonging {
  const wanted = patterns.length === 0 ? () => true : globs(patterns.flatMap(orBelow)).matches
  const unwanted = globs(exclude.filter((one) => one !== TAKE_HIDDEN && one !== TAKE_IGNORED).map(anywhere)).matches
  const takesHidden = exclude.includes(TAKE_HIDDEN)
  const named = new Set(patterns.flatMap((pattern) => pattern.split('/')))
  const passedOver = new Set(PASSED_OVER.filter((name) => !named.has(name)))
  const isHidden = (path: string) => {
    const name = path.slice(path.lastIndexOf('/') + 1)
    return !takesHidden && name.startsWith('.') && !SHOWN.has(name) && !named.has(name)
  }
  return {
    // A secret is reported even in a hidden file.
    file: (path) => wanted(path) && !unwanted(path) && (!isHidden(path) || looksSecret(path)),
    isHidden,
    takesIgnored: exclude.includes(TAKE_IGNORED),
    // `drafts` is the directory of that name, too, as `drafts/` is.
    isLeftOut: (path) =>
      passedOver.has(path.slice(path.lastIndexOf('/') + 1)) || isHidden(path) || unwanted(path) || unwanted(`${path}/`),
  }
}

/** A name without signs may be that of a directory: then all that is in it. */
function orBelow(pattern: string): string[] {
  const found = anywhere(pattern)
  return /[*?[\]{}!]/.test(pattern) ? [found] : [found, `${found.replace(/\/$/, '')}/**`]
}

/** A pattern without a slash matches names at any depth, as people write it: `*.md`. */
function anywhere(pattern: string): string {
  return pattern.replace(/\/$/, '').includes('/') ? pattern : `**/${pattern}`
}

/** Bytes of the largest `.gitignore` that counts. */
const MOST_RULES = 1024 * 1024

/** Rules of a directory's `.gitignore`; `''` is the root. An unreadable one has none. */
export async function rulesAt(objects: Objects, path: string, signal: AbortSignal | undefined): Promise<IgnoreRules> {
  const key = path === '' ? '.gitignore' : `${path}/.gitignore`
  try {
    const read = await objects.read(key, { maxBytes: MOST_RULES, signal })
    const decoded = read === 'unchanged' ? undefined : decode(read.bytes)
    return { path, verdict: decoded === undefined || 'binary' in decoded ? undefined : gitignore(decoded.text) }
  } catch (error) {
    if (!(error instanceof ContextError) || error instanceof BucketTrouble) throw error
    if (['not-found', 'denied', 'over-limit'].includes(error.code)) return { path, verdict: undefined }
    throw error
  }
}
