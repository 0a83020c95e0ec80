import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type LabelledGroup, labelledGroups } from '../../../bench/research/labelled.ts'
import { linkedGroups } from '../../../bench/research/linked.ts'
import { byOverlap, routingScores } from '../../../bench/research/routing.ts'
import { route } from '../../../src/research/routing/route.ts'

const { mixed, single } = labelledGroups()

describe('the labelled set', () => {
  it('has groups of three documents, and each of their documents alone', () => {
    expect(mixed.map(({ name }) => name)).toEqual(['bus', 'heat', 'river'])
    expect(single).toHaveLength(9)
  })

  it('labels lines for questions that are there', () => {
    for (const { children, helpful, items } of mixed) {
      expect(items.length).toBeGreaterThan(30)
      for (const { id } of children) expect([id, (helpful.get(id)?.size ?? 0) >= 4]).toEqual([id, true])
    }
  })

  it('is read line by line: a heading or a blank line ends a span', () => {
    expect(mixed[1]?.items.slice(-3).map(({ sources }) => sources)).toEqual(
      [['treasurer.txt::S3'], ['treasurer.txt::S4'], ['treasurer.txt::S4'], ['treasurer.txt::S4']].slice(-3),
    )
  })
})

describe('the router', () => {
  it('is as good on three documents as is promised, and better than token overlap', () => {
    const { recall, precision, orphans } = routingScores(mixed, route)
    const overlap = routingScores(mixed, byOverlap)
    expect(recall).toBeGreaterThanOrEqual(0.6)
    expect(orphans).toBeLessThanOrEqual(0.15)
    expect(recall).toBeGreaterThan(overlap.recall)
    expect(precision).toBeGreaterThan(overlap.precision)
  })
})

describe('the scores', () => {
  const group: LabelledGroup = {
    name: 'x',
    items: ['F1', 'F2', 'F3', 'F4'].map((id) => ({ id, kind: 'fact', text: id, sources: [] })),
    children: [
      { id: 'a', question: '' },
      { id: 'b', question: '' },
    ],
    helpful: new Map([
      ['a', new Set(['F1', 'F2'])],
      ['b', new Set(['F3'])],
    ]),
  }

  it('are means over the questions, and orphans over the items', () => {
    const router = () =>
      new Map([
        ['a', ['F1', 'F3']],
        ['b', []],
      ])
    expect(routingScores([group], router)).toEqual({
      recall: 0.25,
      precision: 0.25,
      orphans: 0.5,
      helpfulOrphans: 1 / 3,
    })
  })

  it('are perfect for a perfect router', () => {
    const router = () => new Map([...group.helpful].map(([id, items]) => [id, [...items]]))
    expect(routingScores([group], router)).toEqual({ recall: 1, precision: 1, orphans: 0.25, helpfulOrphans: 0 })
  })
})

describe('questions that are texts of links', () => {
  it('ask for the section that is linked to, where they say more than its heading', () => {
    const folder = mkdtempSync(join(tmpdir(), 'ambit-links-'))
    writeFileSync(
      join(folder, 'index.md'),
      '# Harbour\n\nRead [when ferries leave](boats.md#timetable), [Timetable](boats.md#timetable), [what tickets cost](boats.md#prices) and [nowhere at all](boats.md#gone).\n',
    )
    const paragraphs = (what: string) =>
      [1, 2, 3].map((part) => Array.from({ length: 60 }, (_, at) => `${what} ${part * 100 + at} is known.`).join(' '))
    const section = (title: string, what: string) => `## ${title}\n\n${paragraphs(what).join('\n\n')}\n\n`
    writeFileSync(
      join(folder, 'boats.md'),
      `# Boats\n\n${section('Timetable', 'Departure')}${section('Crew', 'Sailor')}${section('Prices', 'Fare')}`,
    )
    const [group, ...others] = linkedGroups(folder)
    rmSync(folder, { recursive: true })
    expect(others).toEqual([])
    const wordsOf = (id: string) => {
      const texts = group?.items.filter((item) => group.helpful.get(id)?.has(item.id)).map(({ text }) => text) ?? []
      return [...new Set(texts.map((text) => text.split(' ')[0]))]
    }
    expect(group?.children.map(({ id, question }) => [question, wordsOf(id)])).toEqual([
      ['what tickets cost', ['Fare']],
      ['when ferries leave', ['Departure']],
    ])
    // What stands behind a section that is asked for is among the items, and helps nobody.
    expect(group?.items.some(({ text }) => text.startsWith('Sailor'))).toBe(true)
  })
})
