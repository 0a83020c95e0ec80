import { decode } from '../text/decode.ts'
import { gitignore, type IgnoreVerdict } from '../text/gitignore.ts'
import { neutralise } from '../text/invisible.ts'
import { relativeTo } from '../text/paths.ts'
import { readSafeText } from '../text/readable.ts'
import { looksSecret } from '../text/secrets.ts'
import { toRefusal } from './confine.ts'
import { type FileRead, type FileRefusal, identityOf, type LocalRoot } from './disk.ts'

export interface TextFile extends Omit<FileRead, 'bytes' | 'changed'> {
  /** Device and inode, equal for all names of one file. */
  readonly identity: string
  /** The whole file, decoded. */
  readonly content: string
  /** `content` without invisible characters, which could hide instructions. */
  readonly text: string
  /** Sentences about changes during the read, replaced bytes and removed characters. */
  readonly warnings: readonly string[]
}

/** The buffer of all reads, because each file is decoded before the next file is read. Holds most context files. */
const readBuffer = Buffer.allocUnsafeSlow(64 * 1024)

/** Maximum bytes of all files together that one reader reads: 64 MiB. */
export const MAX_READER_BYTES = 64 * 1024 * 1024

/** The refusal of a file after earlier files used up the limit. */
export const NO_ROOM = toRefusal('over-limit', `The files before it use up the limit of ${MAX_READER_BYTES} bytes.`)

/**
 * Reads a file inside the root as text: UTF-8, or UTF-16 with a byte order mark. Refuses binary content, and a file whose
 * requested or real name is that of a secret.
 */
export function readText(root: LocalRoot, path: string): TextFile | FileRefusal {
  const read = root.read(path, { into: readBuffer })
  if (!read.ok) return read
  if (looksSecret(relativeTo(root.realPath, read.realPath) ?? '')) {
    return toRefusal('denied', 'Its name, or the name of its target, is that of a secret.')
  }
  const { bytes, changed, ...file } = read
  const decoded = readSafeText(bytes)
  if (!decoded.ok) return toRefusal(decoded.why, decoded.detail)
  const { content, text, warnings } = decoded
  return {
    ...file,
    identity: identityOf(file.version),
    content,
    text,
    warnings: [
      ...(changed ? ['The file kept changing while it was read; what is shown may be a mixture.'] : []),
      ...warnings,
      ...hiddenInName(relativeTo(root.path, file.path) ?? ''),
    ],
  }
}

/** The rules of a `.gitignore`. Secrets in it do no harm, because its text is never printed. */
export function readIgnoreRules(root: LocalRoot, path: string): IgnoreVerdict | undefined {
  const read = root.read(path, { into: readBuffer })
  const decoded = read.ok ? decode(read.bytes) : undefined
  return decoded === undefined || 'binary' in decoded ? undefined : gitignore(decoded.text)
}

function hiddenInName(name: string): string[] {
  const { removed, codePoints } = neutralise(name)
  return removed === 0 ? [] : [`Its name has invisible characters that are not shown: ${codePoints.join(', ')}.`]
}
