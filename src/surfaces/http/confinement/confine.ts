import { pathToFileURL } from 'node:url'
import { ContextError } from '../../../core/errors.ts'
import type { Engine } from '../../../engine/engine.ts'
import { realOf } from '../../../files/file-version.ts'
import { systemHome } from '../../../files/home.ts'
import type { ServedRoots } from '../../../files/roots.ts'
import type { AnyOperation } from '../../../operations/index.ts'
import { isPlaceUri } from '../../../text/collection-uri.ts'
import { mapStrings } from '../../../text/map-strings.ts'
import { quotePattern } from '../../../text/wildcards.ts'
import {
  CLEAN,
  confineInput,
  looksLikeDiskPath,
  markClean,
  outsideRootsError,
  pathInRoots,
  placeInRoots,
  toCollectionUri,
} from './confine-input.ts'

/**
 * An engine without places outside the roots, for the assistant, because the assistant chooses places itself. It opens buckets
 * only as collections, because the credentials of the server could open any bucket.
 */
export function confineEngine(engine: Engine, roots: ServedRoots): Engine {
  /** The URI of a place when no directory is served. The default place is then the first collection. */
  const placeInCollections = async (place: string) => {
    const [first] = place === '.' ? await (await engine.library()).collections.list() : []
    return first || !looksLikeDiskPath(place) ? toCollectionUri(first?.name ?? place) : undefined
  }
  const placeOf = async (place: string) => {
    if (isPlaceUri(place)) return place
    const collectionPlace = roots.real.length === 0 ? await placeInCollections(place) : undefined
    return collectionPlace ?? placeInRoots(place, pathInRoots(place, roots.paths[0] ?? '.', roots))
  }
  const atPlace = async <Answer>(place: string | undefined, work: (place: string) => Promise<Answer>) => {
    try {
      return await work(await placeOf(place ?? '.'))
    } catch (error) {
      throw hideRoots(error, roots)
    }
  }
  return {
    ...engine,
    research: async () => (await engine.research()).within(roots),
    packages: () => engine.packages('collections'),
    placeReader: () => engine.placeReader('collections'),
    load: (request, run) => atPlace(request.place, (place) => engine.load({ ...request, place }, run, 'collections')),
    explain: (input, run) => atPlace(input.place, (place) => engine.explain({ ...input, place }, run, 'collections')),
    task: (request, run) => engine.task(request, run, roots.real),
    isOnDisk: (place) => atPlace(place, async (at) => engine.isOnDisk(at)),
  }
}

/**
 * The operation, restricted to the roots by the kinds of its inputs. Errors show paths relative to the roots. For a guest, errors
 * and answers about places have addresses of collections instead of paths on the machine; the content of files is unchanged.
 * `bytes` and `runTyped` are left out, because they would run with inputs that this function has not checked.
 */
export function confineOperation(operation: AnyOperation, roots: ServedRoots, isOwner: boolean): AnyOperation {
  const { bytes: _, runTyped: __, ...operationData } = operation
  return {
    ...operationData,
    run: async (engine, request, run) => {
      try {
        const { input, paths } = confineInput(operation.input.fields, request, { roots, mayNameBuckets: isOwner })
        const output = await operation.run(engine, input, run)
        // If a directory was replaced by a link meanwhile, the operation may have read outside the roots.
        for (const { path, real } of paths) if (realOf(path) !== real) throw outsideRootsError(path)
        // With the input `disk`, an administrator chooses directories by their paths.
        const showsPaths = isOwner || input.disk !== undefined || !OPERATIONS_WITH_PATHS.test(operation.name)
        return showsPaths ? output : replaceIn(output, await hostPaths(engine))
      } catch (error) {
        throw isOwner ? hideRoots(error, roots) : await hideInError(engine, roots, { error, request })
      }
    },
  }
}

/** The error without paths of the roots and of the home directory. */
function hideRoots(error: unknown, roots: ServedRoots): unknown {
  return error instanceof ContextError && !(CLEAN in error) ? hideInMessage(error, rootPaths(roots)) : error
}

function rootPaths({ paths, real }: ServedRoots): Replacements {
  const home = systemHome()
  const replacements = [...paths, ...real].map((path) => [path, '.'] as const)
  return home === undefined || home === '/' ? replacements : [...replacements, [home, '~'] as const]
}

/** Operations whose answers contain paths of collections, packages and the database. */
const OPERATIONS_WITH_PATHS =
  /^collections\.|^contexts\.(?:export|import)$|^packages\.(?!cat$)|^(?:status|index|indexing\.\w+|embed|browse|ls)$/

/**
 * Matches the position before a path on disk or an address of a file; not before a part of a longer path or of another address.
 */
const PATH_START = String.raw`(?<![\w.~-]|:/|:(?=//))`
/**
 * Matches a path on disk or an address of a file. After a letter, a bracket or a sign, a slash continues a longer path:
 * `docs/(shop)/cart.md`.
 */
const DISK_PATH = /(?<![\p{L}\p{M}\p{N}_.~)\]}*+-]|:\/|:(?=\/\/))\/[^/\s"'`]|file:/iu

/**
 * The error as a guest may see it. If the guest's `request` may contain a path, an error with a path is hidden, because it could
 * confirm that the path is that of a collection, a root or the home directory.
 */
export async function hideInError(engine: Engine, roots: ServedRoots, failure: { error: unknown; request: unknown }) {
  const { error, request } = failure
  if (!(error instanceof ContextError) || CLEAN in error) return error
  const written = JSON.stringify([request])
  const mayHoldPath = DISK_PATH.test(written) || /%(?:25)*(?:2f|5c)/i.test(written)
  if (!mayHoldPath || !DISK_PATH.test(`${error.message}\n${error.hint}`))
    return markClean(hideInMessage(error, [...(await hostPaths(engine)), ...rootPaths(roots)]))
  const hint = { value: 'Name places by the addresses of collections, such as ambit://docs/a.md.' }
  return markClean(Object.create(error, { message: { value: 'The error names a path, and is not shown.' }, hint }))
}

type Replacements = readonly (readonly [path: string, shown: string])[]

async function hostPaths(engine: Engine): Promise<Replacements> {
  const { collections } = await engine.library()
  const roots = (await collections.list()).flatMap(({ name, root }) => {
    const shown = `ambit://${name}`
    const isLocal = root.startsWith('/') && root !== '/'
    return isLocal ? [[root, shown] as const, [pathToFileURL(root).href, shown] as const] : []
  })
  const { db } = engine.config
  return db?.startsWith('/') ? [...roots, [db, 'the database'] as const] : roots
}

/** The error with another message. Keeps the class of the error, because the class decides the status. */
function hideInMessage(error: ContextError, replacements: Replacements): ContextError {
  const hidden = (text?: string) => ({ value: replaceIn(text, replacements) })
  return Object.create(error, { message: hidden(error.message), hint: hidden(error.hint) })
}

/**
 * Replaces paths in all strings of a value, the longest first: an address before the path in it, and a nested root before its
 * outer root.
 */
function replaceIn(value: unknown, replacements: Replacements): unknown {
  const patterns = replacements
    .toSorted(([a], [b]) => b.length - a.length)
    .map(([path, to]) => [new RegExp(PATH_START + quotePattern(path), 'g'), to] as const)
  return mapStrings(value, (text) => patterns.reduce((rest, [path, to]) => rest.replace(path, () => to), text))
}
