import { posix } from 'node:path'
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
import { type Lookup, upwards } from './lookup.ts'

/** A citation of something that does not exist. */
export interface Gone {
  /** From 1. */
  readonly line: number
  readonly kind: 'path' | 'command' | 'anchor'
  /** Only `dead` is a fault of the text. */
  readonly state: State
  /** As it stands in the text. */
  readonly cited: string
  /** One sentence with the values. */
  readonly message: string
  /** Text to write instead. */
  readonly proposal?: string
}

/** The dead citations of one text. */
interface DriftResult {
  readonly gone: readonly Gone[]
  /** Whether the text was read to its end. */
  readonly finished: boolean
}

/** Maximum number of findings in one text. */
const MOST_GONE = 1000

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
   * In the order of the text. `relative`: where the text lies, seen from the root. `isOver` is asked before each thing
   * that the text cites, and ends the look.
   */
  async find(relative: string, text: string, isOver: () => boolean): Promise<DriftResult> {
    const gone: Gone[] = []
    if (isOver()) return { gone, finished: false }
    const own = parentOf(`/${relative}`).slice(1)
    const cites: Citing = { relative, text, own, bases: upwards(own), structure: structureOf(text) }
    const shell = new ShellSession(this.#tree.lookup, cites.bases)
    for (const reference of referencesIn(text)) {
      if (isOver()) return { gone, finished: false }
      if (gone.length >= MOST_GONE) break
      if (reference.fence !== shell.fence) shell.start(reference.fence)
      for (const found of await this.#check(reference, cites, shell)) gone.push(found)
    }
    return { gone, finished: true }
  }

  async #check(reference: Reference, cites: Citing, shell: ShellSession): Promise<Gone[]> {
    const { kind, cited } = reference
    if (kind === 'link') return asList(await this.#link(reference, cites))
    if (kind === 'import') return asList(await this.#import(reference, cites))
    const path = kind === 'span' ? citedPath(cited) : undefined
    if (path) return asList(await this.#path({ ...path, reference, bases: cites.bases, certain: false }, cites))
    return kind === 'command' || cited.includes(' ') ? this.#commands(reference, shell, cites) : []
  }

  /** `from`: the directory that a proposal is seen from. Default: the one that the path is meant to start in. */
  async #path(citation: PathCitation, cites: Citing, from?: string): Promise<Gone | undefined> {
    const { path, bases, form, reference } = citation
    if (this.#paths.found(path, bases) !== undefined) return undefined
    const absence = await this.#paths.absenceOf(citation)
    if (absence === undefined) return undefined
    const slash = form === 'directory' ? '/' : ''
    const said = absence.isForeign ? 'example' : this.#state(reference, cites, { ...absence, path })
    const now = said === 'example' ? undefined : this.#paths.successor(citation, from)
    const state = now === undefined ? said : 'moved'
    const { line, cited } = reference
    const message = `${oneLine(path)}${slash} ${REASONS[state]}`
    if (now === undefined) return { line, kind: 'path', state, cited, message: `${message}.` }
    const proposal = now.path + slash
    const how = now.isRenamed ? 'it was renamed to' : 'there is'
    return { line, kind: 'path', state, cited, message: `${message}; ${how} ${oneLine(proposal)}.`, proposal }
  }

  /** A template is copied into other projects, so what it cites need not exist here. */
  #state(
    reference: Reference,
    { relative, structure, bases }: Citing,
    { wasThere, path = '' }: { readonly wasThere: boolean; readonly path?: string },
  ): State {
    const isHistoryKnown = this.#tree.history !== undefined
    const hasDirectory = path.includes('/') && this.#paths.found(posix.dirname(path), bases) !== undefined
    const own = structure(reference.line)
    const state = citationState({ reference, structure: own, wasThere, isHistoryKnown, hasDirectory })
    const isOfOther = ({ repositories }: LineStructure) =>
      repositories.some((name) => this.#paths.found(name, bases) === undefined)
    if (state === 'dead' && !wasThere && path !== '' && isHistoryKnown && isOfOther(own)) return 'example'
    return state === 'dead' && !wasThere && isTemplate(relative) ? 'example' : state
  }

  /** Names of texts are meant as they stand; any other word after an `@` may be a person, a package, a decorator. */
  async #import(reference: Reference, cites: Citing): Promise<Gone | undefined> {
    const path = citedPath(reference.cited)
    const certain = /\.(?:md|mdc|mdx|txt)$/i.test(reference.cited)
    if (!path || !(certain || path.form === 'file')) return undefined
    return this.#path({ ...path, reference, bases: cites.bases, certain }, cites)
  }

  async #link(reference: Reference, cites: Citing): Promise<Gone | undefined> {
    const target = destinationIn(reference.cited)
    if (!target) return undefined
    const { path, anchor } = target
    const here = { name: cites.relative, text: cites.text }
    if (path === '') return this.#anchor({ anchor, reference }, here, cites)
    const isAbsolute = path.startsWith('/')
    const bases = isAbsolute ? [''] : cites.bases
    const name = this.#page(path.replace(/^\/+/, ''), bases)
    if (name === undefined) return this.#missingPage(path, reference, { ...cites, bases })
    const text = anchor === '' || !MARKDOWN.test(name) ? undefined : this.#tree.lookup.textOf(name)
    return text === undefined ? undefined : this.#anchor({ anchor, reference }, { name, text }, cites)
  }

  /** A page is also found by a name that leaves out its extension, as sites that are made of Markdown do. */
  #page(path: string, bases: readonly string[]): string | undefined {
    const ends = ['', '.md', '.mdx', '/index.md']
    return ends.map((end) => this.#paths.found(path + end, bases)).find((found) => found !== undefined)
  }

  async #missingPage(path: string, reference: Reference, cites: Citing): Promise<Gone | undefined> {
    const { bases, own } = cites
    const form = formOf(path)
    if (form === undefined) return undefined
    const isAbsolute = path.startsWith('/')
    const bare = trimBoth(path, '/')
    return this.#path({ path: bare, form, reference, bases, certain: true }, cites, isAbsolute ? undefined : own)
  }

  #anchor({ anchor, reference }: Anchored, page: { name: string; text: string }, cites: Citing): Gone | undefined {
    if (this.#anchors.has(page.text, anchor)) return undefined
    const state = this.#state(reference, cites, { wasThere: true })
    const message = `${oneLine(page.name)} has no heading #${oneLine(anchor)}.`
    return { line: reference.line, kind: 'anchor', state, cited: reference.cited, message }
  }

  async #commands(reference: Reference, shell: ShellSession, cites: Citing): Promise<Gone[]> {
    const found: Gone[] = []
    for (const command of commandsIn(reference.cited)) {
      if (command.needs === 'directory') shell.enter(command.path)
      else if (command.needs === 'network') shell.leave()
      else if (shell.bases) {
        const gone = await this.#command(command, reference, { ...cites, bases: shell.bases })
        if (gone) found.push(gone)
      }
    }
    if (reference.kind === 'span') shell.start(undefined)
    return found
  }

  async #command(command: Needy, reference: Reference, cites: Citing): Promise<Gone | undefined> {
    if (command.needs === 'file') return this.#executable(command, reference, cites)
    const isScript = command.needs === 'script'
    const { bases } = cites
    const verdict = isScript ? this.#programs.script(command, bases) : this.#programs.target(command.target, bases)
    if (verdict.defined) return undefined
    const state = this.#state(reference, cites, { wasThere: false })
    const cited = isScript ? command.shown : `make ${command.target}`
    return { line: reference.line, kind: 'command', state, cited, message: `${cited} cannot run: ${verdict.by}.` }
  }

  async #executable({ path: cited, certain }: FileCommand, reference: Reference, cites: Citing) {
    const path = citedPath(cited)
    if (path === undefined) return undefined
    const named = { ...reference, cited }
    const gone = await this.#path({ ...path, reference: named, bases: cites.bases, certain }, cites)
    return gone && ({ ...gone, kind: 'command' } as const)
  }
}

