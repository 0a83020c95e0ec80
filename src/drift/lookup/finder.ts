import { oneLine } from '../../text/controls.ts'
import { parentOf } from '../../text/paths.ts'
import { trimBoth } from '../../text/trim.ts'
import { AnchorLookup } from '../citations/anchors.ts'
import { type CommandNeed, commandsIn } from '../citations/commands.ts'
import { type CitedTree, meanings, type PathCitation, Paths } from '../citations/paths.ts'
import { Programs } from '../citations/programs.ts'
import { type Reference, referencesIn } from '../citations/references.ts'
import { citedPath, destinationIn, isFileName, isTemplate } from '../citations/shape.ts'
import { citationState, type LineStructure, type State, structureOf } from '../citations/structure.ts'
import { upwards } from './lookup.ts'

/** A citation of something that does not exist. */
export interface Gone {
  /** From 1. */
  readonly line: number
  readonly kind: 'path' | 'command' | 'anchor'
  /** Only `dead` is a fault of the text. */
  readonly state: State
  /** The citation as written. */
  readonly cited: string
  /** One sentence with the values. */
  readonly message: string
  /** Text to write instead. */
  readonly proposal?: string
  /** The commit that removed the cited path, and the words of the line up to the end of the citation. */
  readonly lost?: { readonly commit: string; readonly words: string }
}

/** The dead citations of one text. */
interface DriftResult {
  readonly gone: readonly Gone[]
  /** Whether the text was read to its end. */
  readonly finished: boolean
}

/** Characters before a citation that identify its statement: an author who changes the statement changes them. */
const MAX_BEFORE = 15

/** Maximum number of findings in one text. */
const MAX_GONE = 1000

/** Finds citations of things that do not exist. */
export class DriftFinder {
  readonly #tree: CitedTree
  readonly #paths: Paths
  readonly #programs: Programs
  readonly #anchors = new AnchorLookup()

  constructor(tree: CitedTree) {
    this.#tree = tree
    this.#paths = new Paths(tree)
    this.#programs = new Programs(tree.lookup)
  }

