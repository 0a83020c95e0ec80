/** Which versions of Node.js the program runs on. Older ones read this, too: it keeps to what Node 14 understands. */

/** The `engines` of package.json: 22.22 and later 22.x, 24.11 and anything newer. */
export function runsOn(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  if (major === 22) return minor >= 22
  return major === 24 ? minor >= 11 : major > 24
}

/** What is needed in place of this one. */
export const NEEDED = `Node.js 24.11 or newer (or 22.22 and later 22.x); this is ${process.version}.`
