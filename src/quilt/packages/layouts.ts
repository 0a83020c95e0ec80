import { HASH_DIGITS, isName, isTag, isTopHash } from '../names.ts'

/** Where a registry keeps what. */
export interface Layout {
  readonly name: 'v1' | 'v2'
  /** What the keys of all pointers begin with. */
  readonly pointers: string
  /** The folders of packages are in folders of their namespaces. */
  readonly isNested: boolean
  /** The package of a folder below `pointers`, without a slash at its end; undefined when it is none. */
  nameOf(folder: string): string | undefined
  /** What the keys of the pointers of a package begin with. */
  pointersOf(name: string): string
  /** What the keys of manifests begin with among which hashes of this package are looked for. */
  manifestsOf(name: string): string
  manifestKey(name: string, hash: string): string
  /** The top hash in what follows `manifestsOf`; undefined when it is not a manifest's. */
  hashOf(rest: string): string | undefined
}

/** A manifest is not bound to a name: any name with any hash finds it. */
const V1: Layout = {
  name: 'v1',
  pointers: '.quilt/named_packages/',
  isNested: true,
  nameOf: (folder) => (isName(folder) ? folder : undefined),
  pointersOf: (name) => `.quilt/named_packages/${name}/`,
  manifestsOf: () => '.quilt/packages/',
  manifestKey: (_, hash) => `.quilt/packages/${hash}`,
  hashOf: (rest) => (isTopHash(rest) ? rest : undefined),
}

const V2: Layout = {
  name: 'v2',
  pointers: '.quilt/v2/tags/',
  isNested: false,
  nameOf: (folder) => {
    const name = folder.replace('@', '/')
    return isName(name) && !folder.includes('/') ? name : undefined
  },
  pointersOf: (name) => `.quilt/v2/tags/${name.replace('/', '@')}/`,
  manifestsOf: (name) => `.quilt/v2/manifests/${name.replace('/', '@')}/`,
  manifestKey: (name, hash) => `.quilt/v2/manifests/${name.replace('/', '@')}/${hash}/manifest.jsonl`,
  hashOf: (rest) => {
    const hash = rest.slice(0, HASH_DIGITS)
    return isTopHash(hash) && rest.slice(HASH_DIGITS) === '/manifest.jsonl' ? hash : undefined
  },
}

/** In the order in which they are asked: the first is what registries have unless they were told otherwise. */
export const LAYOUTS: readonly Layout[] = [V1, V2]

/** The pointer that a key is; undefined for what else lies there. */
export function pointerName(rest: string): string | undefined {
  return isTag(rest) ? rest : undefined
}
