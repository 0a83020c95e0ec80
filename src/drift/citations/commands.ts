import { lineStarts } from '../../text/lines.ts'

/** A file or script that a command needs. */
export type CommandNeed =
  | { readonly needs: 'directory'; readonly path: string }
  /** It fetches data that is not in the tree. */
  | { readonly needs: 'network' }
  /** `certain`: it is surely a file that should exist. */
  | { readonly needs: 'file'; readonly path: string; readonly certain: boolean }
  /** `orProgram`: a program of that name is enough; `shown`: the short command. */
  | { readonly needs: 'script'; readonly script: string; readonly orProgram: boolean; readonly shown: string }
  | { readonly needs: 'target'; readonly target: string }

/** Scripts that a package manager runs without `run`. */
const WITHOUT_RUN: Readonly<Record<string, readonly string[]>> = {
  npm: ['test', 'start', 'stop'],
  pnpm: ['test', 'start', 'stop'],
  yarn: ['test', 'start'],
  bun: ['start'],
}
/** Words after `pnpm`, `yarn` or `bun` that count as scripts, as does a word with a colon. */
const COMMON = ['dev', 'lint', 'format', 'typecheck', 'type-check', 'coverage', 'e2e', 'serve', 'preview', 'release']
/** Managers without a `build` command of their own, so that `build` counts, too. */
const BUILD = ['yarn', 'pnpm']

const INTERPRETERS = 'node python python3 bash sh zsh ruby perl php tsx ts-node source'.split(' ')
/** Flags of an interpreter that runs no file, but a module, a text or the standard input. */
const NO_FILE = ['-m', '-c', '-e', '-p', '--eval', '--print', '--test', '-']
/** Commands that bring files which are not in the tree. */
const BRINGS =
  /^(?:curl|wget|tar|unzip|git (?:clone|init|worktree)|npx create-|npm (?:create|init)|(?:pnpm|yarn|bun) create)\b/
const QUIET = ['-s', '--silent']
/** Flags that select another package. */
const OTHER_PACKAGE = /^(?:-w|-ws|-C|--workspaces?|--prefix|--filter|--cwd|--dir|--if-present)(?:=|$)/
const PREFIXES = ['sudo', 'time', 'exec', 'nohup', 'env']

const NAME = /^[A-Za-z0-9][\w:.-]*$/
const PLACEHOLDER = /^(?:[A-Z_]+|foo|bar|baz|name|script|script-name|target|task|something|xxx)$/

/** The needs of the commands of one line, in order. */
export function commandsIn(line: string): CommandNeed[] {
  return simpleCommands(line).flatMap((words) => {
    const start = words.findIndex((word) => !/^\w+=/.test(word) && !PREFIXES.includes(word))
    return start < 0 ? [] : needsOf(words[start] ?? '', words.slice(start + 1))
  })
}

function needsOf(program: string, args: readonly string[]): CommandNeed[] {
  if (program === 'cd' || program === 'pushd') return [{ needs: 'directory', path: args[0] ?? '~' }]
  if (program === 'make') return targetsOf(args)
  if (INTERPRETERS.includes(program)) return interpreterFile(args)
  if (BRINGS.test([program, ...args].join(' '))) return [{ needs: 'network' }]
  if (Object.hasOwn(WITHOUT_RUN, program)) return scriptOf(program, args)
  // `./setup.sh`: a script in the current directory of the shell.
  const certain = /^\.\/[^/]+\.(?:bash|bat|cmd|ps1|sh)$/.test(program)
  return program.includes('/') ? [{ needs: 'file', path: program, certain }] : []
}

function targetsOf(args: readonly string[]): CommandNeed[] {
  if (args.some((arg) => /^(?:-[CfI]|--directory|--file|--makefile)/.test(arg))) return []
  const targets = args.filter((arg) => !arg.startsWith('-') && !arg.includes('=') && !/^\d+$/.test(arg))
  if (!targets.every((target) => isName(target))) return []
  return targets.map((target) => ({ needs: 'target', target }))
}

function scriptOf(manager: string, args: readonly string[]): CommandNeed[] {
  const own = args.slice(0, args.includes('--') ? args.indexOf('--') : args.length)
  if (own.some((arg) => OTHER_PACKAGE.test(arg))) return []
  const [first = '', ...rest] = own.filter((arg) => !QUIET.includes(arg))
  const isRun = first === 'run' || first === 'run-script'
  const script = isRun ? rest[0] : withoutRun(manager, first)
  if (script === undefined || !isName(script) || /\.\w+$/.test(script)) return []
  const orProgram = manager === 'yarn' || manager === 'bun'
  return [{ needs: 'script', script, orProgram, shown: `${manager} ${isRun ? 'run ' : ''}${script}` }]
}

function withoutRun(manager: string, word: string): string | undefined {
  if (WITHOUT_RUN[manager]?.includes(word)) return word
  if (manager === 'npm') return undefined
  const isCommon = COMMON.includes(word) || word.includes(':') || (word === 'build' && BUILD.includes(manager))
  return isCommon ? word : undefined
}

/** The file argument of an interpreter. The path needs a directory, because a bare name is often an example. */
function interpreterFile(args: readonly string[]): CommandNeed[] {
  if (args.some((arg) => NO_FILE.includes(arg))) return []
  const path = args.find((arg) => !arg.startsWith('-') && /\.\w+$/.test(arg.slice(arg.indexOf('/', 1))))
  return path === undefined ? [] : [{ needs: 'file', path, certain: false }]
}

function isName(word: string): boolean {
  return NAME.test(word) && !PLACEHOLDER.test(word)
}

/** A typed command, joined with its continuation lines. `offset`: start of its first line in the fence. */
interface CommandLine {
  readonly offset: number
  readonly command: string
}

/** Languages of fences with one command a line. */
const SCRIPTS = ['sh', 'bash', 'zsh', 'shell']
/** Languages of fences with commands after a prompt, and their output. */
const SESSIONS = ['', 'console', 'shell-session', 'shellsession', 'terminal']

const PROMPT = /^[ \t>]*\$[ \t]+/
const HERE_DOCUMENT = /<<-?[ \t]*["']?(\w+)["']?/

/** Whether a fence of a language may contain commands. */
export function isShell(language: string): boolean {
  return SCRIPTS.includes(language) || SESSIONS.includes(language)
}

/** The commands in a fence. If one line has a prompt, lines without one are output. */
export function commandLines(code: string, language: string): CommandLine[] {
  const prompted = SESSIONS.includes(language) || /^[ \t>]*\$[ \t]/m.test(code)
  if (prompted && !code.includes('$ ')) return []
  const starts = lineStarts(code)
  const lines = starts.map((start, index) => code.slice(start, starts[index + 1] ?? code.length).trimEnd())
  const found: CommandLine[] = []
  for (let at = 0; at < lines.length; at++) {
    const first = at
    // A backslash at the end continues a line.
    while (lines[at]?.endsWith('\\') && at + 1 < lines.length) at++
    if (prompted && !PROMPT.test(lines[first] ?? '')) continue
    const typed = lines.slice(first, at + 1).map((line) => line.replace(PROMPT, '').trim().replace(/\\$/, ''))
    const command = typed.join(' ').trim()
    if (command !== '' && !command.startsWith('#')) found.push({ offset: starts[first] ?? 0, command })
    const ends = HERE_DOCUMENT.exec(command)?.[1]
    if (ends !== undefined) for (at++; at < lines.length && lines[at]?.trim() !== ends; ) at++
  }
  return found
}

/** The words of each simple command of a line, without quotes, comments and redirections. */
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
