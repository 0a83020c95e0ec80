/** The context of where a person stands, told once: by what each part says, not by the place that it was loaded for. */

import { createHash } from 'node:crypto'
import { placeNotices } from '../../context/places.ts'
import type { Workspace } from '../../context/workspace.ts'
import type { Run } from '../../core/flow.ts'
import { bytes4 } from '../../core/tokens.ts'
import type { Message } from '../../models/language.ts'
import { type CitedPlace, citedAs } from '../../text/citations.ts'
import { elementsOf, type FramedElement } from '../../text/elements.ts'
import { frameText } from '../../text/frames.ts'
import { isWithin } from '../../text/paths.ts'
import type { AssistantHost } from '../host.ts'

/** Tokens of the context of one place: on disk, half of it is for instruction files, and half for the context directory. */
const TOKENS = 16_000

/** What there is to tell of a place. */
export interface PlaceNews {
  /** As `load` calls it: absolute on disk, else a uri. */
  readonly place: string
  /** Of a package, and of a bucket that the place does not name, the uri of the bucket. */
  readonly root?: string
  /** Which place it is, where there are two of that name: a sentence. */
  readonly choice?: string
  /** As it is told: `''` when nothing is new. */
  readonly text: string
  /** The files that it has, as they are cited. */
  readonly places: readonly string[]
}

/** What a conversation has been told of places: by it, one that is made again tells nothing twice. Plain data. */
export interface ToldState {
  /** Hashes of what was told of each thing. */
  readonly told: readonly (readonly [thing: string, hashes: readonly string[]])[]
  /** Files on disk that were told, by place. */
  readonly files: readonly (readonly [place: string, files: readonly string[]])[]
  /** Paths on disk that count as touched. */
  readonly touched: readonly string[]
  /** What was told, by hash: what it is cited as. */
  readonly cited?: readonly (readonly [hash: string, place: string])[]
}

interface Loaded extends Pick<PlaceNews, 'place' | 'root' | 'choice'> {
  readonly elements: readonly FramedElement[]
  /** Files on disk that apply, whether there was room for them or not. */
  readonly files: ReadonlySet<string>
}

interface ToldBeginning {
  readonly state?: ToldState
  readonly workspaces?: Map<string, Workspace>
}

export class PlaceContext {
  readonly #engine: AssistantHost
  readonly #workspaces: Map<string, Workspace>
  /** What the conversation has of each thing, by hash: of some there are several, such as what was said of one path. */
  readonly #told = new Map<string, ReadonlySet<string>>()
  /** Files that were told of a place on disk. */
  readonly #files = new Map<string, Set<string>>()
  /** What was told, by hash: what it is cited as. */
  readonly #cited = new Map<string, string>()
  /** What applies where the person stands, by hash. */
  #standing: ReadonlySet<string> = new Set()
  readonly #touched = new Set<string>()

  /** `state`: of a conversation that goes on. */
  constructor(engine: AssistantHost, { state, workspaces = new Map() }: ToldBeginning = {}) {
    this.#engine = engine
    this.#workspaces = workspaces
    for (const [thing, hashes] of state?.told ?? []) this.#told.set(thing, new Set(hashes))
    for (const [place, files] of state?.files ?? []) this.#files.set(place, new Set(files))
    for (const path of state?.touched ?? []) this.#touched.add(path)
    for (const [hash, place] of state?.cited ?? []) this.#cited.set(hash, place)
  }

