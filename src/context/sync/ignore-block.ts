const BEGIN = '# Written by "ambit sync":'
const END = '# End of "ambit sync"'

/** A `.gitignore` with the block of these files; without it for no files. One that has no block gets one if `isNew`. */
export function withIgnoreBlock(text: string, names: readonly string[], isNew: boolean): string {
  const [start, end] = [text.indexOf(`${BEGIN}\n`), text.indexOf(`${END}\n`)]
  const hasBlock = start >= 0 && end > start
  if (!hasBlock && !isNew) return text
  const block = names.length === 0 ? '' : [BEGIN, ...names.map((name) => `/${escapePattern(name)}`), END, ''].join('\n')
  if (hasBlock) return text.slice(0, start) + block + text.slice(end + END.length + 1)
  return text === '' || text.endsWith('\n') ? text + block : `${text}\n${block}`
}

/** The files that the block names, which a search that heeds `.gitignore` does not find. */
export function namesInBlock(text: string): readonly string[] {
  const [start, end] = [text.indexOf(`${BEGIN}\n`), text.indexOf(`${END}\n`)]
  const lines = start < 0 || end < start ? [] : text.slice(start + BEGIN.length + 1, end).split('\n')
  return lines.flatMap((line) => (line.startsWith('/') ? [line.slice(1).replace(/\\(.)/g, '$1')] : []))
}

function escapePattern(name: string): string {
  return name.replace(/[\\*?[\] ]/g, String.raw`\$&`)
}
