import type { Store } from '../../../src/stores/store.ts'

/** Does something with a new store, which has these collections: `docs`, where none is named; and checks it afterwards. */
export type WithStore = (test: (store: Store) => Promise<void>, collections?: readonly string[]) => Promise<void>
