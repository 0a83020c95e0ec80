import { basename } from 'node:path'
import { type Child, route } from '../../src/research/routing/route.ts'
import type { DigestItem, RoutingIndex } from '../../src/research/run/evidence.ts'
import { bound, type Findings } from '../harness.ts'
import { type LabelledGroup, labelledGroups } from './labelled.ts'
import { type LinkedGroup, linkedGroups } from './linked.ts'

type Router = (
  items: readonly DigestItem[],
  children: readonly Child[],
  index?: RoutingIndex,
) => ReadonlyMap<string, readonly string[]>

/** Shares from 0 to 1. */
export interface RoutingScores {
  readonly recall: number
  readonly precision: number
  /** Items that no question got; and of those that help some question. */
  readonly orphans: number
  readonly helpfulOrphans: number
}

/** Means over the questions of all groups; orphans over all items. */
export function routingScores(
  groups: readonly (LabelledGroup & Partial<LinkedGroup>)[],
  router: Router,
): RoutingScores {
  const routed = groups.map((group) => ({ group, slices: router(group.items, group.children, group.index) }))
  const asked = routed.flatMap(({ group, slices }) =>
    group.children.map(({ id }) => {
      const [got, helpful] = [slices.get(id) ?? [], group.helpful.get(id) ?? new Set()]
      const hits = got.filter((item) => helpful.has(item)).length
      return { recall: hits / Math.max(1, helpful.size), precision: hits / Math.max(1, got.length) }
    }),
  )
  const helpful = routed.flatMap(({ group, slices }) => {
    const got = new Set([...slices.values()].flat())
    return [...new Set([...group.helpful.values()].flatMap((some) => [...some]))].map((item) => got.has(item))
  })
  const items = routed.reduce((sum, { group }) => sum + group.items.length, 0)
  const kept = routed.reduce((sum, { slices }) => sum + new Set([...slices.values()].flat()).size, 0)
  return {
    recall: mean(asked.map(({ recall }) => recall)),
    precision: mean(asked.map(({ precision }) => precision)),
    orphans: 1 - kept / items,
    helpfulOrphans: mean(helpful.map((isKept) => (isKept ? 0 : 1))),
  }
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length)
}

const MOST_BY_OVERLAP = 12

/** What the router is held above: for each question the items with most words in common with it. */
export const byOverlap: Router = (items, children) =>
  new Map(
    children.map(({ id, question }) => {
      const wanted = wordsOf(question)
      const scored = items.map((item) => ({
        item,
        score: [...wordsOf(item.text)].filter((one) => wanted.has(one)).length,
      }))
      const best = scored.filter(({ score }) => score > 0).sort((a, b) => b.score - a.score)
      return [id, best.slice(0, MOST_BY_OVERLAP).map(({ item }) => item.id)]
    }),
  )

function wordsOf(text: string): Set<string> {
  return new Set(text.toLowerCase().match(/[\p{L}\p{N}]{3,}/gu) ?? [])
}

/** How well what a node knows is divided among its questions, on the labelled set. */
export function routingFigures(): Findings {
  const { mixed, single } = labelledGroups()
  const [ours, theirs] = [routingScores(mixed, route), routingScores(mixed, byOverlap)]
  const rows = (name: string, groups: readonly LabelledGroup[]) => [
    rowOf(`${name}: the router`, routingScores(groups, route)),
    rowOf(`${name}: token overlap, top ${MOST_BY_OVERLAP}`, routingScores(groups, byOverlap)),
  ]
  return {
    verdicts: [
      bound('routing: recall, three documents', ours.recall, { unit: 'score', limit: 0.6, atLeast: true }),
      bound('routing: orphans, three documents', ours.orphans, { unit: 'score', limit: 0.15 }),
      bound('routing: recall beyond token overlap', ours.recall - theirs.recall, {
        unit: 'score',
        limit: 0,
        atLeast: true,
      }),
    ],
    tables: [
      {
        title: 'Routing: what each question gets of what helps it',
        note: 'Labelled by hand: see test/quality/routing/README.md.',
        columns: ['', 'recall', 'precision', 'orphans'],
        rows: [...rows('three documents', mixed), ...rows('one document', single)],
      },
    ],
  }
}

/**
 * How well items are divided among questions that are texts of links, `linked.ts`: on the checkouts of documentations in the
 * folders that are given. By their names every second one is held out.
 */
export function linkedRoutingFigures(folders: readonly string[]): Findings {
  const sets = folders
    .map((folder) => ({ name: basename(folder), groups: linkedGroups(folder) }))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
  const half = (rest: number) => sets.filter((_, at) => at % 2 === rest).flatMap(({ groups }) => groups)
  const held = routingScores(half(1), route)
  const row = (name: string, groups: readonly LinkedGroup[], router: Router = route) => {
    const { recall, precision, helpfulOrphans } = routingScores(groups, router)
    const questions = groups.reduce((sum, { children }) => sum + children.length, 0)
    return [name, String(questions), ...[recall, precision, helpfulOrphans].map((value) => value.toFixed(3))]
  }
  return {
    verdicts: [
      bound('routing: recall, held out', held.recall, { unit: 'score', limit: 0.8, atLeast: true }),
      bound('routing: precision, held out', held.precision, { unit: 'score', limit: 0.45, atLeast: true }),
      bound('routing: orphans among helpful items, held out', held.helpfulOrphans, { unit: 'score', limit: 0.05 }),
    ],
    tables: [
      {
        title: 'Routing among the questions of real documentations',
        note: 'Questions are texts of links; what helps is what stands in the section that is linked to.',
        columns: ['', 'questions', 'recall', 'precision', 'orphans that help'],
        rows: [
          ...sets.map(({ name, groups }) => row(name, groups)),
          row('tuning half', half(0)),
          row('held out', half(1)),
          row(`held out: token overlap, top ${MOST_BY_OVERLAP}`, half(1), byOverlap),
        ],
      },
    ],
  }
}

function rowOf(name: string, { recall, precision, orphans }: RoutingScores): string[] {
  return [name, ...[recall, precision, orphans].map((value) => value.toFixed(3))]
}
