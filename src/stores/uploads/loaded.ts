/** What uploads take, which is loaded with the store. */

export { uploadsFinding } from './finding.ts'
export { withExternalUploads } from './kept-beside.ts'
export { moveUploadsOut, sweepOrphans } from './upkeep.ts'
export { Uploads } from './uploads.ts'
