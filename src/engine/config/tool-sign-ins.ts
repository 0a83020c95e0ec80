/** Sign-ins with tool servers. They are in a file beside the configuration file; only its owner may read it. */

import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { OAuthStore, ToolSignIn } from '../../agent/tool-servers.ts'
import { ContextError } from '../../core/errors.ts'
import { writeCacheFile } from '../../files/cache-file.ts'
import { statOf } from '../../files/file-version.ts'

/** @param file The configuration file. */
export function openToolSignIns(file: string): OAuthStore {
  const path = join(dirname(file), 'mcp-sign-ins.json')
  const read = (): Record<string, ToolSignIn> => {
    if (!statOf(path)) return {}
    try {
      return Object(JSON.parse(readFileSync(path, 'utf8')))
    } catch (cause) {
      throw new ContextError('unavailable', `The file ${path} cannot be read: remove it, and sign in again.`, { cause })
    }
  }
  return {
    read: (url) => read()[url],
    write: (url, signedIn) => {
      const { [url]: _, ...others } = read()
      const all = { ...others, ...(signedIn && { [url]: signedIn }) }
      if (writeCacheFile(path, [Buffer.from(`${JSON.stringify(all, null, 2)}\n`)])) return
      const hint = 'Check its directory: you must be able to write there.'
      throw new ContextError('unavailable', `The file ${path} cannot be written.`, { hint })
    },
  }
}
