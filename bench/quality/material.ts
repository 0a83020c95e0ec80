import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { isBeir, openBeir } from './beir.ts'
import { readClassic } from './classic.ts'
import { type Doc, type JudgedSet, judgementsOf, type Query } from './collection.ts'
import { anchorSet, descriptionSet, documentsOf, pastedSet } from './known-item.ts'
import { STOP_WORDS } from './words.ts'

/**
 * Sets that are made of public material, which is fetched and never committed. A folder holds any of: `xquad/` (the files of
 * google-deepmind/xquad), `cran/` (`data/cran` of olivernn/cranfield), judged sets in the form of BEIR (`convert.ts` makes them),
 * `routing/` (checkouts of documentations whose links are questions), and documentations in Markdown under any other name, such
 * as `cpp/` (docs/ of MicrosoftDocs/cpp-docs) and `redis/` (redis/redis-doc). Each query has its kind, and a half by the number
 * at the end of its id: what has an even one is for tuning.
 */
export async function openMaterial(dir: string): Promise<JudgedSet[]> {
  const sets: JudgedSet[] = []
  for (const name of foldersIn(dir).filter((one) => one !== ROUTING)) sets.push(...(await setsIn(join(dir, name))))
  return sets
}

/** The folder with checkouts that are not searched. */
const ROUTING = 'routing'

/** Documentations whose links are asked for: those of the folder `routing`. */
export function routingFolders(dir: string): string[] {
  const folder = join(dir, ROUTING)
  return existsSync(folder) ? foldersIn(folder).map((name) => join(folder, name)) : []
}

function foldersIn(dir: string): string[] {
  return readdirSync(dir)
    .filter((name) => statSync(join(dir, name)).isDirectory())
    .sort()
}

async function setsIn(folder: string): Promise<JudgedSet[]> {
  if (basename(folder) === 'xquad') return languagesOf(folder)
  if (isBeir(folder)) return [withCutWords(await openBeir(folder), 'question')]
  if (existsSync(join(folder, 'cran.qry'))) return [withCutWords(readClassic('cran', folder), 'question')]
  return [documentation(folder)]
}

/** All that a documentation can be asked for by itself: its links, its descriptions, also with their words cut, its lines. */
function documentation(dir: string): JudgedSet {
  const described = descriptionSet(dir)
  const cut = described.queries.map((query): Query => ({ ...query, text: cutWords(query.text) }))
  const sets = [anchorSet(dir), described, { ...described, kind: 'cut desc', queries: cut }, pastedSet(dir)]
  const queries = sets.flatMap((set) =>
    set.queries.map(({ id, text }): Query => ({ id: `${set.kind}-${id}`, text, kind: set.kind })),
  )
  const rows = sets.flatMap((set) =>
    [...set.judgements].flatMap(([id, of]) => [...of].map(([doc, gain]) => [`${set.kind}-${id}`, doc, gain] as const)),
  )
  return {
    name: basename(dir),
    kind: 'pasted',
    documents: () => documentsOf(dir),
    queries,
    judgements: judgementsOf(rows),
  }
}

/** Letters that are left of a word that was cut. */
const CUT = 5

/** The same questions once more, each telling word without what comes behind its fifth letter. */
export function withCutWords(set: JudgedSet, kind: string): JudgedSet {
  const whole = set.queries.map(({ id, text }): Query => ({ id, text, kind }))
  const cut = set.queries.map(({ id, text }): Query => ({ id: `cut-${id}`, text: cutWords(text), kind: `cut ${kind}` }))
  const rows = [...set.judgements].flatMap(([id, of]) =>
    [...of].flatMap(([doc, gain]) => [[id, doc, gain] as const, [`cut-${id}`, doc, gain] as const]),
  )
  return { ...set, queries: [...whole, ...cut], judgements: judgementsOf(rows) }
}

function cutWords(text: string): string {
  return text.replace(/\p{L}+/gu, (word) => (STOP_WORDS.has(word.toLowerCase()) ? word : word.slice(0, CUT)))
}

/** Languages whose words do not show in the writing. */
const WITHOUT_SPACES = /(?:th|zh)$/

interface Xquad {
  readonly data: readonly {
    readonly paragraphs: readonly { readonly context: string; readonly qas: readonly { readonly question: string }[] }[]
  }[]
}

/** A set for each language: the paragraphs, and the questions that were asked about each. */
function languagesOf(dir: string): JudgedSet[] {
  const files = readdirSync(dir).filter((name) => /^xquad\.\w+\.json$/.test(name))
  return files.sort().map((file) => {
    const { data }: Xquad = JSON.parse(readFileSync(join(dir, file), 'utf8'))
    const paragraphs = data.flatMap(({ paragraphs: some }) => some)
    const documents = paragraphs.map(({ context }, at): Doc => ({ id: `${at}`, path: '', title: '', text: context }))
    // A paragraph is of one half, and so are all questions about it.
    const queries = paragraphs.flatMap(({ qas }, at) =>
      qas.map(({ question }, number): Query => ({ id: `${number}-${at}`, text: question, kind: 'question' })),
    )
    const rows = queries.map(({ id }) => [id, id.replace(/^.*-/, ''), 1] as const)
    const name = file.replace('.json', '').replace('.', ' ')
    const judgements = judgementsOf(rows)
    const set: JudgedSet = { name, kind: 'judged', documents: () => streamed(documents), queries, judgements }
    return WITHOUT_SPACES.test(name) ? set : withCutWords(set, 'question')
  })
}

async function* streamed(documents: readonly Doc[]): AsyncIterable<Doc> {
  yield* documents
}
