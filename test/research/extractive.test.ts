import { describe, expect, it } from 'vitest'
import { childrenOf } from '../../src/research/extractive/decompose.ts'
import { sufficiencyOf } from '../../src/research/extractive/sufficiency.ts'
import { reportBody, synthesisOf } from '../../src/research/extractive/synthesis.ts'
import type { DigestItem, PartEvidence } from '../../src/research/run/evidence.ts'
import { FileEvidence } from '../../src/research/run/file-evidence.ts'
import { assessQuestion } from '../../src/research/run/question-evidence.ts'
import { spansOf } from '../../src/research/run/spans.ts'
import type { Branch } from '../../src/research/run/stages.ts'

const TEXT = `# Manual

## Limits of the cache

A write takes at most 5 ms.

## Storage

The cache holds 10 GB. It is emptied at night.

## Visits

The garden is open on Sundays.

| Plan  | Price  | Insurance |
| ----- | ------ | --------- |
| Basic | 12 EUR | none      |
| Full  | 30 EUR | included  |
`

function evidenceOf(files: Readonly<Record<string, string>>): FileEvidence {
  return new FileEvidence(
    Object.entries(files).map(([alias, text]) => {
      const isCsv = alias.endsWith('.csv')
      const spans = spansOf({ text, syntax: isCsv ? 'plain' : 'markdown', isCsv })
      return { alias, title: alias, text, isCsv, spans }
    }),
  )
}

function found(question: string, files: Readonly<Record<string, string>> = { 'a.md': TEXT }) {
  const parts = assessQuestion(question, { files: evidenceOf(files), passages: [] })
  const findings = synthesisOf({ parts })
  const task = { task: question, question, depth: 2, slice, headingsOf, parts, findings }
  return { texts: findings.map(({ text }) => text), parts, ...sufficiencyOf(task) }
}

const slice = {
  node_id: '1',
  selection_reason: '',
  selected_items: [
    { id: 'F1', kind: 'fact', text: 'A write takes at most 5 ms.', sources: ['a.md::S0'] },
    { id: 'F2', kind: 'fact', text: 'The cache holds 10 GB.', sources: ['a.md::S1'] },
    { id: 'F3', kind: 'fact', text: 'The garden is open on Sundays.', sources: ['a.md::S2'] },
  ],
  coverage_note: '',
  dropped_items_count: 0,
  mode: 'root',
} as const

const headingsOf = (ref: string) => [['Limits of the cache', 'Storage', 'Visits'][Number(ref.at(-1))] ?? '']

const CSV = 'city,country,boats\nBergen,Norway,120\n"Hull, the port",England,80\n'

describe('what is found without a model', () => {
  it.each([
    ['by what it says', 'How many GB does the cache hold?', 'The cache holds 10 GB.'],
    ['by the heading that it stands under', 'What are the limits of the cache?', 'A write takes at most 5 ms.'],
    ['by the beginning of a word', 'When does the gardener open?', 'The garden is open on Sundays.'],
    ['with what it leans on', 'When is it emptied?', 'The cache holds 10 GB. It is emptied at night.'],
    [
      'in a table by a cell and the name of a column',
      'What is the insurance of the Full plan?',
      'Plan: Full; Price: 30 EUR; Insurance: included',
    ],
  ])('is found %s', (_, question, first) => {
    expect(found(question).texts[0]).toBe(first)
  })

  it.each([
    ['How many boats are in Bergen?', 'city: Bergen; country: Norway; boats: 120'],
    ['Which country is Hull in?', 'city: Hull, the port; country: England; boats: 80'],
  ])('is found in CSV by its columns: %s', (question, first) => {
    expect(found(question, { 'boats.csv': CSV }).texts[0]).toBe(first)
  })

  it('is nothing where no word is in the files', () => {
    const { texts, is_sufficient, gaps } = found('Who wrote the opera?')
    expect([texts, is_sufficient]).toEqual([[], false])
    expect(gaps).toContain('Nothing that was read holds “opera”.')
  })

  it('never says that nothing holds a word which stands in a file, if only as the name of a column', () => {
    for (const word of ['Insurance', 'Sundays', 'Storage', 'EUR', 'emptied']) {
      expect(found(`What of the ${word} of the opera?`).gaps.join()).not.toContain(`holds “${word}”`)
    }
  })

  it.each([
    ['How many GB does the cache hold?', 'yes'],
    ['How many plans has the garden?', 'no'],
    ['How many caches hold 10 GB?', 'part'],
    ['What are the limits of the cache?', 'part'],
    ['What is the price of the Basic plan?', 'yes'],
    ['Who emptied the garden?', 'no'],
  ])('answers as far as it holds what is asked: %s %s', (question, answered) => {
    expect(found(question).parts.map((part) => part.answered)).toEqual([answered])
  })

  it('is judged part by part, and names the part that has no answer', () => {
    const { parts, gaps, texts } = found('How many GB does the cache hold, and who wrote the opera?')
    expect(parts.map(({ answered }) => answered)).toEqual(['yes', 'no'])
    expect(gaps[0]).toBe('Nothing was found that answers: Who wrote the opera?')
    expect(texts[0]).toBe('The cache holds 10 GB.')
  })

  it('is of the digest where that says the same, and else has an id of its own that is always the same', () => {
    const evidence = evidenceOf({ 'a.md': TEXT })
    const digest = [
      { id: 'F1', kind: 'fact', text: 'The cache holds 10 GB.', sources: ['a.md::S2'] },
    ] as const satisfies readonly DigestItem[]
    const ids = (question: string) => evidence.itemsFor(question, digest, 1).map(({ id }) => id)
    const [held, open] = [ids('How many GB does the cache hold?'), ids('When is the garden open?')]
    expect(held[0]).toBe('F1')
    expect(open[0]).toBe(ids('On which day is the garden open?')[0])
    expect(Number(open[0]?.slice(1))).toBeGreaterThan(1)
  })

  it('of a collection is left out where it has one word of several: that is chance', () => {
    const passage = {
      ref: 'ambit://docs/a.md#L1',
      kind: 'collections',
      title: 'A',
      text: 'The garden is green.',
    } as const
    const question = 'When does the gardener open the door?'
    const parts = assessQuestion(question, { files: evidenceOf({}), passages: [passage] })
    expect(synthesisOf({ parts })).toEqual([])
  })
})

const task = 'What of a write, the cache and the garden?'
const parts: readonly PartEvidence[] = [{ text: task, answered: 'part', findings: [], missing: [] }]
const divided = { task, depth: 1, slice, parts, headingsOf, gaps: [], asked: [], most: 5 }

describe('a report that no model wrote', () => {
  const branch = (id: string, question: string): Branch => ({
    id,
    question,
    depth: id.split('.').length,
    status: 'answered',
    evidence: ['context'],
    findings: [{ text: `What ${id} says.`, ref: 'a.md::S1', kind: 'context' }],
    parts: [],
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
