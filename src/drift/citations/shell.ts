import { lineStarts } from '../../text/lines.ts'

/** A line that is to be typed, joined with those that continue it, and where it starts in its fence. */
export interface CommandLine {
  readonly offset: number
  readonly command: string
}

/** Languages whose fences hold commands, one a line. */
const SCRIPTS = ['sh', 'bash', 'zsh', 'shell']
/** Languages whose fences hold commands after a prompt, and what these print. */
const SESSIONS = ['', 'console', 'shell-session', 'shellsession', 'terminal']

const PROMPT = /^[ \t>]*\$[ \t]+/
const HERE_DOCUMENT = /<<-?[ \t]*["']?(\w+)["']?/

/** Whether a fence of that language may hold commands. */
export function isShell(language: string): boolean {
  return SCRIPTS.includes(language) || SESSIONS.includes(language)
}

/** The commands in a fence. Where one line has a prompt, lines without are output. */
export function commandLines(code: string, language: string): CommandLine[] {
  const prompted = SESSIONS.includes(language) || /^[ \t>]*\$[ \t]/m.test(code)
  if (prompted && !code.includes('$ ')) return []
  const starts = lineStarts(code)
  const lines = starts.map((start, index) => code.slice(start, starts[index + 1] ?? code.length).trimEnd())
  const found: CommandLine[] = []
  for (let at = 0; at < lines.length; ) {
    const first = at
    at = lastContinued(lines, first) + 1
    if (prompted && !PROMPT.test(lines[first] ?? '')) continue
    const typed = lines.slice(first, at).map((line) => line.replace(PROMPT, '').trim().replace(/\\$/, ''))
    const command = typed.join(' ').trim()
    if (command !== '' && !command.startsWith('#')) found.push({ offset: starts[first] ?? 0, command })
    at = afterDocument(lines, at, HERE_DOCUMENT.exec(command)?.[1])
  }
  return found
}

/** The last of the lines that a backslash at the end makes one. */
function lastContinued(lines: readonly string[], first: number): number {
  let last = first
  while (lines[last]?.endsWith('\\') && last + 1 < lines.length) last++
  return last
}

/** The line after a here document; `at` when there is none. */
function afterDocument(lines: readonly string[], at: number, word: string | undefined): number {
  if (word === undefined) return at
  let end = at
  while (end < lines.length && lines[end]?.trim() !== word) end++
  return end + 1
}

/** The simple commands of a line, each as its words; quotes, comments and redirections are gone. */
export function simpleCommands(line: string): string[][] {
  const commands: string[][] = [[]]
  let skipping = false
  for (const [word] of line.slice(0, LONGEST_LINE).matchAll(WORD)) {
    if (/^(?:&&?|\|\|?|[;()])$/.test(word)) {
      commands.push([])
      skipping = false
    } else if (word.startsWith('#')) break
    else if (/^\d?[<>]/.test(word)) skipping = true
    else if (!skipping) commands.at(-1)?.push(word.replace(/^(["'])(.*)\1$/s, '$2'))
  }
  return commands.filter((words) => words.length > 0)
}

const LONGEST_LINE = 2000
const WORD = /"[^"]*"|'[^']*'|&&|\|\||[;|&()]|[^\s"'|&;()]+|["']/g
