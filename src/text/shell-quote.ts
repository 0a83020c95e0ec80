import { uriOf } from './collection-uri.ts'

export function quoteShell(word: string): string {
  return /^[\w@%+=:,./][\w@%+=:,./-]*$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`
}

/** A place as an argument: `/`, `name/path`, or a URI if `name/path` would be ambiguous. */
export function placeArgument(collection: string | null, pathPrefix: string): string {
  if (collection === null) return '/'
  const path = pathPrefix.slice(1)
  const name = path === '' ? collection : `${collection}/${path}`
  return /^[/.~-]|^\s*$|^[a-z][a-z0-9+.-]*:\/\//i.test(name) ? uriOf({ collection, path }) : name
}
