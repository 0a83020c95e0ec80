import type { Blobs } from '../files/blobs.ts'

/** The place of uploads beside a database. */
export interface UploadPlace {
  /** A directory, or `s3://bucket/prefix`. */
  readonly root: string
  /** Other machines may use the database, and may not see this place. */
  readonly isHereAlone: boolean
  open(): Promise<Blobs>
}

/** A warning about a place on this machine alone. */
export const HERE_ALONE = 'Uploads are kept on this machine alone: other machines cannot read what is added here.'
export const SHARE = 'Set AMBIT_OBJECTS to s3://BUCKET/PREFIX, or to a directory that all machines share.'
