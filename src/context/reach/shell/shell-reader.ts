/** Finds the files and directories that a command line names, without running it. */

import { basename, dirname, join, resolve } from 'node:path'
import type { Command, For, ParsedScript, Redirection, SyntaxNode, Word } from 'unbash'
import { isDirectory, statOf } from '../../../files/file-version.ts'
import { patchPaths } from '../../../text/patch-paths.ts'
import { expandWord, literalValue, pathsMatching, type ShellValue, UNKNOWN, type WordScope } from './shell-words.ts'

/** Surroundings of a command line. Paths are absolute. */
export interface ShellSurroundings extends Pick<WordScope, 'home' | 'variable'> {
  readonly cwd: string
  /** Patterns match only paths in this tree. */
  readonly root: string
}

type Parser = typeof import('unbash')

/** Maximum characters of all command lines of a call. Linux limits one argument of a command to the same length. */
const MAX_COMMAND_LENGTH = 128 * 1024

/** Maximum characters to parse: command lines, and scripts in them, such as after `eval`. */
const MAX_PARSED_LENGTH = 2 * MAX_COMMAND_LENGTH

/** Maximum visited nodes and words of syntax trees. A node in a loop counts once for each iteration. */
const MAX_STEPS = 20_000

/** Maximum visited depth of a syntax tree. A deeper visit would overflow the stack. */
const MAX_DEPTH = 100

/** Maximum directories to list for patterns. */
const MAX_LISTED_DIRECTORIES = 256

/** A command line that `$(` or `$((` divides into this many pieces is not parsed: nested substitutions are slow. */
const MAX_SUBSTITUTIONS = 256

const SHELLS = new Set(['bash', 'sh', 'zsh', 'dash', 'ksh'])

/**
 * Reads the command lines of a tool call.
 *
 * @returns `paths`: the existing paths, and the new paths in existing directories, that the lines name; absolute, each
 * once. For each command, paths of redirects come before paths of arguments. Paths of a patch come last, whether they
 * exist or not. `programs`: the names of the programs; `''` for a line of assignments. `count`: the number of paths,
 * with matches of patterns beyond the limit; infinite if not all were looked up.
 */
export async function readCommandLines(lines: readonly string[], surroundings: ShellSurroundings) {
  const reader = new ShellReader(surroundings, await import('unbash'))
  let remaining = MAX_COMMAND_LENGTH
  for (const line of lines) {
    if (remaining <= 0) break
    const text = line.slice(0, remaining)
    remaining -= text.length + 1
    const isPatch = text.startsWith('*** Begin Patch')
    if (!isPatch && text.split('$(', MAX_SUBSTITUTIONS).length < MAX_SUBSTITUTIONS) reader.read(text)
    for (const path of patchPaths(text)) reader.paths.add(resolve(surroundings.cwd, path))
  }
  return { paths: [...reader.paths], programs: reader.programs, count: reader.count }
}

/** State of a shell at one point of a script. */
interface ShellState {
  /** Undefined after a `cd` to an unknown place. */
  cwd: string | undefined
  /** Values by name; undefined for a variable that was set to an unknown value. */
  readonly variables: Map<string, string | undefined>
}

class ShellReader {
  readonly paths = new Set<string>()
  readonly programs = new Set<string>()
  readonly #surroundings: ShellSurroundings
  readonly #parser: Parser
  readonly #patternPlace: Parameters<typeof pathsMatching>[1] & { cwd: string }
  #hasCutWord = false
  #steps = 0
  #depth = 0
  #parsedLength = 0

  constructor(surroundings: ShellSurroundings, parser: Parser) {
    this.#surroundings = surroundings
    this.#parser = parser
    const { root, cwd } = surroundings
    this.#patternPlace = { root, cwd, others: new Set(), listings: MAX_LISTED_DIRECTORIES }
  }

  get count(): number {
    const isCut = this.#hasCutWord || this.#steps > MAX_STEPS || this.#patternPlace.listings < 0
    return isCut ? Number.POSITIVE_INFINITY : this.paths.union(this.#patternPlace.others).size
  }

  read(source: string): void {
    this.#visit(this.#parse(source), { cwd: this.#surroundings.cwd, variables: new Map() })
  }

  /** Parses a source; returns an empty script beyond the limit. */
  #parse(source: string): ParsedScript {
    this.#parsedLength += source.length
    return this.#parser.parse(this.#parsedLength > MAX_PARSED_LENGTH ? '' : source)
  }

