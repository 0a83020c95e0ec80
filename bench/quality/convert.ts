/**
 * Converts a collection into the form of BEIR: `node bench/quality/convert.ts SET --from DIR --to DIR`.
 *
 * SET is a classic collection, whose original files are in the folder: `cran` (olivernn/cranfield, `data/cran`), `cisi`,
 * `cacm`, `med`, `npl` (fbergh/IR_Project, `data/*`, at the parent of commit f8ef5d8); or `trec` (a folder in that form,
 * such as `npl` in terrier-org/pyterrier); or `anchor`, `desc` or `pasted`, made from any folder of Markdown. What comes out is
 * never committed: most of these collections have no licence.
 */

import { parseArgs } from 'node:util'
import { writeBeir } from './beir.ts'
import { CLASSIC_SETS, readClassic } from './classic.ts'
import type { JudgedSet } from './collection.ts'
import { anchorSet, descriptionSet, pastedSet } from './known-item.ts'
import { openSet } from './open-set.ts'

async function readSet(set: string, from: string): Promise<JudgedSet> {
  if (set === 'anchor') return anchorSet(from)
  if (set === 'desc') return descriptionSet(from)
  if (set === 'pasted') return pastedSet(from)
  return set === 'trec' ? openSet(from) : readClassic(set, from)
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { from: { type: 'string' }, to: { type: 'string' } },
})
const [name] = positionals
if (name === undefined || values.from === undefined || values.to === undefined) {
  console.error(
    `usage: convert.ts ${[...CLASSIC_SETS, 'anchor', 'desc', 'pasted', 'trec'].join('|')} --from DIR --to DIR`,
  )
  process.exitCode = 2
} else {
  const set = await readSet(name, values.from)
  const documents = await writeBeir(values.to, set)
  const relevant = set.queries.reduce((sum, { id }) => sum + (set.judgements.get(id)?.size ?? 0), 0)
  console.log(`${name}: ${documents} documents, ${set.queries.length} queries, ${relevant} judgements`)
}
