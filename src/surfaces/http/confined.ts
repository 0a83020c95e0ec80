/**
 * What of the disk a server shows. An input that names a path on disk must lie in one of the roots, links followed;
 * anything else is `denied`, whether it exists or not. Names of what is in a collection are not judged here: a collection
 * holds what its owner put there. Where either may be given, what is written like a path on disk is one.
 */

import { resolve } from 'node:path'
import { ContextError } from '../../core/errors.ts'
import type { JsonSchema } from '../../core/operation.ts'
import type { Engine } from '../../engine/engine.ts'
import { systemHome } from '../../files/home.ts'
import { projectRootOf } from '../../files/project-root.ts'
import { type Judged, type Roots, withinRoots } from '../../files/roots.ts'
import { realOf, statOf } from '../../files/stat.ts'
import type { AnyOperation } from '../../operations/index.ts'
import { patternsOf } from '../../text/globs.ts'

/** Names of inputs that are paths on disk, and what stands for such a path in a help text. */
const DISK_NAMES = new Set(['place', 'touched', 'whyNot', 'root', 'file'])
const DISK_PLACEHOLDERS = new Set(['PATH', 'FILE', 'DIR', 'DIRECTORY', 'ROOT', 'PLACE'])

/** Names of inputs that are paths in a collection, whatever stands for them. */
const COLLECTION_NAMES = new Set(['path', 'paths', 'pathPrefix'])

/** Operations that look for a place in the collections, and the inputs that may also name it by its path on disk. */
const IN_COLLECTIONS: Readonly<Record<string, readonly string[]>> = {
  get: ['path'],
  'multi-get': ['pattern'],
  ls: ['place'],
  browse: ['place'],
  search: [],
  'contexts.add': ['path'],
  'contexts.check': [],
  'contexts.list': [],
  'contexts.remove': ['path'],
}

/** Operations that take places on disk and in collections. */
const ANYWHERE = ['load', 'explain']

/** What is written like a path on disk, or leads up. A slash alone is the place that holds everything. */
const LIKE_DISK = /^(?:\/.|\.(?:\/|$)|~)|(?:^|[/\\])\.\.(?:[/\\]|$)/

/** A place that is named by a URI is not on disk. */
const ELSEWHERE = /^(ambit|qfs|qmd|quilt\+s3):\/\//

/** A bucket that becomes a collection is read with the credentials of whoever runs the server: it is theirs to add. */
const BUCKET = /^s3:/i

/** The operation, kept to the roots; its errors name paths as they are seen from there. */
export function confined(operation: AnyOperation, roots: Roots): AnyOperation {
  const names = IN_COLLECTIONS[operation.name] ?? diskInputs(operation.input.json())
  const isDisk = Object.hasOwn(IN_COLLECTIONS, operation.name) ? (word: string) => LIKE_DISK.test(word) : () => true
  return {
    ...operation,
    run: async (engine, input, run) => {
      try {
        const judged = names.length === 0 ? { input, paths: [] } : judge(input, names, { operation, roots, isDisk })
        const output = await operation.run(withinCollections(engine, roots), judged.input, run)
        // A directory that was exchanged for a link meanwhile may have led elsewhere.
        for (const { path, real } of judged.paths) if (realOf(path) !== real) throw outside(path)
        return output
      } catch (error) {
        throw error instanceof ContextError ? retold(error, roots) : error
      }
    },
  }
}

/** Credentials open more than what was made a collection. */
function withinCollections(engine: Engine, roots: Roots): Engine {
  return {
    ...engine,
    research: async () => (await engine.research()).within(roots),
    packages: () => engine.packages('collections'),
    looking: () => engine.looking('collections'),
    load: (request, run) => engine.load(request, run, 'collections'),
    explain: (request, run) => engine.explain(request, run, 'collections'),
  }
}

/** An engine that knows no place outside of the roots: for what stands at a place, and does not only ask for one. */
export function confinedEngine(engine: Engine, roots: Roots): Engine {
  const within = withinCollections(engine, roots)
  const seen = async (place = '.') => {
    if (ELSEWHERE.test(place)) return place
    if (roots.real.length === 0) {
      // Where no directory is served, who stands nowhere in particular stands in the first collection.
      const [first] = place === '.' ? await (await engine.library()).collections.list() : []
      if (first || !LIKE_DISK.test(place)) return uriOf(first?.name ?? place)
    }
    const [base = '.'] = roots.paths
    const found = inside(place, base, roots)
    return placeOf(place, found, { operation: { effect: 'read' }, roots })
  }
  const told = async <Value>(work: () => Promise<Value>) => {
    try {
      return await work()
    } catch (error) {
      throw error instanceof ContextError ? retold(error, roots) : error
    }
  }
  return {
    ...within,
    load: (request, run) => told(async () => within.load({ ...request, place: await seen(request.place) }, run)),
    workspace: (place, budget) => told(async () => engine.workspace(await seen(place), budget)),
    isOnDisk: (place) => told(async () => engine.isOnDisk(await seen(place))),
  }
}