  #visit(node: SyntaxNode | ParsedScript, state: ShellState): void {
    if (++this.#steps > MAX_STEPS || this.#depth === MAX_DEPTH) return
    this.#depth++
    this.#visitNode(node, state)
    this.#depth--
  }

  #visitNode(node: SyntaxNode | ParsedScript, state: ShellState): void {
    if (node.type === 'Command') this.#visitCommand(node, state)
    else if (node.type === 'For') this.#visitLoop(node, state)
    else if (node.type === 'Word') for (const value of this.#expand(node, state)) this.#addPathsOf(value, state)
    else if (node.type === 'CaseItem') {
      // The patterns of a `case` match texts, not files. The shell runs the commands in them.
      for (const word of node.pattern) this.#expand(word, state)
      this.#visit(node.body, state)
    } else if (node.type === 'Subshell') this.#visitChildren(node, copyOf(state))
    else if (node.type === 'Pipeline') for (const command of node.commands) this.#visit(command, copyOf(state))
    else if (node.type === 'Redirect') this.#visitRedirect(node, state)
    else if (node.type === 'CommandExpansion') this.#substitutionOutput(node.script, state)
    else this.#visitChildren(node, state)
  }

  #visitChildren(node: SyntaxNode | ParsedScript, state: ShellState): void {
    this.#parser.forEachChild(node, (child) => this.#visit(child, state))
  }

  /** Visits the body once for each word of the list, and once for each match of a pattern. */
  #visitLoop({ name, wordlist = [], body }: For, state: ShellState): void {
    const values = wordlist.flatMap((word) => this.#expand(word, state)).flatMap((value) => this.#matches(value, state))
    for (const value of values.length > 0 ? values : [UNKNOWN]) {
      state.variables.set(name.value, value.isPartial ? undefined : value.text)
      this.#visit(body, state)
    }
  }

  #visitCommand(command: Command, state: ShellState): void {
    for (const redirect of command.redirects) this.#visitRedirect(redirect, state)
    const words = command.name ? [command.name, ...command.args.filter((arg) => arg.type === 'Word')] : []
    const args = words.flatMap((word) => this.#expand(word, state))
    const program = basename(args[0]?.text ?? '')
    this.programs.add(program)
    const scriptState = command.name ? copyOf(state) : state
    this.#assign(command.prefix, scriptState)
    this.#assign(command.suffix, state)
    for (const value of args.slice(args[0]?.text.includes('/') ? 0 : 1)) this.#addPathsOf(value, state)
    if (/^(cd|pushd)$/.test(program)) state.cwd = this.#directoryAfter(args, state)
    const knownWords = args.slice(1).flatMap(({ text, isPartial }) => (isPartial ? [] : [text]))
    if (program === 'eval') this.#visit(this.#parse(knownWords.join(' ')), state)
    const script = scriptIn(args)
    if (script !== undefined) this.#visit(this.#parse(script), scriptState)
    else if (SHELLS.has(program)) this.#visitStandardInput(command.redirects, scriptState)
  }

  #assign(parts: Command['prefix'] | Command['suffix'], state: ShellState): void {
    for (const part of parts) {
      if (part.type !== 'Assignment') continue
      const [value] = part.value.type === 'Word' ? this.#expand(part.value, state) : []
      const isKnown = value && !value.isPartial && !part.append && !part.index
      state.variables.set(part.name, isKnown ? value.text : undefined)
    }
  }

  /** The directory to which `cd` changes; undefined if it is unknown. */
  #directoryAfter(args: readonly ShellValue[], state: ShellState): string | undefined {
    const target = args.slice(1).find(({ text }) => !/^-./.test(text))
    if (!target) return this.#surroundings.home
    if (target.isPartial || target.text === '-') return undefined
    const [match] = this.#matches(target, state)
    return match && absoluteIn(state, match.text)
  }

  /** A here-document that a shell reads is a script. */
  #visitStandardInput(redirects: readonly Redirection[], state: ShellState): void {
    for (const one of redirects) if (one.type === 'HereDoc') this.#visit(this.#parse(one.body.text), state)
  }

  #visitRedirect(redirect: Redirection, state: ShellState): void {
    if (redirect.type === 'HereDoc') this.#visitChildren(redirect.body, state)
    if (redirect.type !== 'Redirect' || !redirect.target) return
    for (const value of this.#expand(redirect.target, state)) {
      const path = value.isPartial ? undefined : absoluteIn(state, value.text)
      if (path !== undefined && isDirectory(dirname(path))) this.paths.add(path)
    }
  }

  #expand(word: Word, state: ShellState): readonly ShellValue[] {
    const { home, variable } = this.#surroundings
    if (this.#steps > MAX_STEPS) return [UNKNOWN]
    const scope: WordScope = {
      home,
      isCut: false,
      parse: (source) => this.#parse(source),
      output: (script) => this.#substitutionOutput(script, state),
      variable: (name) => {
        if (name === 'PWD') return state.cwd
        if (state.variables.has(name)) return state.variables.get(name)
        return name === 'HOME' ? home : variable(name)
      },
    }
    const values = expandWord(word, scope)
    this.#hasCutWord ||= scope.isCut
    this.#steps += values.length - 1
    return values
  }

  /** The output of a substitution that prints a directory; undefined for other substitutions. Visits the script, because it may touch files. */
  #substitutionOutput(script: ParsedScript | undefined, state: ShellState): string | undefined {
    if (!script) return undefined
    this.#visit(script, copyOf(state))
    const { command } = script.commands.length === 1 ? (script.commands[0] ?? {}) : {}
    if (command?.type !== 'Command') return undefined
    const words = [command.name, ...command.args].map((word) => (word?.type === 'Word' ? word.value : '')).join(' ')
    if (words === 'pwd') return state.cwd
    return words === 'git rev-parse --show-toplevel' ? this.#surroundings.root : undefined
  }

  #addPathsOf(value: ShellValue, state: ShellState): void {
    for (const { text } of this.#matches(value, state)) for (const path of pathsIn(text)) this.#addPath(path, state)
  }

  /** The matches of a pattern, or the value itself. For a pattern without a match, and for a partly unknown value, the directory of the known part. */
  #matches(value: ShellValue, state: ShellState): readonly ShellValue[] {
    if (value.isPartial) return directoryOf(value.text)
    if (!value.isGlob) return [value]
    const pattern = /^-/.test(value.text) ? value.pattern.replace(/^[^=]*=/, '') : value.pattern
    if (state.cwd !== undefined) this.#patternPlace.cwd = state.cwd
    const matches = state.cwd === undefined ? [] : pathsMatching(pattern, this.#patternPlace)
    return matches.length > 0 ? matches.map(literalValue) : directoryOf(value.text.split(/[*?[]/, 1)[0] ?? '')
  }

  #addPath(text: string, state: ShellState): void {
    const path = absoluteIn(state, text)
    if (++this.#steps > MAX_STEPS || path === undefined || path.length > 4096) return
    if (statOf(path) || (text.includes('/') && !text.includes(':') && isDirectory(dirname(path)))) this.paths.add(path)
  }
}

