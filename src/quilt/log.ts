import { BucketTrouble, ContextError, invalidInput } from '../core/errors.ts'
import type { Run } from '../core/flow.ts'
import { mapParallel } from '../core/parallel.ts'
import type { LoggedRevision, PackageLogAnswer } from './answers.ts'
import type { PackageQuestion } from './found.ts'
import { batchesOf, type Manifest } from './packages/manifest.ts'
import { resolvePackage } from './packages/resolve.ts'
import { type RevisionRow, revisionsOf } from './packages/revisions.ts'

/** Manifests whose first lines are read at the same time. */
const WIDE = 16

/** The revisions of a package, the newest first, each with what was said when it was pushed. */
export async function logOf(asked: PackageQuestion, limit: number, run: Run): Promise<PackageLogAnswer> {
  const { place, registry } = asked
  const { name, revision } = place.spec
  if (revision !== undefined)
    throw invalidInput('The log lists all revisions of a package.', `Give ${name} without a revision.`)
  const { revisions, total, latest = null } = await revisionsOf(registry.objects, name, { limit, signal: run.signal })
  const rows = await mapParallel(revisions, { wide: WIDE, signal: run.signal }, (row) =>
    describeRevision(asked, row, run),
  )
  return { bucket: registry.bucket, name, latest, total, revisions: rows }
}

/** A revision whose manifest cannot be read is listed as such. */
async function describeRevision(
  { place, registry }: PackageQuestion,
  row: RevisionRow,
  run: Run,
): Promise<LoggedRevision> {
  const { hash, modified, pointers, isLatest } = row
  const listed = { hash, modified, pointers, isLatest }
  try {
    const spec = { name: place.spec.name, revision: { hash } }
    const { manifest } = await resolvePackage(registry.objects, spec, run)
    return { ...listed, message: await messageIn(manifest, run) }
  } catch (error) {
    if (!(error instanceof ContextError) || error.code === 'cancelled' || error instanceof BucketTrouble) throw error
    return { ...listed, message: null, problem: error.message }
  }
}

/** What stands in the first line: no more than its block is read. */
async function messageIn(manifest: Manifest, { signal }: Run): Promise<string | null> {
  for await (const { records } of batchesOf(manifest, signal))
    for (const record of records) if (record.kind === 'header') return record.message
  return null
}
