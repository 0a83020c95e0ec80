/** Gives a model each element of the context only once. Elements are compared by content, not by place. */

import { createHash } from 'node:crypto'
import { placeNotices } from '../../context/places.ts'
import { compareTexts, type ReaderText, type SessionItem } from '../../context/session.ts'
import type { Run } from '../../core/flow.ts'
import { bytes4 } from '../../core/tokens.ts'
import type { Message } from '../../models/language.ts'
import { type CitedPlace, citationUri } from '../../text/citations.ts'
import { elementsOf, type FramedElement } from '../../text/elements.ts'
import { isWithin } from '../../text/paths.ts'
import type { AssistantHost } from '../host.ts'
import { givenTexts } from '../transcript.ts'
import { noticeElement } from './place-elements.ts'

/** Maximum tokens of the context of one place. */
const CONTEXT_BUDGET = 16_000

/** The context that a model has received. Plain data: a conversation restored from it sends no element twice. */
export interface PlaceContextState {
  /** Hashes of the elements that were sent, by what they describe: tag and attributes as JSON. */
  readonly told: readonly (readonly [thing: string, hashes: readonly string[]])[]
  /** Files on disk that were sent, by place. */
  readonly files: readonly (readonly [place: string, files: readonly string[]])[]
  /** Paths on disk that tools have read or written: the context that applies to them is loaded, too. */
  readonly touched: readonly string[]
  /** The citation of each element, by its hash. */
  readonly cited?: readonly (readonly [hash: string, place: string])[]
}

export class PlaceContext {
  readonly #engine: AssistantHost
  /** Hashes of the elements that were sent, by `uriAt`. */
  readonly #sentElements = new Map<string, ReaderText>()
  /** Files that were sent, by place on disk. */
  readonly #sentFiles = new Map<string, Set<string>>()
  /** The citation of each element, by its hash. */
  readonly #citations: Map<string, string>
  /** Hashes of the elements that apply at the person's place. */
  #applying: ReadonlySet<string> = new Set()
  readonly #touched: Set<string>
  /** The place and the view that were sent to the model last. */
  sent: Readonly<Record<'place' | 'view', string | undefined>> = { place: undefined, view: undefined }

  /** `state`: the state of a restored conversation. `touched`: the touched paths, which two conversations can share. */
  constructor(engine: AssistantHost, state?: PlaceContextState, touched = new Set(state?.touched)) {
    this.#engine = engine
    this.#touched = touched
    this.#citations = new Map(state?.cited)
    for (const [thing, hashes] of state?.told ?? [])
      for (const [index, digest] of hashes.entries()) this.#sentElements.set(uriAt(thing, index), { digest })
    for (const [place, files] of state?.files ?? []) this.#sentFiles.set(place, new Set(files))
  }

