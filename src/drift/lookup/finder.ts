import { oneLine } from '../../text/controls.ts'
import { parentOf } from '../../text/paths.ts'
import { Anchors } from '../citations/anchors.ts'
import { type Command, commandsIn } from '../citations/commands.ts'
import { isExampleGiven, isExcused } from '../citations/cues.ts'
import { type Citation, Paths, type Tree } from '../citations/paths.ts'
import { Programs } from '../citations/programs.ts'
import { type Reference, referencesIn } from '../citations/references.ts'
import { destinationIn, isFileName, pathIn } from '../citations/shape.ts'
import { upwards } from './lookup.ts'
import { Session } from './session.ts'

/** What is gone, where it is cited. */
export interface Gone {
  /** From 1. */
  readonly line: number
  readonly kind: 'path' | 'command' | 'anchor'
  /** As it stands in the text. */
  readonly cited: string
  /** One sentence with the values. */
  readonly message: string
  /** What to write instead. */
  readonly proposal?: string
}

/** What is gone of what one text cites. */
interface Found {
  readonly gone: readonly Gone[]
  /** Whether the text was looked through to its end. */
  readonly finished: boolean
}

/** What is found in one text: when there is as much, nothing more is looked for. */
const MOST_GONE = 1000

/** Finds what is gone of what a text cites. `relative`: where the text lies, seen from the root. */
export class Finder {
  readonly #tree: Tree
  readonly #paths: Paths
  readonly #programs: Programs
  readonly #anchors = new Anchors()

  constructor(tree: Tree) {
    this.#tree = tree
    this.#paths = new Paths(tree)
    this.#programs = new Programs(tree.lookup)
  }

  /** In the order of the text. `isOver` is asked before each thing that the text cites, and ends the look. */
  async find(relative: string, text: string, isOver: () => boolean): Promise<Found> {
    const gone: Gone[] = []
    if (isOver()) return { gone, finished: false }
    const own = parentOf(`/${relative}`).slice(1)
    const cites: Citing = { relative, text, own, bases: upwards(own) }
    const shell = new Session(this.#tree.lookup, cites.bases)
    for (const reference of referencesIn(text)) {
      if (isOver()) return { gone, finished: false }
      if (gone.length >= MOST_GONE) break
      if (reference.fence !== shell.fence) shell.start(reference.fence)
      for (const found of await this.#check(reference, cites, shell)) gone.push(found)
    }
    return { gone, finished: true }
  }

  async #check(reference: Reference, cites: Citing, shell: Session): Promise<Gone[]> {
    const { kind, cited } = reference
    if (kind === 'link') return one(await this.#link(reference, cites))
    if (kind === 'import') return one(await this.#import(reference, cites))
    const path = kind === 'span' ? pathIn(cited) : undefined
    if (path) return one(await this.#path({ ...path, reference, bases: cites.bases, certain: false }))
    return kind === 'command' || cited.includes(' ') ? this.#commands(reference, shell) : []
  }

  /** `from`: the directory that a proposal is seen from. Default: the one that the path is meant to start in. */
  async #path(citation: Citation, from?: string): Promise<Gone | undefined> {
    const { path, bases, form, reference } = citation
    if (this.#paths.found(path, bases) !== undefined || !(await this.#paths.isGone(citation))) return undefined
    const slash = form === 'directory' ? '/' : ''
    const now = this.#paths.proposal(path, bases, from)
    const { line, cited } = reference
    const message = `${oneLine(path)}${slash} does not exist`
    if (now === undefined) return { line, kind: 'path', cited, message: `${message}.` }
    const proposal = now + slash
    return { line, kind: 'path', cited, message: `${message}; it was renamed to ${oneLine(proposal)}.`, proposal }
  }

  /** Names of texts are meant as they stand; any other word after an `@` may be a person, a package, a decorator. */
  async #import(reference: Reference, { bases }: Citing): Promise<Gone | undefined> {
    const path = pathIn(reference.cited)
    const certain = /\.(?:md|mdc|mdx|txt)$/i.test(reference.cited)
    return path && (certain || path.form === 'file') ? this.#path({ ...path, reference, bases, certain }) : undefined
  }

  async #link(reference: Reference, cites: Citing): Promise<Gone | undefined> {
    const target = destinationIn(reference.cited)
    if (!target) return undefined
    const { path, anchor } = target
    if (path === '') return this.#anchor(anchor, reference, { name: cites.relative, text: cites.text })
    const isAbsolute = path.startsWith('/')
    const bases = isAbsolute ? [''] : cites.bases
    const name = this.#page(path.replace(/^\/+/, ''), bases)
    if (name === undefined) return this.#missingPage(path, reference, { ...cites, bases })
    const text = anchor === '' || !MARKDOWN.test(name) ? undefined : this.#tree.lookup.textOf(name)
    return text === undefined ? undefined : this.#anchor(anchor, reference, { name, text })
  }

  /** A page is also found by a name that leaves out its extension, as sites that are made of Markdown do. */
  #page(path: string, bases: readonly string[]): string | undefined {
    const ends = ['', '.md', '.mdx', '/index.md']
    return ends.map((end) => this.#paths.found(path + end, bases)).find((found) => found !== undefined)
  }

  async #missingPage(path: string, reference: Reference, { bases, own }: Citing): Promise<Gone | undefined> {
    const form = formOf(path)
    if (form === undefined) return undefined
    const isAbsolute = path.startsWith('/')
    const bare = path.replace(/^\/+|\/+$/g, '')
    return this.#path({ path: bare, form, reference, bases, certain: true }, isAbsolute ? undefined : own)
  }

  #anchor(anchor: string, reference: Reference, page: { name: string; text: string }): Gone | undefined {
    if (this.#anchors.has(page.text, anchor) || isExcused(reference)) return undefined
    const message = `${oneLine(page.name)} has no heading #${oneLine(anchor)}.`
    return { line: reference.line, kind: 'anchor', cited: reference.cited, message }
  }

  async #commands(reference: Reference, shell: Session): Promise<Gone[]> {
    const found: Gone[] = []
    for (const command of commandsIn(reference.cited)) {
      if (command.needs === 'directory') shell.enter(command.path)
      else if (command.needs === 'network') shell.leave()
      else if (shell.bases) {
        const gone = await this.#command(command, reference, shell.bases)
        if (gone) found.push(gone)
      }
    }
    if (reference.kind === 'span') shell.start(undefined)
    return found
  }