  /**
   * Finds citations in the order of the text. `relative`: the path of the text from the root. `isOver`, called before each
   * citation, ends the search.
   */
  find(relative: string, text: string, isOver: () => boolean): DriftResult {
    const gone: Gone[] = []
    if (isOver()) return { gone, finished: false }
    const own = parentOf(`/${relative}`).slice(1)
    const cites: Citing = { relative, text, own, bases: upwards(own), structure: structureOf(text) }
    const shell: Shell = { fence: undefined, at: cites.bases }
    for (const reference of referencesIn(text)) {
      if (isOver()) return { gone, finished: false }
      if (gone.length >= MAX_GONE) break
      if (reference.fence !== shell.fence) [shell.fence, shell.at] = [reference.fence, cites.bases]
      for (const found of this.#check(reference, cites, shell)) if (found) gone.push(found)
    }
    return { gone, finished: true }
  }

  #check(reference: Reference, cites: Citing, shell: Shell): readonly (Gone | undefined)[] {
    const { kind, cited } = reference
    if (kind === 'link') return [this.#link(reference, cites)]
    const path = kind === 'command' ? undefined : citedPath(cited)
    if (kind === 'import') {
      // Only names of texts are imports. Another word after an `@` may be a person, a package, a decorator.
      const certain = /\.(?:md|mdc|mdx|txt)$/i.test(cited)
      return path && (certain || path.form === 'file') ? [this.#path({ ...path, reference, certain }, cites)] : []
    }
    if (path) return [this.#path({ ...path, reference, certain: false }, cites)]
    return kind === 'command' || cited.includes(' ') ? this.#commands(reference, shell, cites) : []
  }

  /** `from`: the base of a proposal. Default: the directory that the path starts in. */
  #path(named: Omit<PathCitation, 'bases'>, cites: Citing, from?: string): Gone | undefined {
    const citation = { ...named, bases: cites.bases }
    const { path, bases, form, reference } = citation
    if (this.#paths.found(path, bases) !== undefined) return undefined
    const absence = this.#paths.absenceOf(citation)
    if (absence === undefined) return undefined
    const slash = form === 'directory' ? '/' : ''
    const said = absence.isForeign
      ? 'example'
      : this.#state(reference, cites, { wasThere: absence.loss !== undefined, isPath: true })
    const now = said === 'example' ? undefined : this.#paths.successor(citation, from)
    const state = now === undefined ? said : 'moved'
    const { line, cited } = reference
    const message = `${oneLine(path)}${slash} ${REASONS[state]}`
    if (now === undefined) {
      const words = (reference.before.split('\n').at(-1) ?? '').slice(-MAX_BEFORE) + cited
      const lost = absence.loss === undefined ? {} : { lost: { commit: absence.loss, words } }
      return { line, kind: 'path', state, cited, message: `${message}.`, ...lost }
    }
    const proposal = now.path + slash
    const how = now.isRenamed ? 'it was renamed to' : 'there is'
    return { line, kind: 'path', state, cited, message: `${message}; ${how} ${oneLine(proposal)}.`, proposal }
  }

  /** The citations of a template for other projects need not exist here. */
  #state(
    reference: Reference,
    { relative, structure }: Citing,
    { wasThere, isPath }: { readonly wasThere: boolean; readonly isPath: boolean },
  ): State {
    // A path that git never knew is probably an example or planned. A link to a missing file is broken in any case.
    const isLikely = !isPath || this.#tree.history === undefined || /^(?:link|import)$/.test(reference.kind)
    const state = citationState({ reference, structure: structure(reference.line), wasThere, isLikely })
    return state === 'dead' && !wasThere && isTemplate(relative) ? 'example' : state
  }

  #link(reference: Reference, cites: Citing): Gone | undefined {
    const target = destinationIn(reference.cited)
    if (!target) return undefined
    const { path, anchor } = target
    if (path === '') return this.#anchor(anchor, reference, { name: cites.relative, text: cites.text }, cites)
    const isAbsolute = path.startsWith('/')
    const bases = isAbsolute ? [''] : cites.bases
    // Sites made of Markdown also name a page without its extension.
    const names = ['', '.md', '.mdx', '/index.md'].map((end) => path.replace(/^\/+/, '') + end)
    const name = names.map((one) => this.#paths.found(one, bases)).find((found) => found !== undefined)
    const form = formOf(path)
    if (name === undefined) {
      const missing = form && { path: trimBoth(path, '/'), form, reference, certain: true }
      return missing && this.#path(missing, { ...cites, bases }, isAbsolute ? undefined : cites.own)
    }
    const text = anchor === '' || !MARKDOWN.test(name) ? undefined : this.#tree.lookup.textOf(name)
    return text === undefined ? undefined : this.#anchor(anchor, reference, { name, text }, cites)
  }

  #anchor(anchor: string, reference: Reference, page: { name: string; text: string }, cites: Citing): Gone | undefined {
    if (this.#anchors.has(page.text, anchor)) return undefined
    const state = this.#state(reference, cites, { wasThere: true, isPath: false })
    const message = `${oneLine(page.name)} has no heading #${oneLine(anchor)}.`
    return { line: reference.line, kind: 'anchor', state, cited: reference.cited, message }
  }

  #commands(reference: Reference, shell: Shell, cites: Citing): (Gone | undefined)[] {
    const found = commandsIn(reference.cited).map((command) => {
      if (command.needs === 'directory') shell.at = this.#enter(command.path, shell.at, cites.bases)
      // The command brings files that are not in the tree, so later places are unknown.
      else if (command.needs === 'network') shell.at = undefined
      else if (shell.at) return this.#command(command, reference, { ...cites, bases: shell.at })
      return undefined
    })
    if (reference.kind === 'span') [shell.fence, shell.at] = [undefined, cites.bases]
    return found
  }

  /** The target of a `cd`. Undefined for an unknown one. */
  #enter(path: string, at: Shell['at'], start: readonly string[]): Shell['at'] {
    const from = at === start ? start : (at ?? []).slice(0, 1)
    const isKnown = !/^[~/-]|^\.\.|[$<{*]/.test(path) || (at !== start && path === '..')
    const entered = isKnown && meanings(path, from).find((place) => this.#tree.lookup.isDirectory(place))
    return typeof entered === 'string' ? upwards(entered) : undefined
  }

  #command(command: Needy, reference: Reference, cites: Citing): Gone | undefined {
    if (command.needs === 'file') {
      const path = citedPath(command.path)
      const named = { reference: { ...reference, cited: command.path }, certain: command.certain }
      const gone = path && this.#path({ ...path, ...named }, cites)
      return gone && { ...gone, kind: 'command' }
    }
    const lack =
      command.needs === 'script'
        ? this.#programs.lackOfScript(command, cites.bases)
        : this.#programs.lackOfTarget(command.target, cites.bases)
    if (lack === undefined) return undefined
    const state = this.#state(reference, cites, { wasThere: false, isPath: false })
    const cited = command.needs === 'script' ? command.shown : `make ${command.target}`
    return { line: reference.line, kind: 'command', state, cited, message: `${cited} cannot run: ${lack}.` }
  }
}

/** A text that cites. */
interface Citing {
  readonly relative: string
  readonly text: string
  /** Its directory, relative to the root; `''` for the root itself. */
  readonly own: string
  /** Directories that a cited path may start from. */
  readonly bases: readonly string[]
  readonly structure: (line: number) => LineStructure
}

/** The end of a sentence that begins with the name of the missing thing. */
const REASONS: Readonly<Record<State, string>> = {
  dead: 'does not exist',
  moved: 'does not exist',
  planned: 'does not exist yet',
  example: 'does not exist, and need not',
}

type Needy = Exclude<CommandNeed, { needs: 'directory' | 'network' }>

const MARKDOWN = /\.(?:md|mdx|markdown)$/i

/** How certainly a link's path is a path. Undefined for a possible page of a site, or any word. */
function formOf(path: string): PathCitation['form'] | undefined {
  if (path.endsWith('/')) return path.startsWith('/') ? undefined : 'directory'
  const name = path.slice(path.lastIndexOf('/') + 1)
  if (isFileName(name)) return /\.html?$/i.test(name) ? undefined : 'file'
  return path.includes('/') && !path.startsWith('/') ? 'words' : undefined
}

/** Tracks the working directory of the commands in a text. A `cd` applies up to the end of its fence. */
interface Shell {
  /** The fence of the commands; undefined outside fences. */
  fence: number | undefined
  /** The directories that a command may run in, likeliest first. Undefined for unknown ones. */
  at: readonly string[] | undefined
}
