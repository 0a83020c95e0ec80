import { oneLine } from '../../text/controls.ts'
import { parentOf } from '../../text/paths.ts'
import { trimBoth } from '../../text/trim.ts'
import { AnchorLookup } from '../citations/anchors.ts'
import { type CommandNeed, commandNeeds } from '../citations/commands.ts'
import { type CitedTree, PathChecker, type PathCitation, possiblePlaces } from '../citations/paths.ts'
import { ProgramChecker } from '../citations/programs.ts'
import { type Reference, referencesIn } from '../citations/references.ts'
import { citedPath, destinationIn, isFileName, TEMPLATES } from '../citations/shape.ts'
import { type CitationState, citationState, structureOf } from '../citations/structure.ts'
import { withParents } from './lookup.ts'

/** A citation of a path, command or anchor that does not exist. */
export interface MissingCitation {
  /** The number of the line, from 1. */
  readonly line: number
  readonly kind: 'path' | 'command' | 'anchor'
  /** Only `dead` is a fault of the text. */
  readonly state: CitationState
  /** The citation as written. */
  readonly cited: string
  /** One sentence that names the missing thing and the problem. */
  readonly message: string
  /** The path to write instead. */
  readonly proposal?: string
  /** The commit that removed the cited path, and the words of the line up to the end of the citation. */
  readonly removal?: { readonly commit: string; readonly words: string }
}

/** Number of characters before a citation that identify its statement: a new statement has other characters there. */
const LEADING_CHARACTERS = 15

/** Maximum number of findings in one text. */
const MAX_MISSING = 1000

/** Finds citations of things that do not exist. */
export class DriftFinder {
  readonly #tree: CitedTree
  readonly #paths: PathChecker
  readonly #programs: ProgramChecker
  readonly #anchors = new AnchorLookup()

  constructor(tree: CitedTree) {
    this.#tree = tree
    this.#paths = new PathChecker(tree)
    this.#programs = new ProgramChecker(tree.lookup)
  }

  /**
   * Finds missing citations in the order of the text. `relative`: the path of the text, relative to the root. `isOver` is called
   * before each citation. If it returns true, the search ends, and `isFinished` is false.
   */
  find(relative: string, text: string, isOver: () => boolean) {
    const missing: MissingCitation[] = []
    if (isOver()) return { missing, isFinished: false }
    const citing = citingText(relative, text)
    const shell: ShellState = { fence: undefined, directories: citing.bases }
    for (const reference of referencesIn(text)) {
      if (isOver()) return { missing, isFinished: false }
      if (missing.length >= MAX_MISSING) break
      if (reference.fence !== shell.fence) [shell.fence, shell.directories] = [reference.fence, citing.bases]
      for (const citation of this.#check(reference, citing, shell)) if (citation) missing.push(citation)
    }
    return { missing, isFinished: true }
  }

  #check(reference: Reference, citing: CitingText, shell: ShellState): readonly (MissingCitation | undefined)[] {
    const { kind, cited } = reference
    if (kind === 'link') return [this.#checkLink(reference, citing)]
    const path = kind === 'command' ? undefined : citedPath(cited)
    // Only names of text files are surely imports. Another word after an `@` may be a person, a package or a decorator.
    const isCertain = kind === 'import' && /\.(?:md|mdc|mdx|txt)$/i.test(cited)
    if (kind === 'import' && !isCertain && path?.form !== 'file') return []
    if (path) return [this.#checkPath({ ...path, reference, isCertain }, citing)]
    if (kind === 'import') return []
    return kind === 'command' || cited.includes(' ') ? this.#checkCommands(reference, shell, citing) : []
  }

  /** `from`: the directory that a proposed path is relative to. Default: the directory that the cited path starts in. */
  #checkPath(target: Omit<PathCitation, 'bases'>, citing: CitingText, from?: string): MissingCitation | undefined {
    const citation = { ...target, bases: citing.bases }
    const { path, bases, form, reference } = citation
    if (this.#paths.findExisting(path, bases) !== undefined) return undefined
    const absence = this.#paths.findAbsence(citation)
    if (absence === undefined) return undefined
    const slash = form === 'directory' ? '/' : ''
    const statedState = absence.isForeign
      ? 'example'
      : this.#stateOf(reference, citing, { hasExisted: absence.commit !== undefined, isPath: true })
    const successor = statedState === 'example' ? undefined : this.#paths.successor(citation, from)
    const state = successor === undefined ? statedState : 'moved'
    const { line, cited } = reference
    const message = `${oneLine(path)}${slash} ${REASONS[state]}`
    if (successor === undefined) {
      const words = (reference.before.split('\n').at(-1) ?? '').slice(-LEADING_CHARACTERS) + cited
      const removal = absence.commit === undefined ? {} : { removal: { commit: absence.commit, words } }
      return { line, kind: 'path', state, cited, message: `${message}.`, ...removal }
    }
    const proposal = successor.path + slash
    const verb = successor.isRenamed ? 'it was renamed to' : 'there is'
    return { line, kind: 'path', state, cited, message: `${message}; ${verb} ${oneLine(proposal)}.`, proposal }
  }

  /** The state of a missing citation. In a template for other projects, cited paths need not exist: `example`. */
  #stateOf(
    reference: Reference,
    { relative, structure }: CitingText,
    { hasExisted, isPath }: { readonly hasExisted: boolean; readonly isPath: boolean },
  ): CitationState {
    // A path that git never knew is probably an example or planned. A link to a missing file is broken in any case.
    const isAssumed = !isPath || this.#tree.history === undefined || /^(?:link|import)$/.test(reference.kind)
    const state = citationState({ reference, structure: structure(reference.line), hasExisted, isAssumed })
    return state === 'dead' && !hasExisted && TEMPLATES.test(relative) ? 'example' : state
  }

  #checkLink(reference: Reference, citing: CitingText): MissingCitation | undefined {
    const target = destinationIn(reference.cited)
    if (!target) return undefined
    const { path, anchor } = target
    if (path === '') return this.#checkAnchor(anchor, reference, { name: citing.relative, text: citing.text }, citing)
    const isAbsolute = path.startsWith('/')
    const bases = isAbsolute ? [''] : citing.bases
    // Sites made of Markdown also name a page without its extension.
    const names = ['', '.md', '.mdx', '/index.md'].map((end) => path.replace(/^\/+/, '') + end)
    const name = names.map((one) => this.#paths.findExisting(one, bases)).find((one) => one !== undefined)
    const form = formOf(path)
    if (name === undefined) {
      const missing = form && { path: trimBoth(path, '/'), form, reference, isCertain: true }
      return missing && this.#checkPath(missing, { ...citing, bases }, isAbsolute ? undefined : citing.directory)
    }
    const text = anchor === '' || !MARKDOWN_FILE.test(name) ? undefined : this.#tree.lookup.textOf(name)
    return text === undefined ? undefined : this.#checkAnchor(anchor, reference, { name, text }, citing)
  }

  #checkAnchor(
    anchor: string,
    reference: Reference,
    page: { name: string; text: string },
    citing: CitingText,
  ): MissingCitation | undefined {
    if (this.#anchors.has(page.text, anchor)) return undefined
    const state = this.#stateOf(reference, citing, { hasExisted: true, isPath: false })
    const message = `${oneLine(page.name)} has no heading #${oneLine(anchor)}.`
    return { line: reference.line, kind: 'anchor', state, cited: reference.cited, message }
  }

  #checkCommands(reference: Reference, shell: ShellState, citing: CitingText): (MissingCitation | undefined)[] {
    const problems = commandNeeds(reference.cited).map((command) => {
      if (command.needs === 'directory')
        shell.directories = this.#changeDirectory(command.path, shell.directories, citing.bases)
      // The command downloads files that are not in the tree, so later directories are unknown.
      else if (command.needs === 'network') shell.directories = undefined
      else if (shell.directories) return this.#checkCommand(command, reference, { ...citing, bases: shell.directories })
      return undefined
    })
    if (reference.kind === 'span') [shell.fence, shell.directories] = [undefined, citing.bases]
    return problems
  }

