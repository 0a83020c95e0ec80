/** Vectors of the units of a tree: made for what is new, kept by the content of the units, and compared with a task. */

import { ContextError } from '../../core/errors.ts'
import type { Run } from '../../core/flow.ts'
import type { LocalRoot } from '../../files/disk.ts'
import { readText } from '../../files/text-file.ts'
import { packVector, sought } from '../../retrieval/packed-vectors.ts'
import type { CodeIndex } from '../code-index.ts'
import { type ParsedFile, parseCode } from '../definitions.ts'
import type { IndexedFile } from '../index/index-file.ts'
import { languageOf } from '../languages.ts'
import {
  type EmbeddedFile,
  KEY_BYTES,
  readVectors,
  type StoredVectors,
  type UnitVector,
  writeVectors,
} from './vector-file.ts'

/** The model that makes vectors of units and of tasks. */
export interface UnitEmbedder {
  /** Vectors of models with different ones are not to be compared. */
  readonly fingerprint: string
  /** In the order of the texts. `isFirst`: nobody may be there, so it is not tried for long. */
  documents(texts: readonly string[], signal?: AbortSignal, isFirst?: boolean): Promise<Float32Array[]>
  query(text: string, signal?: AbortSignal): Promise<Float32Array>
}

export interface MeaningRequest {
  readonly embedder: UnitEmbedder
  /** What is wanted, in few words. */
  readonly wanted: string
  /** Paths, the most relevant first: those get their vectors first. */
  readonly order: readonly string[]
  /** The file that the vectors are kept in. Undefined: they are kept nowhere. */
  readonly cacheFile: string | undefined
  readonly run: Run
  /** Milliseconds that new vectors may take. Default: 20,000. */
  readonly patienceMs?: number | undefined
}

/** How near each unit is to a task: the cosines of the units of a file in their order, by path. */
export interface UnitMeanings {
  readonly cosines: ReadonlyMap<string, readonly number[]>
  /** What a person should know of it. */
  readonly notices: readonly string[]
}

/** Tests and records of changes count too little to be worth it. */
const LEAST_FACTOR = 0.3
/** UTF-16 units of a unit that are sent: what many models read at most. */
const MOST_SENT = 2000
const SENT_AT_ONCE = 32
const UNDER_WAY = 3
const PATIENCE_MS = 20_000
/** A vector is packed as it is. */
const NO_CENTRE: readonly number[] = []

/**
 * Compares the units of a tree with what is wanted. Makes the vectors that are missing first, as many as the patience allows;
 * the next call goes on. Where the model does not answer, there are no cosines and a notice.
 *
 * @throws ContextError `cancelled`.
 */
export async function compareUnits(index: CodeIndex, request: MeaningRequest): Promise<UnitMeanings> {
  const { embedder, wanted, run } = request
  try {
    const query = sought(await embedder.query(wanted, run.signal), NO_CENTRE)
    const { vectors, notices } = await updateVectors(index, request)
    const cosineOf = (key: string) => {
      const vector = vectors.vectors.get(key)
      return vector ? query.cosineTo(vector) : -1
    }
    const cosines = [...vectors.files].map(([path, { keys }]) => [path, keys.map(cosineOf)] as const)
    return { cosines: new Map(cosines), notices }
  } catch (error) {
    if (run.signal?.aborted || !(error instanceof ContextError)) throw error
    return { cosines: new Map(), notices: [`Files are ranked without vectors: ${modelFault(error)}`] }
  }
}

export function modelFault({ message, hint = '' }: ContextError): string {
  return `${message} ${hint}`.trim()
}

async function updateVectors(index: CodeIndex, { embedder, order, cacheFile, run, patienceMs }: MeaningRequest) {
  const { root, files } = index
  const about = { root: root.realPath, fingerprint: embedder.fingerprint }
  const stored = cacheFile === undefined ? undefined : readVectors(cacheFile, about)
  const wanted = files.filter(({ path, factor }) => factor >= LEAST_FACTOR && languageOf(path)?.kind === 'code')
  const update = new VectorUpdate(root, embedder, stored)
  const missing = update.keepCurrent(wanted)
  const places = new Map(order.map((path, place) => [path, place]))
  const placeOf = ({ path }: IndexedFile) => places.get(path) ?? Number.POSITIVE_INFINITY
  missing.sort((a, b) => placeOf(a) - placeOf(b) || (a.path < b.path ? -1 : 1))
  const failure = await update.embed(missing, run, patienceMs ?? PATIENCE_MS)
  const hasChanges = update.added > 0 || (stored !== undefined && stored.files.size !== update.files.size)
  if (cacheFile !== undefined && hasChanges) writeVectors(cacheFile, { ...about, ...update.result })
  if (failure && update.files.size === 0) throw failure
  return { vectors: update.result, notices: noticesOf(missing.length - update.added, wanted.length, failure) }
}

