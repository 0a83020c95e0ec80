/** The collections that a principal sees; others look as if they did not exist. */

import { ContextError } from '../../../core/errors.ts'
import type { DocumentFilter } from '../../../stores/document-store.ts'
import type { Collection, Store } from '../../../stores/store.ts'

export class CollectionVisibility {
  readonly #store: Pick<Store, 'collections'>
  readonly #names: ReadonlySet<string>

  constructor(store: Pick<Store, 'collections'>, names: readonly string[]) {
    this.#store = store
    this.#names = new Set(names)
  }

  has(name: string): boolean {
    return this.#names.has(name)
  }

  /** Those that there are, by name. */
  async collections(): Promise<Collection[]> {
    return (await this.#store.collections.list()).filter(({ name }) => this.has(name))
  }

  /** Does something with a collection. @throws ContextError `not-found` where it is none that is seen. */
  async in<Value>(name: string, work: () => Promise<Value>): Promise<Value> {
    return this.inAll([name], work)
  }

  /**
   * As `in`. What the store says of one that is gone names others: it is said anew.
   *
   * @throws ContextError `not-found`.
   */
  async inAll<Value>(names: readonly string[], work: () => Promise<Value>): Promise<Value> {
    const hidden = names.find((name) => !this.has(name))
    if (hidden !== undefined) throw await this.#missing(hidden)
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof ContextError && error.code === 'not-found')) throw error
      const seen = new Set((await this.collections()).map(({ name }) => name))
      const gone = names.find((name) => !seen.has(name))
      throw gone === undefined ? error : await this.#missing(gone)
    }
  }

  /** The filter, kept to what is seen; undefined where it can let nothing through. @throws ContextError `not-found`. */
  async kept(
    filter: DocumentFilter,
  ): Promise<(DocumentFilter & { readonly collections: readonly string[] }) | undefined> {
    const { collections: named = [] } = filter
    const seen = await this.collections()
    if (named.length === 0) {
      const open = seen.filter(({ isPaused }) => !isPaused).map(({ name }) => name)
      return open.length === 0 ? undefined : { ...filter, collections: open }
    }
    const gone = named.find((name) => !seen.some((one) => one.name === name))
    if (gone !== undefined) throw await this.#missing(gone)
    return { ...filter, collections: named }
  }

  async #missing(name: string): Promise<ContextError> {
    const names = (await this.collections()).map((one) => one.name)
    const hint = names.length === 0 ? 'This token may read no collection.' : `There are: ${names.join(', ')}.`
    return new ContextError('not-found', `There is no collection "${name}".`, { hint })
  }
}

/** The refusal for a token of some collections; it reveals nothing. */
export function notOfSome(what: string): ContextError {
  const hint = 'Ask the administrator of the server.'
  return new ContextError('denied', `A token that is limited to collections cannot ${what}.`, { hint })
}