function copyOf({ cwd, variables }: ShellState): ShellState {
  return { cwd, variables: new Map(variables) }
}

/** The script after `-c` of a shell at any position: `timeout 5 bash -lc '…'`. */
function scriptIn(args: readonly ShellValue[]): string | undefined {
  const shell = args.findIndex(({ text }) => SHELLS.has(basename(text)))
  const option = args.findIndex(({ text }, at) => shell >= 0 && at > shell && /^-[a-z]*c$/.test(text))
  const script = option > 0 ? args[option + 1] : undefined
  return script && !script.isPartial ? script.text : undefined
}

function directoryOf(text: string): readonly ShellValue[] {
  const end = text.lastIndexOf('/')
  return end < 0 ? [] : [literalValue(text.slice(0, end + 1))]
}

/** Possible paths in a word: the word itself, the value of an option (`--in=file`), and the parts around a colon (`file:12`, `HEAD:file`). */
function pathsIn(word: string): readonly string[] {
  if (word === '' || /[\0\n]/.test(word) || /^[a-z][a-z0-9+.-]*:\/\//i.test(word)) return []
  const assigned = /^-{0,2}[\w-]+=(.+)$/s.exec(word)?.[1]
  const [before = '', after = ''] = word.includes(':') ? word.split(':', 2) : []
  return [word.startsWith('-') ? '' : word, assigned ?? '', before, after].filter((name) => name !== '')
}

function absoluteIn({ cwd }: ShellState, path: string): string | undefined {
  if (path.startsWith('/')) return resolve(path)
  return cwd === undefined ? undefined : join(cwd, path)
}
