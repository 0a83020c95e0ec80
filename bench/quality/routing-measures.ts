import { basename } from 'node:path'
import { route } from '../../src/research/routing/route.ts'
import { type LinkedGroup, linkedGroups } from '../research/linked.ts'
import { type Measure, measureOf } from './measure.ts'
import type { Half } from './questions.ts'
import type { RankerMaker } from './ranker.ts'

/** Items that the other rankers give a question. */
const MOST = 12

interface RoutedQuestion {
  readonly half: Half
  readonly recall: number
  readonly precision: number
}

/**
 * How items are divided among questions that are texts of links, on checkouts of documentations. By their names every second one
 * is held out. The others rank the items of a group for each of its questions.
 */
export async function routingMeasures(folders: readonly string[], makers: readonly RankerMaker[]): Promise<Measure[]> {
  const sets = folders.toSorted((a, b) => (basename(a) < basename(b) ? -1 : 1))
  const groups = sets.flatMap((folder, at) =>
    linkedGroups(folder).map((group) => ({ group, half: (at % 2 === 0 ? 'tuning' : 'held-out') as Half })),
  )
  if (groups.length === 0) return []
  const measures = routingRows(
    'Ambit',
    groups.flatMap(({ group, half }) => score(group, half, route(group.items, group.children, group.index))),
  )
  for (const maker of makers.filter(({ name }) => name !== 'Ambit')) {
    const routed: RoutedQuestion[] = []
    for (const { group, half } of groups) routed.push(...score(group, half, await rankItems(maker, group)))
    measures.push(...routingRows(maker.name, routed))
  }
  return measures
}

function routingRows(ranker: string, routed: readonly RoutedQuestion[]): Measure[] {
  return [
    measureOf(
      'routing: recall',
      ranker,
      routed.map(({ half, recall }) => ({ half, score: recall })),
    ),
    measureOf(
      'routing: precision',
      ranker,
      routed.map(({ half, precision }) => ({ half, score: precision })),
    ),
  ]
}

function score({ children, helpful }: LinkedGroup, half: Half, slices: ReadonlyMap<string, readonly string[]>) {
  return children.map(({ id }): RoutedQuestion => {
    const [got, helps] = [slices.get(id) ?? [], helpful.get(id) ?? new Set()]
    const hits = got.filter((item) => helps.has(item)).length
    return { half, recall: hits / Math.max(1, helps.size), precision: hits / Math.max(1, got.length) }
  })
}

async function rankItems(maker: RankerMaker, { items, children, headingsOf }: LinkedGroup) {
  const ranker = maker.open()
  await ranker.index(
    (async function* () {
      for (const { id, text, sources } of items)
        yield { id, path: '', title: headingsOf(sources[0] ?? '').at(-1) ?? '', text }
    })(),
  )
  const slices = new Map<string, readonly string[]>()
  for (const { id, question } of children) slices.set(id, await ranker.search(question, MOST))
  await ranker.close()
  return slices
}
