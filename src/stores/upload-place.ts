import type { Blobs } from '../files/blobs.ts'

/** Where the bytes of uploads are kept beside a database. */
export interface UploadPlace {
  /** A directory, or `s3://bucket/prefix`. */
  readonly root: string
  /** Other machines may use the database, and nobody said that they see this place, too. */
  readonly isHereAlone: boolean
  open(): Promise<Blobs>
}

/** Said of a place that is here alone. */
export const HERE_ALONE = 'Uploads are kept on this machine alone: other machines cannot read what is added here.'
export const SHARE = 'Set AMBIT_OBJECTS to s3://BUCKET/PREFIX, or to a directory that all machines share.'
