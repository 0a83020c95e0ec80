import { lineStarts } from '../../text/lines.ts'

/** What a command needs: a directory, the network, a file, a script of package.json, or a target of a Makefile. */
export type CommandNeed =
  | { readonly needs: 'directory'; readonly path: string }
  /** The command fetches or creates files that are not in the tree. */
  | { readonly needs: 'network' }
  /** `isCertain`: whether the command surely runs this file. If not, the path may be an example. */
  | { readonly needs: 'file'; readonly path: string; readonly isCertain: boolean }
  /** `canBeProgram`: an installed program of that name satisfies the need, too. `command`: a short form for messages. */
  | { readonly needs: 'script'; readonly script: string; readonly canBeProgram: boolean; readonly command: string }
  | { readonly needs: 'target'; readonly target: string }

/** Words that are scripts after `pnpm`, `yarn` or `bun`, as is any word with a colon after these programs. */
const COMMON_SCRIPTS = 'dev lint format typecheck type-check coverage e2e serve preview release'
/** Scripts that a package manager runs without `run`. */
const DIRECT_SCRIPTS: Readonly<Record<string, string>> = {
  npm: 'test start stop',
  pnpm: `test start stop build ${COMMON_SCRIPTS}`,
  yarn: `test start build ${COMMON_SCRIPTS}`,
  bun: `start ${COMMON_SCRIPTS}`,
}

const INTERPRETERS = 'node python python3 bash sh zsh ruby perl php tsx ts-node source'.split(' ')
/** With these flags, an interpreter does not run a file, but a module, a text, or the standard input. */
const FLAGS_WITHOUT_FILE = ['-m', '-c', '-e', '-p', '--eval', '--print', '--test', '-']
/** Commands that fetch or create files that are not in the tree. */
const FETCH_COMMANDS =
  /^(?:curl|wget|tar|unzip|git (?:clone|init|worktree)|npx create-|npm (?:create|init)|(?:pnpm|yarn|bun) create)\b/
const QUIET_FLAGS = ['-s', '--silent']
/** Flags that select a package in another directory, or make a missing script harmless. */
const OTHER_PACKAGE_FLAGS = /^(?:-w|-ws|-C|--workspaces?|--prefix|--filter|--cwd|--dir|--if-present)(?:=|$)/
const COMMAND_PREFIXES = ['sudo', 'time', 'exec', 'nohup', 'env']

const NAME = /^[A-Za-z0-9][\w:.-]*$/
const PLACEHOLDER = /^(?:[A-Z_]+|foo|bar|baz|name|script|script-name|target|task|something|xxx)$/

/** The needs of the commands of one line, in order. */
export function commandNeeds(line: string): CommandNeed[] {
  return simpleCommands(line).flatMap((words) => {
    const start = words.findIndex((word) => !/^\w+=/.test(word) && !COMMAND_PREFIXES.includes(word))
    return start < 0 ? [] : needsOf(words[start] ?? '', words.slice(start + 1))
  })
}

function needsOf(program: string, args: readonly string[]): CommandNeed[] {
  if (program === 'cd' || program === 'pushd') return [{ needs: 'directory', path: args[0] ?? '~' }]
  if (program === 'make') return targetsOf(args)
  if (INTERPRETERS.includes(program)) return interpreterFile(args)
  if (FETCH_COMMANDS.test([program, ...args].join(' '))) return [{ needs: 'network' }]
  if (Object.hasOwn(DIRECT_SCRIPTS, program)) return scriptOf(program, args)
  // `./setup.sh`: a script in the current directory of the shell.
  const isCertain = /^\.\/[^/]+\.(?:bash|bat|cmd|ps1|sh)$/.test(program)
  return program.includes('/') ? [{ needs: 'file', path: program, isCertain }] : []
}

function targetsOf(args: readonly string[]): CommandNeed[] {
  if (args.some((arg) => /^(?:-[CfI]|--directory|--file|--makefile)/.test(arg))) return []
  const targets = args.filter((arg) => !arg.startsWith('-') && !arg.includes('=') && !/^\d+$/.test(arg))
  if (!targets.every((target) => isName(target))) return []
  return targets.map((target) => ({ needs: 'target', target }))
}

