import { uriOf } from './collection-uri.ts'

/** A word as a shell takes it, whatever is in it. */
export function quoteShell(word: string): string {
  return /^[\w@%+=:,./][\w@%+=:,./-]*$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`
}

/** How a place is written on a command line: `/`, `name/path`, or with the scheme where a bare name would be misread. */
export function placeArgument(collection: string | null, pathPrefix: string): string {
  if (collection === null) return '/'
  const path = pathPrefix.slice(1)
  const name = path === '' ? collection : `${collection}/${path}`
  return /^[/.~-]|^\s*$|^[a-z][a-z0-9+.-]*:\/\//i.test(name) ? uriOf({ collection, path }) : name
}