  async #command(command: Needy, reference: Reference, bases: readonly string[]): Promise<Gone | undefined> {
    if (command.needs === 'file') return this.#executable(command, reference, bases)
    const isScript = command.needs === 'script'
    const verdict = isScript ? this.#programs.script(command, bases) : this.#programs.target(command.target, bases)
    if (verdict.defined || isExcused(reference) || isExampleGiven(reference)) return undefined
    const cited = isScript ? command.shown : `make ${command.target}`
    return { line: reference.line, kind: 'command', cited, message: `${cited} cannot run: ${verdict.by}.` }
  }

  async #executable({ path: cited, certain }: FileCommand, reference: Reference, bases: readonly string[]) {
    const path = pathIn(cited)
    const gone = path && (await this.#path({ ...path, reference: { ...reference, cited }, bases, certain }))
    return gone && ({ ...gone, kind: 'command' } as const)
  }
}

/** A text that cites. */
interface Citing {
  readonly relative: string
  readonly text: string
  /** The directory that it lies in, seen from the root; `''` for the root itself. */
  readonly own: string
  /** Where a path that it cites may be meant to start. */
  readonly bases: readonly string[]
}

type FileCommand = Extract<Command, { needs: 'file' }>
type Needy = Exclude<Command, { needs: 'directory' | 'network' }>

const MARKDOWN = /\.(?:md|mdx|markdown)$/i

/** How much a link's path says of itself; undefined for one that may be a page of a site, or any word. */
function formOf(path: string): Citation['form'] | undefined {
  if (path.endsWith('/')) return path.startsWith('/') ? undefined : 'directory'
  const name = path.slice(path.lastIndexOf('/') + 1)
  if (isFileName(name)) return /\.html?$/i.test(name) ? undefined : 'file'
  return path.includes('/') && !path.startsWith('/') ? 'words' : undefined
}

function one<Item>(item: Item | undefined): Item[] {
  return item === undefined ? [] : [item]
}