  /** Of a conversation that knows nothing yet; what is touched in one is touched in both. */
  apart(): PlaceContext {
    return new PlaceContext(this.#engine, { workspaces: this.#workspaces })
  }

  get state(): ToldState {
    const told = [...this.#told].map(([thing, hashes]) => [thing, [...hashes]] as const)
    const files = [...this.#files].map(([place, files]) => [place, [...files]] as const)
    return { told, files, touched: [...this.#touched], cited: [...this.#cited] }
  }

  /** What applies at a place and is not told yet. @throws ContextError as `load`. */
  async news(place: string, run: Run): Promise<PlaceNews> {
    const { elements, files, ...loaded } = await this.#at(place, run)
    const gone = this.#goneFrom(place, files)
    this.#standing = new Set(elements.map(elementHash))
    const fresh = this.#unknown(elements)
    this.#files.set(place, new Set([...(this.#files.get(place) ?? []), ...fresh.flatMap((one) => diskFile(one) ?? [])]))
    const notices = gone.map((file) =>
      frameText({ tag: 'notice', attributes: {}, text: `This applies no more: ${file}` }),
    )
    const text = [...notices, ...fresh.map(({ whole }) => whole)].join('')
    return { ...loaded, text, places: fresh.flatMap((element) => this.#citedAt(element, loaded) ?? []) }
  }

  /** What an element is cited as, which stays so wherever it is told again. */
  #citedAt(element: FramedElement, at: CitedPlace): string | undefined {
    const cited = citedAs(element, at)
    if (cited !== undefined) this.#cited.set(elementHash(element), cited)
    return cited
  }

  /** The elements of a context that are not told yet. */
  fresh(text: string): string {
    const elements = elementsOf(text)
    const unknown = this.#unknown(elements)
    const known = elements.length - unknown.length
    const notice = known === 0 ? '' : `<notice>\n${known} of its parts were given before.\n</notice>\n`
    return unknown.map(({ whole }) => whole).join('') + notice
  }

  /** A path on disk was read or written: what applies there is told next time. */
  async touch(path: string): Promise<void> {
    this.#touched.add(path)
    for (const workspace of this.#workspaces.values()) await workspace.touch(path)
  }

  /**
   * What of older messages still applies and is not in those that are kept: each element once, where the person stands first
   * of all, as far as the tokens go. What there is no room for is told anew when it applies.
   */
  carried(older: readonly Message[], kept: readonly Message[], tokens: number): Pick<PlaceNews, 'text' | 'places'> {
    const current = new Set([...this.#told.values()].flatMap((hashes) => [...hashes]))
    const before = elementsIn(older).map((element) => [elementHash(element), element] as const)
    const held = new Map(before.filter(([hash]) => current.has(hash)))
    for (const element of elementsIn(kept)) held.delete(elementHash(element))
    const order = [...held]
      .toReversed()
      .sort(([a], [b]) => Number(this.#standing.has(b)) - Number(this.#standing.has(a)))
    const fits = new Set<string>()
    let left = tokens
    for (const [hash, { whole }] of order) {
      left -= bytes4(whole)
      if (left >= 0) fits.add(hash)
    }
    const elements = [...held].flatMap(([hash, element]) => (fits.has(hash) ? [element] : []))
    return {
      text: elements.map(({ whole }) => whole).join(''),
      places: elements.flatMap(
        (element) => this.#cited.get(elementHash(element)) ?? citedAs(element, { place: '' }) ?? [],
      ),
    }
  }

  /** Forgets what the conversation has not kept. */
  settle(messages: readonly Message[]): void {
    const kept = new Set(elementsIn(messages).map(elementHash))
    for (const [key, hashes] of this.#told) this.#told.set(key, new Set([...hashes].filter((hash) => kept.has(hash))))
  }

  /** What is told of a thing stands in for what was told of it before. */
  #unknown(elements: readonly FramedElement[]): FramedElement[] {
    const unknown: FramedElement[] = []
    for (const [key, same] of Map.groupBy(elements, elementKey)) {
      const known = this.#told.get(key)
      unknown.push(...same.filter((element) => !known?.has(elementHash(element))))
      this.#told.set(key, new Set(same.map(elementHash)))
    }
    return elements.filter((element) => unknown.includes(element))
  }

  /** Files that were told and apply no more. When they are there again they are told again. */
  #goneFrom(place: string, files: ReadonlySet<string>): string[] {
    const told = this.#files.get(place) ?? new Set()
    const gone = [...told].filter((file) => !files.has(file))
    for (const file of gone) {
      told.delete(file)
      this.#told.delete(elementKey({ tag: ON_DISK, attributes: { filename: file } }))
    }
    return gone
  }

  async #at(place: string, run: Run): Promise<Loaded> {
    const request = { place, format: 'xml', full: false } as const
    if (!(await this.#engine.isOnDisk(place))) {
      const loaded = await this.#engine.load({ ...request, budget: TOKENS }, run)
      const { place: named, root, choice } = loaded
      const { choice: _, ...told } = loaded
      const notices = placeNotices(told).map((text) => frameText({ tag: 'notice', attributes: {}, text }))
      const elements = elementsOf(loaded.text + notices.join(''))
      const known = { place: named, elements, files: new Set<string>(), ...(choice !== undefined && { choice }) }
      return isWithin(root, named) ? known : { ...known, root }
    }
    const workspace = this.#workspaces.get(place) ?? (await this.#opened(place))
    this.#workspaces.set(place, workspace)
    // The elements of what applies now: what was told of each is known by its hash.
    workspace.rebase()
    const { text } = await workspace.prompt()
    const instructions = await workspace.relevantContexts()
    const rest = { ...request, instructions: false, drift: false, budget: TOKENS / 2 }
    const loaded = await this.#engine.load(rest, run)
    const files = new Set([...instructions, ...loaded.files].map(({ path }) => path))
    const { place: named, choice } = loaded
    const elements = elementsOf(text + loaded.text)
    return { place: named, elements, files, ...(choice !== undefined && { choice }) }
  }

  /** What was touched before counts there, too, if it lies in it. */
  async #opened(place: string): Promise<Workspace> {
    const workspace = await this.#engine.workspace(place, TOKENS / 2)
    for (const path of this.#touched) await workspace.touch(path)
    return workspace
  }
}

function elementsIn(messages: readonly Message[]): FramedElement[] {
  return messages.flatMap(messageTexts).flatMap(elementsOf)
}

function messageTexts(message: Message): readonly string[] {
  if (message.role === 'context') return [message.text]
  return message.role === 'tool' ? message.results.map(({ text }) => text) : []
}

/** The tag of files on disk. */
const ON_DISK = 'context'

/** What an element is of, whatever it says of it. */
function elementKey({
  tag,
  attributes: { truncated: _, ...attributes },
}: Pick<FramedElement, 'tag' | 'attributes'>): string {
  return JSON.stringify([tag, attributes])
}

function elementHash({ whole }: FramedElement): string {
  return createHash('sha256').update(whole.trimEnd()).digest('hex')
}

/** By this a file on disk is known again. */
function diskFile({ tag, attributes: { filename } }: FramedElement): string | undefined {
  return tag === ON_DISK ? filename : undefined
}
