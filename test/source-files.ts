import { globSync, readFileSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'

/** A source file; `file` is its path from src/. */
export interface SourceFile {
  readonly file: string
  readonly text: string
}

export const ROOT = dirname(import.meta.dirname)

/** The TypeScript files under a folder of the repository, by path. */
export function readSources(folder: string): SourceFile[] {
  const cwd = join(ROOT, folder)
  const files = globSync('**/*.{ts,tsx}', { cwd }).map((file) => file.replaceAll('\\', '/'))
  return files.sort().map((file) => ({ file, text: readFileSync(join(cwd, file), 'utf8') }))
}

const STRING_OR_COMMENT =
  /("(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`)|(?<![\\/])\/\/.*|(?<!\\)\/\*[\s\S]*?\*\//g

interface BareCode {
  readonly code: string
  readonly strings: readonly string[]
  readonly comments: readonly string[]
}

/** The code without its comments, and with each string replaced by its index in `strings`: `'a'` → `"0"`. */
export function bareCode(text: string): BareCode {
  const strings: string[] = []
  const comments: string[] = []
  const code = text.replace(STRING_OR_COMMENT, (all, string?: string) => {
    if (string !== undefined) return `"${strings.push(string) - 1}"`
    comments.push(all)
    return ''
  })
  return { code, strings, comments }
}

const IMPORTS = [
  /\b(?:import|export)\b[^";]*?\bfrom\s*("\d+")/g,
  /\bimport\s*("\d+")/g,
  /(?<![.#\w])import\s*\(\s*([^)]*?)\s*[,)]/g,
]

/**
 * What a file imports, in every form: values, types, `export from`, `import()`. A relative one is a path from src/;
 * one that is not a literal stands in parentheses.
 */
export function importsOf({ file, text }: SourceFile): string[] {
  const { code, strings } = bareCode(text)
  const found = IMPORTS.flatMap((form) => [...code.matchAll(form)].map((match) => match[1] ?? ''))
  return found.map((argument) => {
    const literal = strings[Number(/^"(\d+)"$/.exec(argument)?.[1])]
    const specifier =
      literal === undefined || literal.includes('${') ? `(${literal ?? argument})` : literal.slice(1, -1)
    return specifier.startsWith('.') ? posix.join(posix.dirname(file), specifier) : specifier
  })
}
