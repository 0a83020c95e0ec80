/** Which words of a shell's command line may name files, without running any of it. Linear in the length of the line. */

/** Characters of a command line that are looked at: the longest that Linux starts. */
const LONGEST = 128 * 1024

/** What ends a command. `&&`, `||` and `;;` are two of these. */
const OPERATORS = new Set([';', '&', '|', '(', ')', '\n'])

/** The line that a patch names a file in: of `apply_patch`, and of a unified diff. */
const PATCHED =
  /^\*\*\* (?:Add|Update|Delete) File: (.+)$|^\*\*\* Move to: (.+)$|^(?:\+\+\+|---) (?:[ab]\/)?([^\t\n]+)/gm

/**
 * The words of a command line that may name files or directories, each once, in order. A word behind `cd DIR` is seen from DIR.
 * Of a word with a wildcard it is the directory before it; options give what is behind their `=`. Texts of here-documents
 * are no words, but for the files that a patch in them names. Words with variables or substitutions are left out.
 */
export function commandPaths(command: string): readonly string[] {
  const line = command.slice(0, LONGEST)
  const paths = new Set<string>()
  let from = ''
  for (const words of commandsIn(withoutDocuments(line))) {
    const [name, target] = words
    for (const word of words) for (const path of wordPaths(word)) paths.add(seenFrom(from, path))
    if (name === 'cd' && target !== undefined) from = seenFrom(from, target)
  }
  for (const path of patchPaths(line)) paths.add(path)
  return [...paths]
}

/** The files that a patch names, each once: `*** Update File: a.ts`, or `+++ b/a.ts`. */
export function patchPaths(text: string): readonly string[] {
  const named = [...text.matchAll(PATCHED)].map(([, changed, moved, diffed]) => changed ?? moved ?? diffed ?? '')
  return [...new Set(named.map((name) => name.trim()).filter((name) => name !== '' && name !== '/dev/null'))]
}

function seenFrom(directory: string, path: string): string {
  return directory === '' || /^[/~]/.test(path) ? path : `${directory}/${path}`
}

/** What a word may name: itself, what an option is set to, the directory that its wildcard looks in. */
function wordPaths(word: string): readonly string[] {
  const value = /^-/.test(word) ? (/^[^=]*=(.+)$/s.exec(word)?.[1] ?? '') : word
  if (value === '' || /[$`]/.test(value) || /^[a-z][a-z0-9+.-]*:\/\//i.test(value)) return []
  const wildcard = value.search(/[*?[{]/)
  const path = wildcard === -1 ? value : value.slice(0, Math.max(0, value.lastIndexOf('/', wildcard)))
  return path === '' || /[\0\n]/.test(path) ? [] : [path]
}

/** The line without the lines of its here-documents. */
function withoutDocuments(line: string): string {
  if (!line.includes('<<')) return line
  const kept: string[] = []
  let end: string | undefined
  for (const one of line.split('\n')) {
    if (end !== undefined) {
      if (one.trim() === end) end = undefined
      continue
    }
    kept.push(one)
    end = /<<-?\s*(["']?)([A-Za-z_]\w*)\1/.exec(one)?.[2]
  }
  return kept.join('\n')
}

/** The words of each simple command, quotes and escapes taken off. Redirections are words like others. */
function commandsIn(line: string): readonly (readonly string[])[] {
  const commands: string[][] = [[]]
  let word: string | undefined
  let quote = ''
  const endWord = () => {
    if (word !== undefined) commands.at(-1)?.push(word)
    word = undefined
  }
  for (let at = 0; at < line.length; at++) {
    const char = line.charAt(at)
    if (quote !== '') {
      if (char === quote) quote = ''
      else word += char === '\\' && quote === '"' ? line.charAt(++at) : char
    } else if (char === '"' || char === "'") {
      quote = char
      word ??= ''
    } else if (char === '\\') word = (word ?? '') + line.charAt(++at)
    else if (OPERATORS.has(char)) {
      endWord()
      if (commands.at(-1)?.length) commands.push([])
    } else if (/[\s<>]/.test(char)) endWord()
    else word = (word ?? '') + char
  }
  endWord()
  return commands
}
