import { join, resolve } from 'node:path'
import { ContextError } from '../../core/errors.ts'
import { openRoot } from '../../files/disk.ts'
import { isDirectory } from '../../files/file-version.ts'

/** What must be known of a repository to read its history without its configuration. */
export interface Repository {
  /** Absolute path of the directory that holds its objects. */
  readonly objects: string
  /** The commit that is checked out, in hexadecimal: 40 digits, or 64 where names are SHA-256. */
  readonly head: string
  /** The text of the file that says where a shallow clone ends; undefined for a whole one. */
  readonly shallow: string | undefined
}

/** Symbolic references that are followed from HEAD. */
const MOST_HOPS = 5
const MOST_BYTES = 64 * 1024 * 1024
const COMMIT = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/

/**
 * The repository whose work tree has this directory at its top, linked work trees and submodules included. Undefined
 * when there is none, no commit, or its references are kept in another way than as files.
 */
export function repositoryAt(top: string): Repository | undefined {
  const mark = join(top, '.git')
  const link = isDirectory(mark) ? '.' : /^gitdir: (.+)/.exec(readSmall(top, '.git') ?? '')?.[1]
  if (link === undefined) return undefined
  const own = link === '.' ? mark : resolve(top, link)
  const common = resolve(own, readSmall(own, 'commondir')?.trim() ?? '.')
  const objects = join(common, 'objects')
  const head = readHead(own, common)
  return head !== undefined && isDirectory(objects)
    ? { objects, head, shallow: readSmall(common, 'shallow') }
    : undefined
}

function readHead(own: string, common: string): string | undefined {
  let text = readSmall(own, 'HEAD')?.trim() ?? ''
  for (let hops = 0; hops < MOST_HOPS && text.startsWith('ref:'); hops++) {
    const name = text.slice('ref:'.length).trim()
    text = (name.startsWith('refs/') && (readSmall(common, name)?.trim() ?? packedRef(common, name))) || ''
  }
  return COMMIT.test(text) ? text : undefined
}

function packedRef(common: string, name: string): string | undefined {
  const line = readSmall(common, 'packed-refs')
    ?.split('\n')
    .find((line) => line.endsWith(` ${name}`))
  return line?.slice(0, -name.length - 1)
}

/** The text of a file in a directory; undefined if it cannot be read or is outside. */
function readSmall(directory: string, name: string): string | undefined {
  try {
    const file = openRoot(directory, { unbounded: true }).read(name, { maxBytes: MOST_BYTES })
    return file.ok ? new TextDecoder().decode(file.bytes) : undefined
  } catch (error) {
    if (error instanceof ContextError) return undefined
    throw error
  }
}
