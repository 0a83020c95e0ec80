import { basename, dirname, resolve } from 'node:path'
import { ContextError, type ErrorCode } from '../../core/errors.ts'
import type { Why } from '../../core/why.ts'
import { openRoot } from '../../files/disk.ts'
import { isDirectory, realOf } from '../../files/stat.ts'
import { decode } from '../../text/decode.ts'
import { type Standpoint, withHome } from '../place.ts'
import { LARGEST_CONFIGURATION } from './configuration.ts'

const CODES: Partial<Record<Why, ErrorCode>> = {
  missing: 'not-found',
  'over-limit': 'over-limit',
  unreadable: 'denied',
}

/**
 * The text of a configuration file, and the directory that it is in as it was named. The file itself may be a link.
 *
 * @throws ContextError `not-found`, `denied`, `over-limit`, `unavailable`; `invalid-input` for what is no text.
 */
export function readConfigurationFile(path: string, { cwd, home }: Standpoint) {
  const named = resolve(cwd, withHome(path, home))
  const real = realOf(named)
  const read = openRoot(dirname(real)).read(basename(real), { maxBytes: LARGEST_CONFIGURATION })
  const hint = `The file was looked for at ${named}.`
  if (!read.ok) {
    const code = isDirectory(real) ? 'invalid-input' : (CODES[read.why] ?? 'unavailable')
    throw new ContextError(code, read.detail, { hint })
  }
  const decoded = decode(read.bytes)
  if ('binary' in decoded) throw new ContextError('invalid-input', `It is no text: ${named}.`, { hint: decoded.detail })
  return { text: decoded.text, directory: dirname(named) }
}
