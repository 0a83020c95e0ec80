/** What uploads take, which is loaded with the store. */

export { uploadsFinding } from './finding.ts'
export { keptBeside } from './kept-beside.ts'
export { movedAll, swept } from './upkeep.ts'
export { Uploads } from './uploads.ts'
