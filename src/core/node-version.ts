/** Checks the version of Node.js. Unsupported versions run this file, too, so it is written for Node 14. */

/** Whether Ambit supports a version of Node.js, as `engines` in package.json says: 22.22 or later 22.x, or 24.11 or newer. */
export function runsOn(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  if (major === 22) return minor >= 22
  return major === 24 ? minor >= 11 : major > 24
}

/** The required versions and the running version, for messages. */
export const REQUIRED_NODE = `Node.js 24.11 or newer (or 22.22 and later 22.x); this is ${process.version}.`
