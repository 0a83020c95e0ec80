import { basename, resolve } from 'node:path'
import { isBeir, openBeir } from './beir.ts'
import type { JudgedSet } from './collection.ts'
import { openTrec, trecFilesOf } from './trec.ts'

/** Opens a folder that holds a judged set, in the form of BEIR or of TREC. */
export async function openSet(path: string): Promise<JudgedSet> {
  const dir = resolve(path)
  if (isBeir(dir)) return openBeir(dir)
  const files = trecFilesOf(dir)
  if (files === undefined) throw new Error(`${path} holds no set: no corpus.jsonl, and no TREC documents with qrels`)
  return openTrec(basename(dir), files)
}
