import { isUtf8 } from 'node:buffer'
import { type Dirent, readdirSync } from 'node:fs'

/** One name in a directory. */
export interface Entry {
  /** Where its bytes are not UTF-8 they are written as `\xff`, and the kind is `other`: no string can open it. */
  readonly name: string
  /** Of the entry itself: a link is not followed. `other` is a pipe, socket or device. */
  readonly kind: 'file' | 'directory' | 'link' | 'other'
}

/** The names in a directory, sorted by code unit. Throws what the system call throws. */
export function entriesOf(directory: string): Entry[] {
  const entries = readdirSync(directory, { withFileTypes: true }).map((item) => ({
    name: item.name,
    kind: kindOf(item),
  }))
  const exact = entries.some(({ name }) => name.includes('\uFFFD')) ? exactEntriesOf(directory) : entries
  return exact.sort((a, b) => (a.name < b.name ? -1 : 1))
}

/** The slower way, that tells a name with U+FFFD in it from one whose bytes are not UTF-8. */
function exactEntriesOf(directory: string): Entry[] {
  return readdirSync(directory, { withFileTypes: true, encoding: 'buffer' }).map((item) =>
    isUtf8(item.name)
      ? { name: item.name.toString('utf8'), kind: kindOf(item) }
      : { name: escaped(item.name), kind: 'other' },
  )
}

function escaped(name: Buffer): string {
  return name.toString('latin1').replace(/[^ -~]/g, (char) => `\\x${char.charCodeAt(0).toString(16).padStart(2, '0')}`)
}

function kindOf(item: Dirent<string> | Dirent<Buffer>): Entry['kind'] {
  if (item.isFile()) return 'file'
  if (item.isDirectory()) return 'directory'
  return item.isSymbolicLink() ? 'link' : 'other'
}
