const BEGIN = '# Written by "ambit sync":'
const END = '# End of "ambit sync"'

/** A `.gitignore` with the block of these files; without it for no files. One that has no block gets one if `isNew`. */
export function withIgnoreBlock(text: string, names: readonly string[], isNew: boolean): string {
  const [start, end] = [text.indexOf(`${BEGIN}\n`), text.indexOf(`${END}\n`)]
  const hasBlock = start >= 0 && end > start
  if (!hasBlock && !isNew) return text
  const block = names.length === 0 ? '' : [BEGIN, ...names.map((name) => `/${escaped(name)}`), END, ''].join('\n')
  if (hasBlock) return text.slice(0, start) + block + text.slice(end + END.length + 1)
  return text === '' || text.endsWith('\n') ? text + block : `${text}\n${block}`
}

function escaped(name: string): string {
  return name.replace(/[\\*?[\] ]/g, String.raw`\$&`)
}
