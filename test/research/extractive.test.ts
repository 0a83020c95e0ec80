import { describe, expect, it } from 'vitest'
import { childrenOf } from '../../src/research/extractive/decompose.ts'
import { sufficiencyOf } from '../../src/research/extractive/sufficiency.ts'
import { reportBody, synthesisOf } from '../../src/research/extractive/synthesis.ts'
import type { SelectedItem } from '../../src/research/run/context.ts'
import type { Branch } from '../../src/research/run/stages.ts'

const SAID: readonly (readonly [text: string, heading: string])[] = [
  ['A write takes at most 5 ms.', 'Limits of the cache'],
  ['The cache holds 10 GB.', 'Storage'],
  ['The garden is open on Sundays.', 'Visits'],
]

const items = SAID.map(
  ([text], at): SelectedItem => ({ id: `F${at + 1}`, kind: 'fact', text, sources: [`a.md::S${at}`] }),
)
const headingsOf = (ref: string) => [SAID[Number(ref.at(-1))]?.[1] ?? '']
const slice = {
  node_id: '1',
  selection_reason: '',
  selected_items: items,
  coverage_note: '',
  dropped_items_count: 0,
  mode: 'root',
} as const

function found(question: string) {
  const task = { task: question, question, depth: 2, slice, passages: [], headingsOf }
  const findings = synthesisOf(task)
  return { texts: findings.map(({ text }) => text), ...sufficiencyOf({ ...task, findings }) }
}

describe('what is found without a model', () => {
  it.each([
    ['by what it says', 'How many GB does the cache hold?', 'The cache holds 10 GB.'],
    ['by the heading that it stands under', 'What are the limits of the cache?', 'A write takes at most 5 ms.'],
    [
      'by one word of several, where nothing has more',
      'When does the gardener open?',
      'The garden is open on Sundays.',
    ],
  ])('is found %s', (_, question, first) => {
    expect(found(question).texts[0]).toBe(first)
  })

  it('is nothing where no word is in the files', () => {
    expect(found('Who wrote the opera?')).toMatchObject({ texts: [], is_sufficient: false })
  })

  it('answers a question whose words are in a heading', () => {
    expect(found('What are the limits of the cache?')).toMatchObject({ is_sufficient: true, gaps: [] })
  })

  it('of a collection is left out where it has one word of several: that is chance', () => {
    const passage = {
      ref: 'ambit://docs/a.md#L1',
      kind: 'collections',
      title: 'A',
      text: 'The garden is green.',
    } as const
    const question = 'When does the gardener open the door?'
    const none = { ...slice, selected_items: [] }
    expect(synthesisOf({ task: question, question, depth: 2, slice: none, passages: [passage], headingsOf })).toEqual(
      [],
    )
  })
})

const task = 'What of a write, the cache and the garden?'
const divided = { task, depth: 1, slice, headingsOf, gaps: [], asked: [], most: 5 }

describe('a report that no model wrote', () => {
  const branch = (id: string, question: string): Branch => ({
    id,
    question,
    depth: id.split('.').length,
    status: 'answered',
    evidence: ['context'],
    findings: [{ text: `What ${id} says.`, ref: 'a.md::S1', kind: 'context' }],
    gaps: [],
    reasoning: '',
  })

  it('has for its headings what a question asks beyond the whole one', () => {
    const children = childrenOf({ ...divided, question: task })
    const [first = ''] = children
    const [deeper = ''] = childrenOf({ ...divided, question: first })
    expect(children).toContain(`${task.slice(0, -1)}: Storage?`)
    expect(deeper.startsWith(first.slice(0, -1))).toBe(true)
    const branches = [branch('1', task), branch('1.1', first), branch('1.1.1', deeper), branch('1.2', 'Who pays?')]
    const report = reportBody({ task, language: '', items: [], files: [], missing: [], branches })
    const [heading, below] = [first, deeper].map((question) => question.slice(task.length + 1, -1))
    expect(report.match(/^## .*$/gm)).toEqual([
      '## Answer',
      `## 1.1 ${heading}`,
      `## 1.1.1 ${below}`,
      '## 1.2 Who pays?',
    ])
    expect(below).toMatch(/^[A-Z][a-z ]+: [A-Z][a-z ]+$/)
  })
})