function scriptOf(manager: string, args: readonly string[]): CommandNeed[] {
  const managerArgs = args.slice(0, args.includes('--') ? args.indexOf('--') : args.length)
  if (managerArgs.some((arg) => OTHER_PACKAGE_FLAGS.test(arg))) return []
  const [first = '', ...others] = managerArgs.filter((arg) => !QUIET_FLAGS.includes(arg))
  const isRun = first === 'run' || first === 'run-script'
  const isScript = DIRECT_SCRIPTS[manager]?.split(' ').includes(first) || (manager !== 'npm' && first.includes(':'))
  const script = isRun ? others[0] : first
  if (script === undefined || !(isRun || isScript) || !isName(script) || /\.\w+$/.test(script)) return []
  const canBeProgram = manager === 'yarn' || manager === 'bun'
  return [{ needs: 'script', script, canBeProgram, command: `${manager} ${isRun ? 'run ' : ''}${script}` }]
}

/** The file argument of an interpreter. Only a path with a slash counts, because a bare name is often an example. */
function interpreterFile(args: readonly string[]): CommandNeed[] {
  if (args.some((arg) => FLAGS_WITHOUT_FILE.includes(arg))) return []
  const path = args.find((arg) => !arg.startsWith('-') && /\.\w+$/.test(arg.slice(arg.indexOf('/', 1))))
  return path === undefined ? [] : [{ needs: 'file', path, isCertain: false }]
}

function isName(word: string): boolean {
  return NAME.test(word) && !PLACEHOLDER.test(word)
}

/** Languages of code fences in which each line is a command. */
const SCRIPT_LANGUAGES = ['sh', 'bash', 'zsh', 'shell']
/** Languages of code fences with commands after a prompt (`$ `), and the output of the commands. */
const SESSION_LANGUAGES = ['', 'console', 'shell-session', 'shellsession', 'terminal']

const PROMPT = /^[ \t>]*\$[ \t]+/
const HERE_DOCUMENT = /<<-?[ \t]*["']?(\w+)["']?/

/** Whether a fence of a language may contain commands. */
export function isShellLanguage(language: string): boolean {
  return SCRIPT_LANGUAGES.includes(language) || SESSION_LANGUAGES.includes(language)
}

/**
 * The commands in a code fence, each joined with its continuation lines. `offset`: the position of the command's first
 * line in `code`. If any line has a prompt, lines without a prompt are output.
 */
export function commandLines(code: string, language: string) {
  const hasPrompts = SESSION_LANGUAGES.includes(language) || /^[ \t>]*\$[ \t]/m.test(code)
  if (hasPrompts && !code.includes('$ ')) return []
  const starts = lineStarts(code)
  const lines = starts.map((start, index) => code.slice(start, starts[index + 1] ?? code.length).trimEnd())
  const commands: { offset: number; command: string }[] = []
  for (let at = 0; at < lines.length; at++) {
    const first = at
    // A backslash at the end continues a line.
    while (lines[at]?.endsWith('\\') && at + 1 < lines.length) at++
    if (hasPrompts && !PROMPT.test(lines[first] ?? '')) continue
    const parts = lines.slice(first, at + 1).map((line) => line.replace(PROMPT, '').trim().replace(/\\$/, ''))
    const command = parts.join(' ').trim()
    if (command !== '' && !command.startsWith('#')) commands.push({ offset: starts[first] ?? 0, command })
    const endMarker = HERE_DOCUMENT.exec(command)?.[1]
    if (endMarker !== undefined) for (at++; at < lines.length && lines[at]?.trim() !== endMarker; ) at++
  }
  return commands
}

/** The words of each command of a line (divided at `&&`, `|`, `;` …), without quotes, comments and redirections. */
export function simpleCommands(line: string): string[][] {
  const commands: string[][] = [[]]
  let isSkipping = false
  for (const [word] of line.slice(0, MAX_LINE_LENGTH).matchAll(SHELL_WORD)) {
    if (/^(?:&&?|\|\|?|[;()])$/.test(word)) {
      commands.push([])
      isSkipping = false
    } else if (word.startsWith('#')) break
    else if (/^\d?[<>]/.test(word)) isSkipping = true
    else if (!isSkipping) commands.at(-1)?.push(word.replace(/^(["'])(.*)\1$/s, '$2'))
  }
  return commands.filter((words) => words.length > 0)
}

const MAX_LINE_LENGTH = 2000
const SHELL_WORD = /"[^"]*"|'[^']*'|&&|\|\||[;|&()]|[^\s"'|&;()]+|["']/g
