/** The metadata that a push is given: of the package, and of entries; as JSON, or as files of it. */

import { invalidInput } from '../../core/errors.ts'
import { openWritable } from '../../files/directory.ts'
import type { PackagePushRequest } from '../answers.ts'
import { isObject, type Json, type JsonObject, parseJson } from './json.ts'

type Given = Pick<PackagePushRequest, 'meta' | 'metaFile' | 'entryMeta' | 'entryMetaFile'>

export interface GivenMetadata {
  readonly userMeta?: JsonObject
  readonly entryMeta: Readonly<Record<string, Json>>
}

/** @throws ContextError `invalid-input` for what is not a JSON object, or is given twice; as reading a file does. */
export async function readMetadata(given: Given, signal?: AbortSignal): Promise<GivenMetadata> {
  const { meta, metaFile, entryMeta = [], entryMetaFile } = given
  if (meta !== undefined && metaFile !== undefined) throw invalidInput('The metadata is given twice.', 'Give it once.')
  const isText = meta ?? (metaFile?.trimStart().startsWith('{') ? metaFile : undefined)
  const text = isText ?? (metaFile && (await readFile(metaFile, signal)))
  const ofEntries = entryMetaFile === undefined ? {} : objectIn(await readFile(entryMetaFile, signal), entryMetaFile)
  return {
    ...(text !== undefined && { userMeta: objectIn(text, isText === undefined ? metaFile : undefined) }),
    entryMeta: { ...ofEntries, ...Object.fromEntries(entryMeta.map(entryMetaOf)) },
  }
}

async function readFile(path: string, signal: AbortSignal | undefined): Promise<string> {
  const name = path.slice(path.lastIndexOf('/') + 1)
  const directory = openWritable(path.slice(0, -name.length) || '.')
  const read = await directory.read(name, { signal })
  return read === 'unchanged' ? '' : Buffer.from(read.bytes).toString()
}

/** `data/a.csv={"by": "me"}`: the key ends at the last `=` before the value. */
function entryMetaOf(text: string): [string, Json] {
  const [, key, json = ''] = /^(.+?)=(\{.*|null)$/s.exec(text) ?? []
  if (key !== undefined) return [key, json === 'null' ? null : objectIn(json)]
  throw invalidInput(
    `${JSON.stringify(text)} does not say which entry has which metadata.`,
    'Write KEY={"key": "value"}.',
  )
}

function objectIn(text: string, file?: string): JsonObject {
  try {
    const value = parseJson(text.trim())
    if (isObject(value)) return value
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
  }
  const what = file === undefined ? 'The metadata' : JSON.stringify(file)
  throw invalidInput(`${what} is not a JSON object.`, 'Write it as {"key": "value"}.')
}
