import { expect, it } from 'vitest'
import {
  briefIn,
  childrenIn,
  conflictsIn,
  digestIn,
  outlineIn,
  queriesIn,
  readGrade,
  readParagraph,
  readVerdict,
  sufficiencyIn,
} from '../../src/research/model/read.ts'
import type { JudgeTask } from '../../src/research/run/stages.ts'

const SPANS = new Map([
  ['S1', { text: 'The **ferry** leaves at nine.' }],
  ['S3', { text: 'Prices* rise by **5 %.' }],
  ['S2', { text: 'Ferry,9,12', header: 'name,start,end' }],
])
const TASK = { claims: [{ id: 'c1' }] } as unknown as JudgeTask
const FILES = new Map([
  ['a1', 'a'],
  ['a2', 'a'],
  ['b1', 'b'],
])
const item = { kind: 'fact', text: 'The ferry  leaves at nine.', sources: ['a.md::S1'] }
const long = 'x'.repeat(1201)

const items = (given: unknown) => {
  const { items = [], refused = [] } = digestIn({ items: given }, SPANS) ?? {}
  return [...items, ...refused.map(({ why }) => why)]
}
const queries = (given: unknown) => queriesIn({ queries: given })
const enough = (given: object) => sufficiencyIn({ is_sufficient: false, reasoning: 'So.', gaps: ['x'], ...given })
const children = (given: unknown) => childrenIn({ children: given }, { maximum: 3, asked: ['old?'] })
const conflicts = (given: unknown) => conflictsIn({ conflicts: given }, FILES)
const verdict = (given: object) => readVerdict({ id: 'c1', ...given }, TASK)
const brief = (given: object) => briefIn({ parts: ['a'], ...given }, 'q')
const outline = (given: unknown) => outlineIn({ sections: given })
const grade = (given: object) => readGrade({ id: 1, ...given }, ['first'])

const SAILS = { text: 'It sails at 9.', quote: 'leaves at nine' }
const CELL = { text: '9', sources: ['S2'] }
const BRIEF = { question: 'q', parts: ['a'], reader: '', form: '', missing: [] }
const PART = { title: 'A', says: 'b', form: 'table' }
const REFUSED = 'Its quote does not stand in the span that it names, word for word.'

it.each<[what: string, read: unknown, expected: unknown]>([
  ['items that are no list', digestIn({ items: 'x' }, SPANS), undefined],
  ['an item without a quote', items([item]), [{ kind: 'fact', text: 'The ferry leaves at nine.', sources: ['S1'] }]],
  ['an item with one', items([{ ...item, ...SAILS }]), [{ ...item, ...SAILS, sources: ['S1'] }]],
  ['a cell of a row', items([{ ...item, ...CELL, sources: ['S2', 'S2'] }]), [{ kind: 'fact', ...CELL }]],
  ['a quote that is not there', items([{ ...item, quote: 'leaves at ten' }]), [REFUSED]],
  [
    'marks of which one is missing',
    items([{ ...item, text: 'Prices rise by 5 %.', sources: ['S3'] }]),
    [{ kind: 'fact', text: 'Prices rise by 5 %.', sources: ['S3'] }],
  ],
  ['an unknown kind', items([{ ...item, kind: 'poem' }]), [expect.stringContaining('kind must be one of')]],
  ['no text', items([{ ...item, text: ' ' }]), [expect.stringContaining('text is empty')]],
  ['too long a text', items([{ ...item, text: long }]), [expect.stringContaining('longer than 1200')]],
  ['no span', items([{ ...item, sources: ['S9'] }]), ['It names no span that was given.']],
  ['sources that are no list', items([{ ...item, sources: 'S1' }]), ['It names no span that was given.']],
  ['queries', queries(['a  b', 'a b', 'c', 'd', 'e']), ['a b', 'c', 'd']],
  ['a long query', queries(['y'.repeat(400)]), ['y'.repeat(300)]],
  ['no query', queries([]), undefined],
  ['a query that is no text', queries(['a', 1]), undefined],
  ['what is not enough', enough({}), { is_sufficient: false, reasoning: 'So.', gaps: ['x'] }],
  ['what is enough', enough({ is_sufficient: true }), { is_sufficient: true, reasoning: 'So.', gaps: ['x'] }],
  ['enough that is no flag', enough({ is_sufficient: 'yes' }), undefined],
  ['enough without a reason', enough({ reasoning: '' }), undefined],
  ['the longest reason', enough({ reasoning: 'x'.repeat(8000) }), expect.objectContaining({ gaps: ['x'] })],
  ['gaps that are no list', enough({ gaps: 'x' }), undefined],
  ['children, of which none was asked', children(['a?', 'old?', 'b?']), ['a?', 'b?']],
  ['a single child', children(['a?', 'old?']), []],
  ['children that are no list', children({}), undefined],
  ['a conflict of two files', conflicts([{ item_ids: ['a1', 'b1', 'zz', 'a1'] }]), [['a1', 'b1']]],
  ['a conflict of one file', conflicts([{ item_ids: ['a1', 'a2'] }, { item_ids: 'a1' }]), []],
  ['conflicts that are no list', conflicts(null), undefined],
  ['a verdict', verdict({ verdict: 'Supported', why: 'x  y' }), [{ id: 'c1', verdict: 'supported', why: 'x y' }]],
  ['a flag as one', verdict({ supported: false }), [{ id: 'c1', verdict: 'unsupported', why: '' }]],
  ['one with an edit', verdict({ verdict: 'part', edit: 'z' }), [{ id: 'c1', verdict: 'partly', why: '', edit: 'z' }]],
  ['a verdict of nothing asked', verdict({ id: 'c2', verdict: 'no' }), []],
  ['a word that is no verdict', verdict({ verdict: 'maybe' }), []],
  ['a paragraph', readParagraph({ id: 1, text: ' x ' }), [{ id: '1', text: 'x' }]],
  ['a paragraph without text', readParagraph({ id: 1 }), []],
  ['a brief', brief({ reader: ' a  b ', form: 1, missing: ['m'] }), { ...BRIEF, reader: 'a b', missing: ['m'] }],
  ['a brief without lists', brief({ missing: 'm' }), BRIEF],
  ['a brief without parts', brief({ parts: [] }), undefined],
  ['an outline', outline([PART, { title: 'C' }, { title: '' }]), [PART, { title: 'C', says: '', form: 'text' }]],
  ['an outline that is no list', outline('x'), undefined],
  ['a grade', grade({ answered: 'Yes' }), [{ text: 'first', answered: 'answered' }]],
  [
    'a part that lacks something',
    grade({ answered: 'part', lacks: ' The\nyear. ' }),
    [{ text: 'first', answered: 'part', lacks: 'The year.' }],
  ],
  [
    'a whole part that lacks nothing',
    grade({ answered: 'yes', lacks: 'x' }),
    [{ text: 'first', answered: 'answered' }],
  ],
  ['a grade of no part', grade({ id: 2, answered: 'yes' }), []],
  ['a word that is no grade', grade({ answered: 'well' }), []],
])('an answer of a model is read: %s', (_, read, expected) => {
  expect(read).toEqual(expected)
})