/** A text that cites. */
interface Citing {
  readonly relative: string
  readonly text: string
  /** The directory that it lies in, seen from the root; `''` for the root itself. */
  readonly own: string
  /** Directories that a cited path may start from. */
  readonly bases: readonly string[]
  readonly structure: (line: number) => LineStructure
}

/** Why what is cited is not there, as a sentence goes on after its name. */
const REASONS: Readonly<Record<State, string>> = {
  dead: 'does not exist',
  moved: 'does not exist',
  planned: 'does not exist yet',
  example: 'does not exist, and need not',
}

/** A link to a heading. */
interface Anchored {
  readonly anchor: string
  readonly reference: Reference
}

type FileCommand = Extract<CommandNeed, { needs: 'file' }>
type Needy = Exclude<CommandNeed, { needs: 'directory' | 'network' }>

const MARKDOWN = /\.(?:md|mdx|markdown)$/i

/** How much a link's path says of itself; undefined for one that may be a page of a site, or any word. */
function formOf(path: string): PathCitation['form'] | undefined {
  if (path.endsWith('/')) return path.startsWith('/') ? undefined : 'directory'
  const name = path.slice(path.lastIndexOf('/') + 1)
  if (isFileName(name)) return /\.html?$/i.test(name) ? undefined : 'file'
  return path.includes('/') && !path.startsWith('/') ? 'words' : undefined
}

function asList<Item>(item: Item | undefined): Item[] {
  return item === undefined ? [] : [item]
}

/** Working directory of the commands in a text: each fence starts anew, and a `cd` holds to its end. */
class ShellSession {
  /** The fence that commands are in; undefined outside fences. */
  fence: number | undefined
  readonly #lookup: Lookup
  readonly #start: readonly string[]
  #at: readonly string[] | undefined

  /** `start`: the directories that a command may be meant to run in, the likeliest first. */
  constructor(lookup: Lookup, start: readonly string[]) {
    this.#lookup = lookup
    this.#start = start
    this.#at = start
  }

  /** The directories that a command may be meant to run in; undefined when it runs in one that is not known. */
  get bases(): readonly string[] | undefined {
    return this.#at
  }

  start(fence: number | undefined): void {
    this.fence = fence
    this.#at = this.#start
  }

  enter(path: string): void {
    const from = this.#at === this.#start ? this.#start : (this.#at ?? []).slice(0, 1)
    const isKnown = !/^[~/-]|^\.\.|[$<{*]/.test(path) || (this.#at !== this.#start && path === '..')
    const entered = isKnown ? meanings(path, from).find((place) => this.#lookup.isDirectory(place)) : undefined
    this.#at = entered === undefined ? undefined : upwards(entered)
  }

  /** From now on nothing is known: files come that are not in the tree. */
  leave(): void {
    this.#at = undefined
  }
}