  /** The directories after a `cd`; undefined if unknown. `current`: before the `cd`. `start`: at the start of the fence. */
  #changeDirectory(
    path: string,
    current: ShellState['directories'],
    start: readonly string[],
  ): ShellState['directories'] {
    const from = current === start ? start : (current ?? []).slice(0, 1)
    const isKnown = !/^[~/-]|^\.\.|[$<{*]/.test(path) || (current !== start && path === '..')
    const entered = isKnown && possiblePlaces(path, from).find((place) => this.#tree.lookup.isDirectory(place))
    return typeof entered === 'string' ? withParents(entered) : undefined
  }

  #checkCommand(command: FileCommand, reference: Reference, citing: CitingText): MissingCitation | undefined {
    if (command.needs === 'file') {
      const path = citedPath(command.path)
      const commandPath = { reference: { ...reference, cited: command.path }, isCertain: command.isCertain }
      const missing = path && this.#checkPath({ ...path, ...commandPath }, citing)
      return missing && { ...missing, kind: 'command' }
    }
    const problem =
      command.needs === 'script'
        ? this.#programs.missingScript(command, citing.bases)
        : this.#programs.missingTarget(command.target, citing.bases)
    if (problem === undefined) return undefined
    const state = this.#stateOf(reference, citing, { hasExisted: false, isPath: false })
    const cited = command.needs === 'script' ? command.command : `make ${command.target}`
    return { line: reference.line, kind: 'command', state, cited, message: `${cited} cannot run: ${problem}.` }
  }
}

type CitingText = ReturnType<typeof citingText>

/** A text with citations. `directory`: its directory, from the root; `''` for the root. `bases`: see `PathCitation`. */
function citingText(relative: string, text: string) {
  const directory = parentOf(`/${relative}`).slice(1)
  return { relative, text, directory, bases: withParents(directory), structure: structureOf(text) }
}

/** The end of a sentence that begins with the name of the missing thing. */
const REASONS: Readonly<Record<CitationState, string>> = {
  dead: 'does not exist',
  moved: 'does not exist',
  planned: 'does not exist yet',
  example: 'does not exist, and need not',
}

type FileCommand = Exclude<CommandNeed, { needs: 'directory' | 'network' }>

const MARKDOWN_FILE = /\.(?:md|mdx|markdown)$/i

/** The form of a link's path. Undefined for a path that may be a page of a website, and for a single word. */
function formOf(path: string): PathCitation['form'] | undefined {
  if (path.endsWith('/')) return path.startsWith('/') ? undefined : 'directory'
  const name = path.slice(path.lastIndexOf('/') + 1)
  if (isFileName(name)) return /\.html?$/i.test(name) ? undefined : 'file'
  return path.includes('/') && !path.startsWith('/') ? 'words' : undefined
}

/** Tracks the working directory of the commands in a text. A `cd` applies up to the end of its fence. */
interface ShellState {
  /** The fence of the commands; undefined outside fences. */
  fence: number | undefined
  /** The directories that a command may run in, likeliest first; undefined if they are unknown. */
  directories: readonly string[] | undefined
}
