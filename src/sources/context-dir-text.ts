import { looksSecret } from '../discovery/imports.ts'
import type { LocalRoot, Refused } from '../objects/local.ts'
import { refused } from '../objects/refused.ts'
import { readText, type TextFile } from '../objects/text-file.ts'
import { relativeTo } from '../text/paths.ts'

/** Reads a context file, but not through a link to a file of the project whose name is that of a secret. */
export function readContextText(root: LocalRoot, path: string): TextFile | Refused {
  const file = readText(root, path)
  if (!file.ok) return file
  const leads = relativeTo(root.realPath, file.realPath) ?? ''
  if (leads === relativeTo(root.path, path) || !looksSecret(leads)) return file
  return refused('denied', 'It is a link to a file whose name is that of a secret.')
}
