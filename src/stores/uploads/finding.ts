import type { Run } from '../../core/flow.ts'
import { countNoun, formatBytes } from '../../text/counts.ts'
import { HERE_ALONE, SHARE } from '../upload-place.ts'
import { readUploadState, sweepOrphans, type UploadState } from './upkeep.ts'
import type { Uploads } from './uploads.ts'

/** The result of a check. */
export interface Finding {
  readonly status: 'ok' | 'warning' | 'failed'
  readonly message: string
  readonly hint?: string
}

/** Maximum number of names in a message. */
const MOST = 3

/** Checks that all uploads are in their place. Deletes orphans first. */
export async function uploadsFinding(uploads: Uploads, isHereAlone: boolean, { signal }: Run): Promise<Finding> {
  const { uri } = await uploads.blobs()
  const orphans = await sweepOrphans(uploads, signal)
  const { objects, bytes, inside, missing } = await readUploadState(uploads, signal)
  if (missing.length > 0) return lostUploads(uri, missing)
  const facts = [
    `${uri}: ${countNoun(objects, 'file')}, ${formatBytes(bytes)}.`,
    ...(inside > 0 ? [`In the database: ${countNoun(inside, 'file')}; "ambit migrate" moves what can be moved.`] : []),
    ...(orphans > 0 ? [`Removed, because no file uses them: ${countNoun(orphans, 'object')}.`] : []),
  ]
  if (isHereAlone) return { status: 'warning', message: `${facts.join(' ')} ${HERE_ALONE}`, hint: SHARE }
  return { status: 'ok', message: facts.join(' ') }
}

function lostUploads(uri: string, missing: UploadState['missing']): Finding {
  const names = missing.slice(0, MOST).map(({ name }) => JSON.stringify(name))
  const more = missing.length > MOST ? ` and ${missing.length - MOST} more` : ''
  return {
    status: 'failed',
    message: `${uri} lacks the bytes of ${countNoun(missing.length, 'file')}: ${names.join(', ')}${more}.`,
    hint: 'Restore a backup of that place, set AMBIT_OBJECTS to the place that has them, or add the files again.',
  }
}
