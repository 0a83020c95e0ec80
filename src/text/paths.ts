/** Arithmetic on slash-separated paths: pure, and by segment, so that `/api` is never above `/apiary`. */

/** The named parts of a path; empty ones and `.` are dropped. */
export function segments(path: string): string[] {
  return path.split('/').filter((segment) => segment !== '' && segment !== '.')
}

/** Whether `path` is `directory` or below it. Both absolute and normalised, without trailing slash (but for `/`). */
export function isWithin(directory: string, path: string): boolean {
  return path === directory || path.startsWith(directory === '/' ? '/' : `${directory}/`)
}

/** `path` seen from `directory`, without leading slash; `''` for the directory itself; undefined when it is not within. */
export function relativeTo(directory: string, path: string): string | undefined {
  if (!isWithin(directory, path)) return undefined
  return path.slice(directory === '/' ? 1 : directory.length + 1)
}

/** The directory above a normalised absolute path; `/` is above itself. */
export function parentOf(path: string): string {
  const slash = path.lastIndexOf('/')
  return slash <= 0 ? '/' : path.slice(0, slash)
}

/** `path` and the directories above it, nearest first, up to and with `top`; just `path` when it is not within `top`. */
export function ancestors(path: string, top: string): string[] {
  if (!isWithin(top, path)) return [path]
  const found = [path]
  for (let at = path; at !== top && at !== '/'; ) {
    at = parentOf(at)
    found.push(at)
  }
  return found
}

/** How many directories deep a path is; 0 for the root. */
export function depthOf(path: string): number {
  return segments(path).length
}

/** Order by UTF-16 code unit: the same on every machine and in every locale. */
export function byCodeUnit(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

/** As paths are compared by what they hold: in lower case and without accents. */
export function foldedPath(text: string): string {
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[\u0300-\u036f]/g, '')
}

/** Characters of a path in a message, in UTF-16 code units. */
const MOST_SHOWN = 200

/** A path relative to a root as a message shows it: `.` for the root itself, and cut when very long. */
export function shortenPath(path: string): string {
  if (path === '') return '.'
  return path.length > MOST_SHOWN ? `${path.slice(0, MOST_SHOWN)}…` : path
}
