import { createHash } from 'node:crypto'

/** SHA-256, hex, over names and contents in the order given. */
export function digestOf(files: readonly { readonly name: string; readonly content: string }[]): string {
  const hash = createHash('sha256')
  for (const { name, content } of files) hash.update(`${name.length} ${name} ${content.length} `).update(content)
  return hash.digest('hex')
}