  /** The context of a second conversation: nothing was sent yet. Both conversations share their touched paths. */
  separate(): PlaceContext {
    return new PlaceContext(this.#engine, undefined, this.#touched)
  }

  get state(): PlaceContextState {
    const told = [...this.#sentElements].map(([uri, { digest }]) => [uri, [digest]] as const)
    const files = [...this.#sentFiles].map(([place, files]) => [place, [...files]] as const)
    return { told, files, touched: [...this.#touched], cited: [...this.#citations] }
  }

  /**
   * The new context of a place; `text` is `''` when nothing is new. `places`: the citations of the new elements.
   *
   * @throws ContextError as `load`.
   */
  async loadUpdate(place: string, run: Run) {
    const { elements, files, ...loaded } = await this.#load(place, run)
    const obsolete = this.#forgetObsolete(place, files)
    this.#applying = new Set(elements.map(elementHash))
    const added = this.#record(elements)
    this.#sentFiles.set(place, new Set([...(this.#sentFiles.get(place) ?? []), ...added.flatMap(diskFiles)]))
    const notices = obsolete.map((file) => noticeElement(`This no longer applies: ${file}`))
    const text = [...notices, ...added.map(({ whole }) => whole)].join('')
    return { ...loaded, text, places: added.flatMap((element) => this.#citationOf(element, loaded) ?? []) }
  }

  /** Returns the citation of an element, and records it for `carryOver`. */
  #citationOf(element: FramedElement, place: CitedPlace): string | undefined {
    const citation = citationUri(element, place)
    if (citation !== undefined) this.#citations.set(elementHash(element), citation)
    return citation
  }

  /** The elements of a context that are new. */
  filterNew(text: string): string {
    const elements = elementsOf(text)
    const added = this.#record(elements)
    const knownCount = elements.length - added.length
    const notice = knownCount === 0 ? '' : `<notice>\n${knownCount} of its parts were given before.\n</notice>\n`
    return added.map(({ whole }) => whole).join('') + notice
  }

  /** Records that a path on disk was read or written, so that the next update includes its context. */
  touch(path: string): void {
    this.#touched.add(path)
  }

  /**
   * The context of older messages that still applies and is not in the recent messages: each element once, up to
   * `tokens` tokens. If not all elements fit, elements of the person's place come first. Elements that do not fit are
   * sent again when they apply.
   */
  carryOver(older: readonly Message[], recent: readonly Message[], tokens: number) {
    const current = new Set([...this.#sentElements.values()].map(({ digest }) => digest))
    const olderElements = elementsIn(older).map((element) => [elementHash(element), element] as const)
    const candidates = new Map(olderElements.filter(([hash]) => current.has(hash)))
    for (const element of elementsIn(recent)) candidates.delete(elementHash(element))
    const applies = (hash: string) => Number(this.#applying.has(hash))
    const byPriority = [...candidates].reverse().sort(([a], [b]) => applies(b) - applies(a))
    const fitting = new Set<string>()
    let remaining = tokens
    for (const [hash, { whole }] of byPriority) {
      remaining -= bytes4(whole)
      if (remaining >= 0) fitting.add(hash)
    }
    const elements = [...candidates].flatMap(([hash, element]) => (fitting.has(hash) ? [element] : []))
    return {
      text: elements.map(({ whole }) => whole).join(''),
      places: elements.flatMap((one) => this.#citations.get(elementHash(one)) ?? citationUri(one, { place: '' }) ?? []),
    }
  }

  /** Forgets elements that these messages do not contain, so that they are sent again. */
  forgetExcept(messages: readonly Message[]): void {
    const hashes = new Set(elementsIn(messages).map(elementHash))
    for (const [uri, { digest }] of this.#sentElements) if (!hashes.has(digest)) this.#sentElements.delete(uri)
  }

  /** Records elements; they replace earlier elements with the same tag and attributes. Returns the new elements. */
  #record(elements: readonly FramedElement[]): FramedElement[] {
    const counts = new Map<string, number>()
    const items = elements.map((element): SessionItem & { readonly element: FramedElement } => {
      const key = elementKey(element)
      const index = counts.get(key) ?? 0
      counts.set(key, index + 1)
      return { uri: uriAt(key, index), digest: elementHash(element), element }
    })
    const { added, changed } = compareTexts(items, { held: this.#sentElements })
    for (const { uri, digest } of items) this.#sentElements.set(uri, { digest })
    for (const [key, count] of counts) for (let index = count; this.#sentElements.delete(uriAt(key, index)); index++);
    const newElements = new Set([...added, ...changed.map(({ item }) => item)].map(({ element }) => element))
    return elements.filter((element) => newElements.has(element))
  }

  /** Forgets the sent files that no longer apply, and returns them. They are sent again when they apply again. */
  #forgetObsolete(place: string, files: ReadonlySet<string>): string[] {
    const sentFiles = this.#sentFiles.get(place) ?? new Set()
    const obsolete = [...sentFiles].filter((file) => !files.has(file))
    for (const file of obsolete) {
      sentFiles.delete(file)
      this.#sentElements.delete(elementKey({ tag: DISK_TAG, attributes: { filename: file } }))
    }
    return obsolete
  }

  /**
   * Loads the context of a place.
   *
   * @returns `place`: an absolute path on disk, else a URI. `root`: the URI of the bucket, for a package and for a
   * place that does not name its bucket. `choice`: a sentence that names the chosen place, if two places have the same
   * name. `files`: the files on disk that apply, including files that did not fit.
   */
  async #load(place: string, run: Run) {
    const isOnDisk = await this.#engine.isOnDisk(place)
    const touched = isOnDisk ? [...this.#touched] : []
    const request = { place, format: 'xml', full: false, drift: false, budget: CONTEXT_BUDGET, touched } as const
    const loaded = await this.#engine.load(request, run)
    const { place: loadedPlace, root, choice, contexts, files, warnings, text } = loaded
    const location = { place: loadedPlace, ...(choice !== undefined && { choice }) }
    const applyingFiles = new Set(isOnDisk ? [...contexts, ...files].map(({ path }) => path) : [])
    if (isOnDisk) return { ...location, root: undefined, elements: elementsOf(text), files: applyingFiles }
    const notices = placeNotices({ place: loadedPlace, warnings }).map(noticeElement)
    const elements = elementsOf(text + notices.join(''))
    return { ...location, elements, files: applyingFiles, root: isWithin(root, loadedPlace) ? undefined : root }
  }
}

/** Identifies one of several elements with the same key, such as the path contexts of one path. `index`: from 0. */
function uriAt(key: string, index: number): string {
  return index === 0 ? key : `${key}#${index}`
}

function elementsIn(messages: readonly Message[]): FramedElement[] {
  return messages.flatMap(givenTexts).flatMap(elementsOf)
}

/** The tag of files on disk. */
const DISK_TAG = 'context'

/** The key of an element: its tag and attributes, without its text. */
function elementKey({ tag, attributes: { truncated: _, ...attributes } }: Pick<FramedElement, 'tag' | 'attributes'>) {
  return JSON.stringify([tag, attributes])
}

function elementHash({ whole }: FramedElement): string {
  return createHash('sha256').update(whole.trimEnd()).digest('hex')
}

/** The path of the file on disk that an element shows; empty for other elements. */
const diskFiles = ({ tag, attributes: { filename = '' } }: FramedElement) => (tag === DISK_TAG ? [filename] : [])
