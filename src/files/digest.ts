/** SHA-256, hex, over names and contents in the order given. */
export function digestOf(files: readonly { readonly name: string; readonly content: string }[]): string {
  // Loaded here: it takes 5 ms, and most commands need no digest.
  const { createHash } = process.getBuiltinModule('node:crypto')
  const hash = createHash('sha256')
  for (const { name, content } of files) hash.update(`${name.length} ${name} ${content.length} `).update(content)
  return hash.digest('hex')
}
