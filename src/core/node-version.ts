/** Supported versions of Node.js. Older ones read this file, too: it is written for Node 14. */

/** The `engines` of package.json: 22.22 and later 22.x, 24.11 and anything newer. */
export function runsOn(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  if (major === 22) return minor >= 22
  return major === 24 ? minor >= 11 : major > 24
}

/** The needed versions and the running one, for messages. */
export const NEEDED = `Node.js 24.11 or newer (or 22.22 and later 22.x); this is ${process.version}.`
