/** Uploaded files: their stored fields, their limits, and how files of this machine are read. */

import { createHash, randomBytes } from 'node:crypto'
import { basename, dirname, resolve } from 'node:path'
import { ContextError, quoteValue } from '../core/errors.ts'
import { pathBelowRoot } from '../files/confine.ts'
import { openRoot } from '../files/disk.ts'
import { realOf } from '../files/file-version.ts'
import { type ServedRoots, withinRoots } from '../files/roots.ts'
import type { NewFile } from '../stores/run-store.ts'
import { looksSecret } from '../text/secrets.ts'

export interface Upload {
  readonly name: string
  /** The media type that the person gives. Its first 200 characters are stored. */
  readonly type: string
  readonly bytes: Uint8Array
}

/** Maximum bytes of a file; maximum bytes of all files of a session; maximum number of files. */
export const UPLOAD_LIMITS = { file: 25 * 1024 * 1024, session: 100 * 1024 * 1024, files: 50 } as const

/** The fields that are stored with the bytes of an upload. */
export function newUpload({ name, type, bytes }: Upload): NewFile {
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  // 128 random bits. The ids of older files have 64.
  const id = randomBytes(16).toString('hex')
  return { id, name: plainName(name), size: bytes.length, type: type.slice(0, 200), sha256 }
}

/**
 * The file name without directories, invisible characters and characters that mark a citation. The result is shown, and
 * never used as a path.
 */
function plainName(name: string): string {
  const shown = name
    .replace(/^.*[\\/]/s, '')
    .replace(/[\p{Cc}\p{Cf}[\]<>`]/gu, '')
    .replaceAll('::', ':')
    .trim()
    .slice(0, 200)
    .toWellFormed()
  return shown === '' || shown === '.' || shown === '..' ? 'file' : shown
}

/** @throws ContextError `over-limit`. */
export function assertRoom({ bytes }: Pick<Upload, 'bytes'>, files: readonly Pick<NewFile, 'size'>[]): void {
  const sum = files.reduce((all, { size }) => all + size, bytes.length)
  if (bytes.length > UPLOAD_LIMITS.file)
    throw overUploadLimit(`The file has ${bytes.length} bytes; at most ${UPLOAD_LIMITS.file} are accepted.`)
  if (sum > UPLOAD_LIMITS.session)
    throw overUploadLimit(`The files have ${sum} bytes together; at most ${UPLOAD_LIMITS.session} are accepted.`)
  if (files.length >= UPLOAD_LIMITS.files) throw overUploadLimit(`The session has ${files.length} files, the maximum.`)
}

function overUploadLimit(message: string): ContextError {
  const hint = 'Add the files as a collection, and search it: "ambit collection add".'
  return new ContextError('over-limit', message, { hint })
}

/**
 * Reads a file of this machine. With `roots`, the file must be in one of these directories: the opened file is checked,
 * not just its name.
 *
 * @throws ContextError if the file cannot be read, is too large, is outside of `roots`, or has the name of a secret.
 */
export function uploadAt(path: string, roots?: ServedRoots): Upload {
  const real = roots ? withinRoots(path, '.', roots)?.real : realOf(resolve(path))
  if (real === undefined) throw outsideUploadRoots(path)
  if (looksSecret(real)) {
    const hint = 'Rename the file, if a model may see it.'
    throw new ContextError('denied', `${path} has the name of a secret, and is not accepted.`, { hint })
  }
  const root = roots?.real.find((one) => pathBelowRoot(one, real) !== undefined) ?? dirname(real)
  const read = openRoot(root).read(real, { maxBytes: UPLOAD_LIMITS.file })
  if (read.ok) return { name: basename(path), type: '', bytes: read.bytes }
  if (read.why === 'denied' && roots) throw outsideUploadRoots(path)
  const code = read.why === 'missing' ? 'not-found' : read.why === 'over-limit' ? 'over-limit' : 'unavailable'
  throw new ContextError(code, `${path} cannot be read: ${read.detail}`, {
    hint: read.why === 'over-limit' ? 'Give a file of at most 25 MiB.' : 'Give the path of a readable file.',
  })
}

function outsideUploadRoots(path: string): ContextError {
  const hint = 'Files are taken from the project that the server was started in, and from collections.'
  return new ContextError('denied', `${quoteValue(path)} is not a file that can be added.`, { hint })
}
