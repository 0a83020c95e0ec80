/** Figures that would count what they should not, or leave out what they should count. */

import { describe, expect, it } from 'vitest'
import { FileEvidence } from '../../../src/research/run/file-evidence.ts'
import { computeAnswer } from '../../../src/research/run/table-answers.ts'
import type { EvidenceTable } from '../../../src/research/run/table-columns.ts'

function table(name: string, csv: string, about = name): EvidenceTable {
  const [header = [], ...rows] = csv
    .trim()
    .split('\n')
    .map((line) => line.split(','))
  return { ref: `${name}::S2`, about, name, header, rows }
}

const answer = (question: string, csv: string, about?: string) =>
  computeAnswer(question, [table('data.csv', csv, about)])

const STAFF = 'name,department,age,salary\nAnn,IT,41,50000\nBen,HR,52,60000\nCai,IT,25,40000\nDee,Sales,60,70000'
const BILLS = 'vendor,status,amount\nAcme,Paid,10\nacme,paid,20\nBolt,PAID,40\nCore,open,80'

describe('a figure is right', () => {
  it.each([
    [
      'of a kind that is a word of the heading',
      'What is the total fee of active members?',
      'name,status,fee\na,active,40\nb,gone,20',
      'status is active: 40',
      'Active members',
    ],
    ['of debts', 'What is the total amount?', `item,amount\n${'a,$10.00\n'.repeat(10)}b,-$50.00`, ': 50'],
    ['with a minus of typography', 'What is the lowest temperature?', 'month,temperature\nJan,−8\nFeb,2', ': -8'],
    ['of debts in brackets', 'What is the sum of amount?', 'item,amount\na,(5)\nb,15', ': 10'],
    [
      'in bold, with a footnote',
      'Which runner has the highest points?',
      'runner,points\nJon,**97**\nIvy,48*',
      ': 97, of Jon',
    ],
    ['of those above, by a sign', 'How many names have an age > 41?', STAFF, 'age is more than 41: 2'],
    ['of those from one on, by a sign', 'How many names have an age >= 41?', STAFF, 'age is at least 41: 3'],
    ['of those from one on, by a plus', 'How many names have an age of 41+?', STAFF, 'age is at least 41: 3'],
    ['of a department that is also a pronoun', 'What is the total salary in IT?', STAFF, 'department is IT: 90000'],
    ['of all spellings', 'How many bills are paid?', BILLS, 'status is Paid: 3', 'bills'],
    ['of all spellings, as a sum', 'What is the total amount of paid bills?', BILLS, ': 70', 'bills'],
    [
      'of a column with per in its name',
      'What is the average price per kg?',
      'fruit,Price,Price per kg\nfig,2,4\nplum,3,8',
      'Price per kg: 6',
    ],
    [
      'of several rows of one',
      'How many students are there?',
      'student,result\nAda,fail\nAda,fail\nBo,pass',
      'different values of student: 2',
    ],
  ])('%s: %s', (_, question, csv, said, about = 'names') => {
    const found = answer(question, csv, about)
    expect(found?.text.slice(-said.length), found?.text).toBe(said)
  })
})

describe('capitals say nothing where all words have them', () => {
  it.each(['WHAT IS THE TOTAL SALARY?', 'What Is The Total Salary?'])('%s', (question) => {
    expect(answer(question, STAFF, 'names')?.text).toBe('The sum of salary: 220000')
  })
})

describe('no figure is computed', () => {
  it.each([
    ['where a cell is no number', 'What is the total amount?', `item,amount\n${'a,10\n'.repeat(20)}b,about 50`],
    ['where the sign is not for a count', 'What is the average salary with an age >= 41?', STAFF],
    ['of a name that stands nowhere', 'What is the total salary in the US?', STAFF],
    ['of a month that stands nowhere', 'What is the total rain in May?', 'city,month,rain\nHull,June,5\nHull,July,7'],
    [
      'by a year of something else',
      'What is the total number of students in 1920?',
      'university,Founded,students\nBexley,1920,500\nHolm,1950,700',
    ],
    ['of the numbers of orders', 'What is the total number of orders?', 'Order,customer\n101,a\n102,b\n103,c'],
    ['of the numbers of rooms', 'What is the sum of room numbers?', 'Room number,floor\n12,1\n14,2'],
    ['with a row of totals', 'What is the total revenue?', 'shop,revenue\na,10\nb,20\nTotals,30'],
    [
      'with a row of totals in another column',
      'Which shop had the highest revenue?',
      'no,shop,revenue\n1,a,10\n2,b,20\n,Total 2022,30',
    ],
    ['of values in several spellings', 'How many vendors are there?', BILLS],
    ['of how many with a mean', 'How many bills have an above-average amount?', BILLS],
    ['of how many with a highest', 'How many bills have the highest amount?', BILLS],
    ['of what a word means', 'What does bonus mean?', 'name,bonus\na,100\nb,200'],
    ['of the highest of ranks', 'Which team has the highest rank?', 'team,rank\na,1\nb,2\nc,2'],
    ['of the oldest by a year', 'Which person has the oldest birth year?', 'person,birth year\na,1950\nb,2001'],
    ['of a ratio', 'What is the total revenue per employees?', 'firm,revenue,employees\na,10,2\nb,30,3'],
    [
      'of two columns of which one is a word of the name',
      'What is the total of revenue and costs?',
      'month,revenue,costs\n1,10,2\n2,30,3',
      'costs and revenue',
    ],
    [
      'of a year that is a part of a column',
      'What is the total of loans before 2022?',
      'branch,Loans 2021,Loans 2022\na,1,2\nb,3,4',
    ],
    ['of two currencies', 'What is the total amount?', 'item,amount,currency\na,10,EUR\nb,20,USD'],
    [
      'of a number with a point that may be both',
      'How many towns have at least 50.000 people?',
      'town,people\na,60000\nb,40\nc,70',
    ],
    ['of thousands as a letter', 'How many towns have over 50k people?', 'town,people\na,60000\nb,40\nc,70'],
    ['of a condition that nothing accounts for', 'What is the total salary of women?', STAFF],
    ['of what is left out', 'What is the total salary ignoring managers?', STAFF],
  ])('%s: %s', (_, question, csv, about = 'towns') => {
    expect(answer(question, csv, about)?.text).toBe(undefined)
  })

  it('of more groups than are told, as a whole answer', () => {
    const rows = Array.from({ length: 60 }, (_, at) => `g${at},${at}`).join('\n')
    const found = answer('What is the sum of size per group?', `group,size\n${rows}`)
    expect([found?.isWhole, found?.text.endsWith('; and 10 more')]).toEqual([false, true])
  })
})

describe('two tables under one heading', () => {
  it('are two where a sentence stands between them, and each has its name', async () => {
    const rows = (one: number) => `| item | amount |\n| --- | --- |\n| rent | ${one} |\n| food | ${one * 2} |\n`
    const text = `# Budget\n\nPlanned:\n\n${rows(50)}\nActual:\n\n${rows(60)}`
    const spans = [{ id: 'S1', start: 0, end: text.length }]
    const evidence = new FileEvidence([{ alias: 'a.md', text, spans } as never])
    expect(evidence.compute('What is the total planned amount?')?.text).toContain(': 150')
    expect(evidence.compute('What is the total amount?')).toBe(undefined)
  })
})
