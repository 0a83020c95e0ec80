import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { type CitationState, findDrift } from '../../src/drift/drift.ts'
import { repositoryAt } from '../../src/drift/lookup/git.ts'
import { type BenchOptions, bound, type Findings, type Table } from '../harness.ts'

/** A person's verdict on a citation; `none`: there is nothing to report. */
type Label = CitationState | 'none'
type Citation = readonly [file: string, line: number, cited: string, label: Label]

interface Labelled {
  readonly name: string
  readonly commit: string
  readonly half: Half
  readonly citations: readonly Citation[]
}

/** The rules were tuned on one half of the repositories, and are judged by the other half. */
type Half = 'tuned' | 'held-out'

/** The label of a citation, and what `check` says about it. */
interface JudgedCitation {
  readonly label: Label
  readonly said: Label
}

const LABELS: readonly Label[] = ['dead', 'moved', 'planned', 'example', 'none']
const MIN_PRECISION = 0.9

/**
 * Measures how often findings of `check` are right, on checkouts of public repositories with labels by a person. Folders
 * without a labelled commit are skipped, and listed.
 */
export async function checkFigures({ folders = [] }: BenchOptions): Promise<Findings> {
  const { repositories }: { repositories: readonly Labelled[] } = JSON.parse(
    readFileSync(new URL('labels.json', import.meta.url), 'utf8'),
  )
  const judged: Record<Half, JudgedCitation[]> = { tuned: [], 'held-out': [] }
  const rows: string[][] = []
  for (const folder of folders.map((path) => resolve(path))) {
    const head = repositoryAt(folder)?.head
    const labelled = repositories.find(({ commit }) => commit === head)
    if (labelled === undefined) {
      rows.push([folder, 'no labelled commit', ...Array(COLUMNS.length - 2).fill('')])
      continue
    }
    const { found, others } = await judge(folder, labelled)
    judged[labelled.half].push(...found)
    rows.push([labelled.name, labelled.half, ...figuresOf(found), String(others)])
  }
  const halves = (['tuned', 'held-out'] as const).map((half) => [half, '', ...figuresOf(judged[half]), ''])
  return {
    verdicts: verdictsOf(judged['held-out']),
    tables: [tableOf([...rows, ...halves]), confusionTable(judged['held-out'])],
  }
}

async function judge(folder: string, { citations }: Labelled) {
  const names = [...new Set(citations.map(([file]) => file))]
  const files = names.map((name) => ({ path: join(folder, name), text: readFileSync(join(folder, name), 'utf8') }))
  const { drift } = await findDrift({ root: folder, files, history: true })
  const said = new Map(drift.map(({ path, line, cited, state }) => [keyOf(path, line, cited), state]))
  const keys = citations.map(([file, line, cited]) => keyOf(join(folder, file), line, cited))
  const found = citations.map(
    ([, , , label], index): JudgedCitation => ({ label, said: said.get(keys[index] ?? '') ?? 'none' }),
  )
  const others = drift.filter(
    ({ path, line, cited, state }) => state === 'dead' && !keys.includes(keyOf(path, line, cited)),
  )
  return { found, others: others.length }
}

function keyOf(path: string, line: number, cited: string): string {
  return JSON.stringify([path, line, cited])
}

interface Score {
  readonly right: number
  readonly said: number
  readonly labelled: number
}

function scoreOf(judged: readonly JudgedCitation[], label: Label): Score {
  return {
    right: judged.filter((one) => one.said === label && one.label === label).length,
    said: judged.filter(({ said }) => said === label).length,
    labelled: judged.filter((one) => one.label === label).length,
  }
}

function verdictsOf(heldOut: readonly JudgedCitation[]): Findings['verdicts'] {
  const { right, said, labelled } = scoreOf(heldOut, 'dead')
  const least = { unit: 'score', atLeast: true } as const
  return [
    bound('check: precision of `dead`, held out', right / said, { ...least, limit: MIN_PRECISION }),
    bound('check: recall of `dead`, held out', right / labelled, { ...least, limit: Number.NEGATIVE_INFINITY }),
  ]
}

const COLUMNS = ['repository', 'half', 'citations', 'dead', 'found dead', 'precision', 'recall', 'unlabelled']

function tableOf(rows: readonly (readonly string[])[]): Table {
  const note =
    'Citations labelled `dead`, and citations that `check` reports as `dead`. Each label comes from the document alone, without the answers of the rules. A repository counts as tuned once somebody looked at a miss in it. Unlabelled: findings of `dead` in the same files without a label.'
  return { title: 'Dead citations', note, columns: COLUMNS, rows }
}

function figuresOf(judged: readonly JudgedCitation[]): string[] {
  const { right, said, labelled } = scoreOf(judged, 'dead')
  return [judged.length, labelled, said].map(String).concat(share(right, said), share(right, labelled))
}

function share(part: number, whole: number): string {
  return whole === 0 ? '' : (part / whole).toFixed(2)
}

/** A table with the labels as rows, and what `check` says as columns. */
function confusionTable(judged: readonly JudgedCitation[]): Table {
  const rows = LABELS.map((label) => [
    label,
    ...LABELS.map((said) => String(judged.filter((one) => one.label === label && one.said === said).length)),
  ])
  return { title: 'Held out: labelled, and as found', columns: ['labelled', ...LABELS], rows }
}