/** A place that can only be in a collection. */
function uriOf(word: string): string {
  return `ambit://${word.split('/').map(encodeURIComponent).join('/')}`
}

function ofOwner(word: string): ContextError {
  const hint = 'Whoever runs the server may add it on the command line.'
  return new ContextError('denied', `${JSON.stringify(word.slice(0, 200))} is a bucket, and the server adds none.`, {
    hint,
  })
}

function diskInputs({ properties = {} }: JsonSchema): string[] {
  return Object.entries(properties).flatMap(([name, { placeholder = '' }]) => {
    const isDisk = DISK_NAMES.has(name) || (DISK_PLACEHOLDERS.has(placeholder) && !COLLECTION_NAMES.has(name))
    return isDisk ? [name] : []
  })
}

type Values = Readonly<Record<string, unknown>>

interface Asked {
  readonly operation: AnyOperation
  readonly roots: Roots
  readonly isDisk: (word: string) => boolean
}

/** The input with its paths made absolute, as they are seen from the first root; and these paths. */
function judge(given: unknown, names: readonly string[], asked: Asked) {
  const paths: Judged[] = []
  let input: Values = { ...Object(given) }
  // The others may be seen from the place.
  for (const name of names.toSorted((a, b) => Number(b === 'place') - Number(a === 'place'))) {
    const judged = (word: unknown) => {
      if (typeof word !== 'string' || (mayBeUri(name, asked) && ELSEWHERE.test(word))) return word
      if (name === 'root' && BUCKET.test(word)) throw ofOwner(word)
      if (name === 'pattern') return judgedPattern(word, asked)
      if (!asked.isDisk(word)) return word
      const isNamed = ANYWHERE.includes(asked.operation.name) && name === 'place' && !LIKE_DISK.test(word)
      if (isNamed && asked.roots.real.length === 0) return uriOf(word)
      const found = inside(word, baseOf(name, word, { input, roots: asked.roots }), asked.roots)
      paths.push(found)
      return name === 'place' ? placeOf(word, found, asked) : found.path
    }
    const value = input[name]
    input = {
      ...input,
      ...(value !== undefined && { [name]: Array.isArray(value) ? value.map(judged) : judged(value) }),
    }
  }
  return { input, paths }
}

/** Any other input is a path on disk however it begins: `ambit://x/../..` leads up. */
function mayBeUri(name: string, { operation }: Asked): boolean {
  return name === 'place' || Object.hasOwn(IN_COLLECTIONS, operation.name)
}

/** Of a list of globs none may begin like a path on disk: what it matches there cannot be told before it is looked at. */
function judgedPattern(pattern: string, { isDisk }: Asked): string {
  const strange = patternsOf(pattern).find(isDisk)
  if (strange !== undefined) throw outside(strange)
  return pattern
}

/** Where a relative path is seen from: the first root, or the place for a file that is asked about and is only there. */
function baseOf(name: string, word: string, { input, roots }: { input: Values; roots: Roots }): string {
  const [base = '.'] = roots.paths
  const isOfPlace = name === 'whyNot' && typeof input.place === 'string' && !statOf(resolve(base, word))
  return isOfPlace ? resolve(base, String(input.place)) : base
}

/** A directory or file by its real path. A word that is neither may be the name of a collection. */
function placeOf(
  word: string,
  { path, real }: Judged,
  { operation, roots }: { operation: Pick<AnyOperation, 'effect'>; roots: Roots },
) {
  if (!statOf(path)) return statOf(resolve(word)) ? path : word
  if (operation.effect === 'write') inside(projectRootOf(real), '/', roots)
  return real
}

function inside(word: string, base: string, roots: Roots): Judged {
  const judged = withinRoots(word, base, roots)
  if (!judged) throw outside(word)
  return judged
}

function outside(word: string): ContextError {
  const hint = 'The server shows what lies in the directories that it was started with: --root DIR.'
  return new ContextError('denied', `${JSON.stringify(word.slice(0, 200))} is not in a directory that is served.`, {
    hint,
  })
}

/** No message tells where on the machine things are. */
function retold({ code, message, hint, cause }: ContextError, roots: Roots): ContextError {
  const told = hint === undefined ? {} : { hint: withoutPaths(hint, roots) }
  return new ContextError(code, withoutPaths(message, roots), { ...told, cause })
}

function withoutPaths(text: string, { paths, real }: Roots): string {
  const home = systemHome()
  const known = [...paths, ...real].map((path) => [path, '.'] as const)
  const all = home === undefined || home === '/' ? known : [...known, [home, '~'] as const]
  // A root in a root first.
  const ordered = all.sort(([a], [b]) => b.length - a.length)
  return ordered.reduce((rest, [path, short]) => rest.replaceAll(path, short), text)
}