function noticesOf(left: number, all: number, failure: ContextError | undefined): string[] {
  if (left === 0) return []
  const why = failure ? `: ${modelFault(failure)}` : '; later calls make more.'
  return [`${all - left} of ${all} files have vectors${why}`]
}

/** A file with the texts of its units and the keys of those. */
interface KeyedFile extends EmbeddedFile {
  readonly path: string
  readonly texts: readonly string[]
}

class VectorUpdate {
  /** Files that got their vectors now. */
  added = 0
  readonly files = new Map<string, EmbeddedFile>()
  readonly #vectors: Map<string, UnitVector>
  readonly #root: LocalRoot
  readonly #embedder: UnitEmbedder
  readonly #stored: StoredVectors | undefined

  constructor(root: LocalRoot, embedder: UnitEmbedder, stored: StoredVectors | undefined) {
    this.#root = root
    this.#embedder = embedder
    this.#stored = stored
    this.#vectors = new Map(stored?.vectors)
  }

  get result() {
    return { files: this.files, vectors: this.#vectors }
  }

  /** Takes what did not change as it is, and gives the others. */
  keepCurrent(files: readonly IndexedFile[]): IndexedFile[] {
    return files.filter(({ path, digest }) => {
      const known = this.#stored?.files.get(path)
      if (known?.digest !== digest) return true
      this.files.set(path, known)
      return false
    })
  }

  /** Some requests at a time, each for whole files. Returns what the model failed with, where it did. */
  async embed(missing: readonly IndexedFile[], run: Run, patienceMs: number): Promise<ContextError | undefined> {
    const until = performance.now() + patienceMs
    const groups = this.#groups(missing)
    let failure: ContextError | undefined
    const work = async () => {
      for (const group of groups) {
        run.emit({ type: 'progress', what: 'vectors', done: this.added, total: missing.length })
        const failed = await this.#embedGroup(group, run.signal)
        failure ??= failed
        if (failure || performance.now() > until) return
      }
    }
    await Promise.all(Array.from({ length: UNDER_WAY }, work))
    return failure
  }

  /** Files together that have some new texts. Each is read when it is its turn. */
  *#groups(missing: readonly IndexedFile[]): Generator<readonly KeyedFile[]> {
    let [group, texts]: [KeyedFile[], number] = [[], 0]
    for (const { path, digest } of missing) {
      const file = this.#keyed(path, digest)
      group.push(file)
      texts += file.keys.filter((key) => !this.#vectors.has(key)).length
      if (texts < SENT_AT_ONCE) continue
      yield group
      ;[group, texts] = [[], 0]
    }
    if (group.length > 0) yield group
  }

  #keyed(path: string, digest: number): KeyedFile {
    const read = readText(this.#root, path)
    const texts = read.ok ? unitTexts(path, parseCode(path, read.text)) : []
    return { path, digest, texts, keys: texts.map(keyOfText) }
  }

  async #embedGroup(group: readonly KeyedFile[], signal: AbortSignal | undefined): Promise<ContextError | undefined> {
    const fresh = new Map(group.flatMap(({ keys, texts }) => keys.map((key, at) => [key, texts[at] ?? ''] as const)))
    const pending = [...fresh].filter(([key]) => !this.#vectors.has(key))
    try {
      for (let at = 0; at < pending.length; at += SENT_AT_ONCE) {
        const sent = pending.slice(at, at + SENT_AT_ONCE)
        const isFirst = this.#vectors.size === 0
        const made = await this.#embedder.documents(
          sent.map(([, text]) => text),
          signal,
          isFirst,
        )
        for (const [place, [key]] of sent.entries()) this.#vectors.set(key, packVector(made[place] ?? [], NO_CENTRE))
      }
    } catch (error) {
      if (signal?.aborted || !(error instanceof ContextError)) throw error
      return error
    }
    for (const { path, digest, keys } of group) this.files.set(path, { digest, keys })
    this.added += group.length
    return undefined
  }
}

/** What the model reads of each unit: where it is, what it is called, and its lines. */
function unitTexts(path: string, { lines, units }: ParsedFile): string[] {
  return units.map(({ start, end, names, parent }) => {
    const name = [parent, ...names.slice(0, 3)].filter((each) => each !== undefined && each !== '').join('.')
    return `${path} ${name}\n${lines.slice(start, end).join('\n')}`.slice(0, MOST_SENT)
  })
}

function keyOfText(text: string): string {
  const { createHash } = process.getBuiltinModule('node:crypto')
  return createHash('sha256')
    .update(text)
    .digest('hex')
    .slice(0, KEY_BYTES * 2)
}
