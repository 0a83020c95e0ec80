/** What is mutated, and which tests should notice. */

/** A room of the source whose mistakes would let somebody in, or lose something. */
export interface MutationTarget {
  readonly name: string
  /** Globs. */
  readonly sources: readonly string[]
  /** Folders and files of tests; none for all of the quick tier. */
  readonly tests: readonly string[]
  /** Those of them that take a second or two, and notice most: the others are run where they notice nothing. */
  readonly first?: readonly string[]
}

/** Stands in `first` for the room of the file that is changed. */
export const ROOM = '{room}'

export const MUTATION_TARGETS: readonly MutationTarget[] = [
  {
    name: 'confinement',
    sources: ['src/surfaces/http/confinement/*.ts', 'src/files/roots.ts', 'src/files/disk/bounds.ts'],
    tests: [
      'test/surfaces/http/confinement',
      'test/surfaces/http/app.test.ts',
      'test/surfaces/http/files.test.ts',
      'test/surfaces/http/principals.test.ts',
      'test/files/roots.test.ts',
    ],
    first: [
      'test/surfaces/http/confinement/second-wall.test.ts',
      'test/surfaces/http/confinement/every-operation.test.ts',
      'test/files/roots.test.ts',
    ],
  },
  {
    name: 'disk',
    sources: ['src/files/confine.ts', 'src/files/disk/directory-put.ts', 'src/files/disk/blobs-directory.ts'],
    tests: [
      'test/files/kinds.test.ts',
      'test/files/links.test.ts',
      'test/files/paths.test.ts',
      'test/files/changes.test.ts',
      'test/files/directory.test.ts',
      'test/files/directory-files.test.ts',
      'test/files/blobs.test.ts',
      'test/files/owner.test.ts',
      'test/files/race.test.ts',
      'test/reliability/durability.test.ts',
    ],
    first: [
      'test/files/kinds.test.ts',
      'test/files/links.test.ts',
      'test/files/paths.test.ts',
      'test/files/directory.test.ts',
      'test/reliability/durability.test.ts',
    ],
  },
  {
    name: 'stores',
    sources: [
      'src/stores/sqlite/{database,sql,runner,sqlite,patience}.ts',
      'src/stores/statements/{lease,run-lease,runs,conversations,bytes,tokens}.ts',
    ],
    tests: [
      'test/stores/sqlite.test.ts',
      'test/stores/lease.test.ts',
      'test/stores/watch.test.ts',
      'test/stores/fence.test.ts',
      'test/stores/sqlite',
      'test/reliability/durability.test.ts',
      'test/reliability/store-place.test.ts',
    ],
    first: [
      'test/stores/lease.test.ts',
      'test/stores/sqlite/database.test.ts',
      'test/stores/sqlite/runner.test.ts',
      'test/reliability/durability.test.ts',
    ],
  },
  {
    name: 'guard',
    sources: ['src/internet/guard.ts', 'src/internet/addresses.ts', 'src/surfaces/http/guard.ts'],
    tests: [
      'test/internet/addresses.test.ts',
      'test/internet/guarded-fetch.test.ts',
      'test/surfaces/http/guard.test.ts',
      'test/surfaces/http/app.test.ts',
      'test/surfaces/http/web.test.ts',
    ],
    first: [
      'test/internet/addresses.test.ts',
      'test/surfaces/http/guard.test.ts',
      'test/surfaces/http/app.test.ts',
      'test/surfaces/http/web.test.ts',
    ],
  },
  {
    name: 'auth',
    sources: [
      'src/surfaces/http/{auth,entry}.ts',
      'src/engine/auth/**/*.ts',
      'src/engine/tokens.ts',
      'src/engine/sign-ins.ts',
    ],
    tests: [
      'test/surfaces/http/auth.test.ts',
      'test/surfaces/http/sign-on.test.ts',
      'test/surfaces/http/principals.test.ts',
      'test/engine/auth',
    ],
    first: ['test/surfaces/http/auth.test.ts', 'test/engine/auth'],
  },
  {
    name: 'connections',
    sources: ['src/surfaces/http/connections.ts', 'src/surfaces/http/limiters.ts'],
    tests: [
      'test/surfaces/http/connections.test.ts',
      'test/surfaces/http/limiters.test.ts',
      'test/surfaces/http/app.test.ts',
      'test/surfaces/http/principals.test.ts',
    ],
    first: ['test/surfaces/http/connections.test.ts', 'test/surfaces/http/limiters.test.ts'],
  },
  {
    name: 'uploads',
    sources: ['src/stores/uploads/*.ts'],
    tests: ['test/stores/uploads', 'test/surfaces/http/sessions.test.ts'],
  },
  {
    name: 'fences',
    sources: ['src/text/elements.ts', 'src/text/invisible.ts', 'src/text/controls.ts'],
    tests: [
      'test/text/elements.test.ts',
      'test/text/invisible.test.ts',
      'test/text/controls.test.ts',
      'test/text/fences.test.ts',
    ],
  },
  {
    name: 'secrets',
    sources: ['src/text/secrets.ts'],
    tests: ['test/text/secrets.test.ts', 'test/ingest/indexing/walk.test.ts', 'test/ingest/indexing/update.test.ts'],
    first: ['test/text/secrets.test.ts'],
  },
  {
    name: 'anywhere',
    sources: ['src/**/*.ts'],
    tests: [],
    first: [`test/${ROOM}`],
  },
]
